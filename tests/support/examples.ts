import { Employer } from '#contract/employers.ts'
import { Configuration, LmsConfiguration } from '#contract/configurations.ts'
import { Employee } from '#contract/employees.ts'
import { Invoice } from '#contract/invoices.ts'
import { Repayment } from '#contract/repayments.ts'
import type { Me } from '#contract/session.ts'
import { permissionId, permissionIds, type PermissionName, permissionNames } from '#domain/permissions.ts'

/** An invoice as returned by the API: overdue, partly paid, with a different amount in every field. */
export const invoiceLike = (more: Partial<Invoice> = {}): Invoice =>
  Invoice.parse({
    id: 40001,
    number: 'INV-40001',
    status: 'SENT',
    derived: ['OVERDUE', 'UNDERPAID'],
    company_code: 'HF-01',
    department_code: 'COLD',
    payment_method: 'SELF_PAY',
    period_start: '2026-10-01',
    period_end: '2026-10-14',
    issue_date: '2026-10-16',
    report_date: '2026-10-20',
    due_date: '2026-11-09',
    days_past_due: 12,
    original_amount: 1_824_010,
    invoice_amount: 1_800_000,
    paid_amount: 1_200_000,
    rollover_amount: 4_010,
    rollover_out_amount: 0,
    writeoff_amount: 20_000,
    outstanding_amount: 600_000,
    in_flight_amount: 0,
    unanswered_amount: 0,
    confirmation_flow: 'MULTIPLE',
    auto_approve_ewa_file: true,
    has_notes: true,
    debtor_type: 'EMPLOYER',
    debtor_id: 100101,
    debtor_name: 'Harbor Foods',
    debtor_flagged: false,
    employer: { id: 100101, name: 'Harbor Foods', code: 'HF', status: 'ACTIVE' },
    organization: { id: 100001, name: 'Harbor Group' },
    deduction_id: 50001,
    pending_write_offs: 0,
    active_account_count: 1,
    allowed_rollover_percentage: 550,
    ach_processing_days: 2,
    rolled_over_amount: 0,
    credit_used: false,
    closed_by: null,
    ach: null,
    refund: null,
    as_of: '2026-11-21',
    created_at: '2026-10-16T10:00:00Z',
    updated_at: '2026-11-17T10:00:00Z',
    version: 3,
    ...more,
  })

/** A repayment as returned by the API, with a value in every field. */
export const repaymentLike = (more: Partial<Repayment> = {}): Repayment =>
  Repayment.parse({
    id: 70001,
    reference_id: 'REP-70001',
    debtor_type: 'EMPLOYER',
    debtor_id: 100101,
    debtor_name: 'Harbor Foods',
    organization: { id: 100001, name: 'Harbor Group' },
    employer: { id: 100101, name: 'Harbor Foods' },
    department_code: 'COLD',
    amount: 1_200_000,
    unallocated_amount: 50_000,
    repayment_date: '2026-11-17',
    effective_date: '2026-11-18',
    reconciliation_status: 'PENDING',
    ach_state: 'COMPLETED',
    origin: 'USER',
    requester_id: '11',
    requester_name: 'Priya Raman',
    ach_addenda: 'INV 40001',
    descriptor: 'HARBOR WIRE',
    bank_name: 'Harbor Bank',
    account_number: '••••6789',
    failure: null,
    return_code: null,
    returns_id: null,
    returned_amount: 0,
    posted: true,
    by_hand: false,
    debited_invoice_id: null,
    notes: 'Came by wire',
    allocations: [{ invoice_id: 40001, number: 'INV-40001', amount: 1_150_000, counted: true }],
    created_at: '2026-11-17T10:00:00Z',
    updated_at: '2026-11-17T10:00:00Z',
    version: 1,
    ...more,
  })

/** An employee as returned by the API, active and without a user. */
export const employeeLike = (id: number, first: string, last: string, more: Partial<Employee> = {}): Employee =>
  Employee.parse({
    id,
    first_name: first,
    last_name: last,
    employee_code: `HF-${id}`,
    external_tk_id: null,
    email: `${first}.${last}@example.com`.toLowerCase(),
    phone_number: null,
    department_code: null,
    status: 'ACTIVE',
    flow: 'PAYROLL',
    brand: 'DAYLINE',
    hire_date: null,
    pay_type: null,
    pay_frequency: null,
    next_pay_date: null,
    rate_amount: null,
    user_id: null,
    pause: null,
    created_at: '2026-01-01T00:00:00Z',
    updated_at: '2026-01-01T00:00:00Z',
    version: 1,
    ...more,
  })

/** The signed-in admin as returned by the API, with every permission except the given ones. */
export const adminWithout = (...lacks: readonly PermissionName[]): Me => {
  const missing = new Set<number>(lacks.map(permissionId))
  return {
    person: { id: 'someone', name: 'Some One', email: 'some.one@example.com', kind: 'ADMIN' },
    groups: [],
    grants: null,
    permissions: permissionIds.filter((id) => !missing.has(id)).map((id) => ({ id, short_name: permissionNames[id] })),
    session: { idle_seconds: 900, warning_seconds: 120, expires_at: '2026-11-21T20:00:00Z' },
    business_date: '2026-11-21',
    demo: false,
  }
}

/** An employer as returned by the API. */
export const employerLike = (more: Partial<Employer> = {}): Employer =>
  Employer.parse({
    id: 100101,
    internal_name: 'Harbor Foods',
    external_name: 'Harbor Foods',
    external_code: 'HF-01',
    lookup_name: 'harbor-foods',
    brand: 'DAYLINE',
    direct_customer: true,
    status: 'ACTIVE',
    go_live_date: '2025-03-03',
    cancellation_date: null,
    pilot_ee_count: 40,
    pilot_launch_date: '2025-02-03',
    organization_id: 100001,
    organization_name: 'Harbor Group',
    organization_status: 'ACTIVE',
    lms_configured: true,
    onboarded: true,
    created_at: '2025-01-06T10:00:00Z',
    updated_at: '2026-11-17T10:00:00Z',
    version: 1,
    ...more,
  })

/** The LMS configuration behind the terms of a configuration. */
export const lmsLike = (of: Configuration): LmsConfiguration =>
  LmsConfiguration.parse({
    ...of,
    id: of.lms_configured ? 70 : null,
    level: of.terms_level,
    payment_method: of.auto_ach ? 'AUTO_ACH' : 'SELF_PAY',
    version: 3,
  })

/** What an employer inherits from its organization, with a value in every field. */
export const configurationLike = (more: Partial<Configuration> = {}): Configuration =>
  Configuration.parse({
    id: 1,
    level: 'ORGANIZATION',
    terms_level: 'ORGANIZATION',
    lms_configured: true,
    organization_id: 100001,
    organization_name: 'Harbor Group',
    employer_id: 100101,
    withdraw_limit_type: 'PERCENTAGE',
    withdraw_limit_amount: 4_000,
    single_withdraw_amount_max: 20_000,
    withdraw_amount_max: 50_000,
    transaction_fee: 299,
    requests_per_cycle: 2,
    daily_hours_limit: 16,
    timekeeping_approval_threshold: 1_200,
    ach_processing_days: 2,
    invoice_deadline: 3,
    invoice_net_days: 7,
    auto_ach: true,
    split_invoices: false,
    show_amount_per_department_code: false,
    allowed_rollover_percentage: 500,
    employee_identifier_type: 'EMPLOYEE_ID',
    partner_type: 'NONE',
    pay_codes: null,
    integrations_folder: null,
    version: 1,
    ...more,
  })
