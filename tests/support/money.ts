import { type Kysely, sql } from 'kysely'
import type { InvoiceStatus } from '#domain/invoice.ts'
import { entriesOf, postingOf } from '#server/tables/allocations.ts'
import type { Database } from '#server/tables/database.ts'
import { post, service } from '#server/tables/ledger.ts'
import { createEmployee, organizationOfDebtor, organizationOfInvoice } from '#tests/support/company.ts'

type Db = Kysely<Database>

/** The ids of a new row and of its organization. */
interface Owned {
  id: number
  organization: number
}

export interface InvoiceInput {
  employerId: number
  /** Defaults to the employer. */
  debtor?: { type: 'EMPLOYER' | 'ORGANIZATION'; id: number }
  status?: InvoiceStatus
  /** Cents; split over `lineCount` new employees. Ignored when there are `lines`. */
  original?: number
  lineCount?: number
  lines?: readonly { employeeId: number; amount: number; departmentCode?: string }[]
  companyCode?: string
  departmentCode?: string | null
  paymentMethod?: 'AUTO_ACH' | 'SELF_PAY'
  confirmationFlow?: 'NONE' | 'SINGLE' | 'MULTIPLE'
  autoApprove?: boolean
  /** `yyyy-MM-dd`, or days from the business date. */
  issueDate?: string | number
  reportDate?: string | number
  dueDate?: string | number
  periodStart?: string | number
  periodEnd?: string | number
  /** Paid by hand, in cents: creates a repayment allocated to it. */
  paid?: number
}

export interface TestInvoice {
  id: number
  number: string
  employeeIds: number[]
  lineIds: number[]
  /** Null for a DRAFT. */
  deductionId: number | null
  /** Created by `paid`, or the pending debit of one in PROCESSING. */
  repaymentId: number | null
}

const day = (value: string | number) => (typeof value === 'number' ? sql`business_date() + ${value}::int` : sql`${value}::date`)

/**
 * An invoice with lines, their ledger entries, a deduction if past DRAFT, and a debit where the status needs one: a scheduled one
 * in SCHEDULED, a pending one in PROCESSING, one returned as R01 in RETURNED.
 */
export async function createInvoice(db: Db, input: InvoiceInput): Promise<TestInvoice> {
  const status = input.status ?? 'SENT'
  const debited = ['SCHEDULED', 'PROCESSING', 'RETURNED', 'PARTIALLY_RETURNED'].includes(status)
  const lines = input.lines ?? (await newLines(db, input))
  const made = await db.transaction().execute(async (tx) => {
    const { rows } = await sql<Owned>`
      insert into invoices (organization_id, employer_id, debtor_type, debtor_id, status, company_code, department_code,
        payment_method, confirmation_flow, auto_approve_ewa_file, period_start, period_end, issue_date, report_date, due_date, closed_at)
      values (${organizationOfDebtor({ type: 'EMPLOYER', id: input.employerId })}, ${input.employerId}, ${input.debtor?.type ?? 'EMPLOYER'}, ${input.debtor?.id ?? input.employerId}, ${status},
        ${input.companyCode ?? 'C-100'}, ${input.departmentCode ?? null},
        ${input.paymentMethod ?? (debited ? 'AUTO_ACH' : 'SELF_PAY')}, ${input.confirmationFlow ?? 'NONE'},
        ${input.autoApprove ?? false}, ${day(input.periodStart ?? -34)}, ${day(input.periodEnd ?? -21)},
        ${day(input.issueDate ?? -20)}, ${day(input.reportDate ?? (status === 'DRAFT' ? 3 : -10))}, ${day(input.dueDate ?? 5)},
        ${status === 'CLOSED' ? sql`now()` : null})
      returning id, organization_id as organization`.execute(tx)
    const { id, organization } = rows[0] as Owned
    const lineIds: number[] = []
    for (const line of lines) {
      const { rows: inserted } = await sql<{ id: number }>`
        insert into invoice_lines (organization_id, invoice_id, employee_id, department_code, original_amount)
        values (${organizationOfInvoice(id)}, ${id}, ${line.employeeId}, ${line.departmentCode ?? null}, ${line.amount}) returning id`.execute(
        tx,
      )
      const lineId = inserted[0]?.id as number
      lineIds.push(lineId)
      await post(tx, service, organization, [{ invoice_id: id, kind: 'ORIGINAL', amount: line.amount, line_id: lineId }])
    }
    return { id, lineIds, deductionId: status === 'DRAFT' ? null : await newDeduction(tx, id, status) }
  })
  const original = lines.reduce((sum, line) => sum + line.amount, 0)
  const debtor = input.debtor ?? { type: 'EMPLOYER' as const, id: input.employerId }
  const underWay = status === 'PROCESSING' ? { origin: 'ACH_ENTRY' as const, achState: 'PENDING' as const } : null
  const amount = input.paid ?? (underWay ? original : 0)
  const repayment =
    amount === 0
      ? null
      : await createRepayment(db, { debtor, amount, ...underWay, allocations: [{ invoiceId: made.id, amount }] })
  if (debited)
    await sql`insert into ach_debits (organization_id, invoice_id, repayment_id, amount, debit_date, state, return_code, submitted_on)
      values (${organizationOfInvoice(made.id)}, ${made.id}, ${underWay ? (repayment?.id ?? null) : null}, ${original}, business_date() + ${status === 'SCHEDULED' ? 2 : -2}::int,
        ${debitStates[status] ?? 'SCHEDULED'}, ${status.endsWith('RETURNED') ? 'R01' : null},
        ${status === 'SCHEDULED' ? null : sql`business_date() - 2`})`.execute(db)
  return {
    ...made,
    number: `INV-${made.id}`,
    employeeIds: lines.map((line) => line.employeeId),
    repaymentId: repayment?.id ?? null,
  }
}

const debitStates: Record<string, string> = {
  PROCESSING: 'SUBMITTED',
  RETURNED: 'RETURNED',
  PARTIALLY_RETURNED: 'PARTIALLY_RETURNED',
}

/** Several invoices created in sequence, so that their ids follow the given order. */
export async function createInvoices(db: Db, inputs: readonly InvoiceInput[]): Promise<TestInvoice[]> {
  const made: TestInvoice[] = []
  for (const input of inputs) made.push(await createInvoice(db, input))
  return made
}

async function newLines(db: Db, input: InvoiceInput): Promise<NonNullable<InvoiceInput['lines']>> {
  const count = input.lineCount ?? 1
  const original = input.original ?? 100_00
  const lines: { employeeId: number; amount: number }[] = []
  for (let at = 0; at < count; at += 1) {
    const { id } = await createEmployee(db, { employerId: input.employerId, code: `E-${at + 1}`, tkId: `TK-${at + 1}` })
    const even = Math.floor(original / count)
    lines.push({ employeeId: id, amount: at === 0 ? original - even * (count - 1) : even })
  }
  return lines
}

async function newDeduction(db: Db, invoiceId: number, status: InvoiceStatus): Promise<number> {
  const approved = status !== 'ON_DEDUCTION_FILE'
  const { rows } = await sql<{ id: number }>`
    insert into deductions (organization_id, invoice_id, status, approved_by, approved_by_name, approved_at)
    values (${organizationOfInvoice(invoiceId)}, ${invoiceId}, ${approved ? 'APPROVED' : 'PENDING'}, ${approved ? 'service' : null},
      ${approved ? 'System' : null}, ${approved ? sql`now()` : null})
    returning id`.execute(db)
  return rows[0]?.id as number
}

export interface RepaymentInput {
  debtor: { type: 'EMPLOYER' | 'ORGANIZATION'; id: number }
  /** Cents; negative for a payback. */
  amount: number
  /** `yyyy-MM-dd`, or days from the business date. */
  date?: string | number
  origin?: 'ACH_ENTRY' | 'USER'
  /** For an ACH entry; by default COMPLETED. */
  achState?: 'PENDING' | 'COMPLETED'
  failure?: 'RETURNED' | 'UNMATCHED' | null
  returnCode?: string | null
  allocations?: readonly { invoiceId: number; amount: number }[]
  requester?: { id: string; name: string }
  descriptor?: string | null
  addenda?: string | null
  bankName?: string | null
  accountNumber?: string | null
  departmentCode?: string | null
  notes?: string | null
}

/** A repayment, with the PAYMENT entries of its allocations if it counts; statuses of invoices do not change. */
export async function createRepayment(db: Db, input: RepaymentInput): Promise<{ id: number; referenceId: string }> {
  const origin = input.origin ?? 'USER'
  const achState = origin === 'ACH_ENTRY' ? (input.achState ?? 'COMPLETED') : null
  const allocations = input.allocations ?? []
  const left = input.amount - allocations.reduce((sum, part) => sum + part.amount, 0)
  const counts = !input.failure && achState !== 'PENDING'
  const reconciliation = input.failure ? 'FAILED' : counts && left === 0 ? 'RECONCILED' : 'PENDING'
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<Owned>`
      insert into repayments (organization_id, debtor_type, debtor_id, amount, unallocated_amount, repayment_date, origin,
        reconciliation_status, ach_state, failure, return_code, requester_id, requester_name, ach_addenda, descriptor, bank_name, account_number,
        department_code, notes)
      values (${organizationOfDebtor(input.debtor)}, ${input.debtor.type}, ${input.debtor.id}, ${input.amount}, ${left}, ${day(input.date ?? 0)}, ${origin},
        ${reconciliation}, ${achState}, ${input.failure ?? null}, ${input.returnCode ?? null}, ${input.requester?.id ?? null},
        ${input.requester?.name ?? null}, ${input.addenda ?? null}, ${input.descriptor ?? null}, ${input.bankName ?? null},
        ${input.accountNumber ?? null}, ${input.departmentCode ?? null}, ${input.notes ?? null})
      returning id, organization_id as organization`.execute(tx)
    const { id, organization } = rows[0] as Owned
    for (const { invoiceId, amount } of allocations)
      await sql`insert into repayment_allocations (organization_id, repayment_id, invoice_id, amount)
        values (${organizationOfInvoice(invoiceId)}, ${id}, ${invoiceId}, ${amount})`.execute(tx)
    const shares = allocations.map(({ invoiceId, amount }) => ({ invoice_id: invoiceId, amount }))
    const entries = entriesOf('PAYMENT', postingOf(shares, left)).map((entry) => ({ ...entry, repayment_id: id }))
    if (counts) await post(tx, service, organization, entries)
    return { id, referenceId: `REP-${id}` }
  })
}

/** A bank account of an organization; with employers, only for these. */
export async function createBillingAccount(
  db: Db,
  input: { organizationId: number; employerIds?: readonly number[]; status?: 'ACTIVE' | 'DELETED'; accountNumber?: string },
): Promise<{ id: number }> {
  const { rows } = await sql<{ id: number }>`
    insert into billing_accounts (organization_id, name, nickname, bank_name, account_number, routing_number, scope, status)
    values (${input.organizationId}, 'Operating account', 'Operating', 'Harbor Bank', ${input.accountNumber ?? '000123456789'},
      '121000248', ${input.employerIds ? 'EMPLOYERS' : 'ORGANIZATION'}, ${input.status ?? 'ACTIVE'})
    returning id`.execute(db)
  const id = rows[0]?.id as number
  for (const employerId of input.employerIds ?? [])
    await sql`insert into billing_account_employers (billing_account_id, employer_id) values (${id}, ${employerId})`.execute(db)
  return { id }
}

/** How much of an invoice may roll over, in basis points; null is not configured. */
export async function setRolloverPercentage(
  db: Db,
  of: { organizationId: number } | { employerId: number },
  basisPoints: number | null,
): Promise<void> {
  const [column, id] = 'employerId' in of ? ['employer_id', of.employerId] : ['organization_id', of.organizationId]
  const key = sql.ref(column as string)
  await sql`insert into deduction_configurations (${key}, allowed_rollover_percentage) values (${id}, ${basisPoints})
    on conflict (${key}) where ${key} is not null do update set allowed_rollover_percentage = excluded.allowed_rollover_percentage`.execute(
    db,
  )
}

/** A pending suggestion. */
export async function createWriteOff(
  db: Db,
  input: { invoiceId: number; lineId: number; amount: number; by?: { id: string; name: string } },
): Promise<{ id: number }> {
  const { rows } = await sql<{ id: number }>`
    insert into write_offs (organization_id, invoice_id, line_id, suggested_amount, reason, suggested_by, suggested_by_name)
    values (${organizationOfInvoice(input.invoiceId)}, ${input.invoiceId}, ${input.lineId}, ${input.amount}, 'EMPLOYEE_TERMINATED', ${input.by?.id ?? 'somebody'},
      ${input.by?.name ?? 'Somebody'})
    returning id`.execute(db)
  return { id: rows[0]?.id as number }
}
