import { expect, test } from 'vitest'
import { frequencyLabels } from '#contract/employees.ts'
import employees from '#portal/nouns/employees/list.tsx'
import bankResults from '#portal/nouns/bank-results/list.tsx'
import employers from '#portal/nouns/employers/list.tsx'
import invoices from '#portal/nouns/invoices/list.tsx'
import organizations from '#portal/nouns/organizations/list.tsx'
import repayments from '#portal/nouns/repayments/list.tsx'
import writeOffs from '#portal/nouns/write-offs/list.tsx'
import users from '#portal/nouns/users/list.tsx'
import accountManagers from '#portal/nouns/account-managers/list.tsx'
import { changesOf } from '#portal/record/event-details.tsx'

test.each([
  ['status', 'PAUSED', 'Status: Paused'],
  ['kyc_status', 'UNDER_REVIEW', 'Identity check: Under review'],
  ['card_status', 'DELETED', 'Card: Deleted'],
  ['bank_account_status', 'ACTIVE', 'Bank account: Active'],
  ['pause_reason', 'PAUSED', 'Pause reason: PAUSED'],
])('a change of %s to %s reads %s', (field, value, words) => {
  expect(`${employees.words.field(field)}: ${employees.words.value(field, value)}`).toBe(words)
})

test.each([
  ['status', 'CONFIRMATION_PENDING', 'Status: Confirmation pending'],
  ['card_status', 'DELETED', 'Card: Deleted'],
  ['bank_account_status', 'ACTIVE', 'Bank account: Active'],
])('on the record of the user, too, a change of %s to %s reads %s', (field, value, words) => {
  expect(`${users.words.field(field)}: ${users.words.value(field, value)}`).toBe(words)
})

test('an inaccessible status says so in the list; a missing one leaves the cell empty', () => {
  const cell = (title: string, one: object) => employees.columns.find((column) => column.title === title)?.text(one as never)
  expect(cell('Status', { status: null })).toBe('Restricted')
  expect(cell('Status', { status: 'PAUSED' })).toBe('Paused')
  expect(cell('Identity check', { user: { kyc_status: null } })).toBe('—')
  expect(cell('Identity check', { user: null })).toBe('—')
})

test.each([
  ['transaction_fee', 349, 'Transaction fee: $3.49'],
  ['withdraw_amount_max', 300_000, 'Maximum per pay period: $3,000.00'],
  ['single_withdraw_amount_max', null, 'Maximum per transaction: none'],
  ['withdraw_limit_type', 'PERCENTAGE', 'Limit type: Percentage'],
  ['withdraw_limit_amount', 4_050, 'Limit: 40.5'],
  ['withdraw_limit_percentage', 4_050, 'Limit: 40.5%'],
  ['withdraw_limit_dollars', 70_00, 'Limit: $70.00'],
  ['timekeeping_approval_threshold', 9_000, 'Approval threshold: 90%'],
  ['daily_hours_limit', 12, 'Daily hours limit: 12'],
  ['level', 'EMPLOYER', 'Level: Employer'],
  ['terms_level', 'ORGANIZATION', 'Level of invoice terms: Organization'],
  ['payment_method', 'SELF_PAY', 'Payment method: Self Pay'],
  ['partner_type', 'EMS', 'Partner type: Employee management system'],
  ['employee_identifier_type', 'EXTERNAL_TK_ID', 'Employee identifier: External TK id'],
  ['pay_codes', ['REG', 'OT'], 'Pay codes: REG, OT'],
  ['split_invoices', true, 'Split invoices: yes'],
])('a change of the configuration, %s to %s, reads %s', (field, value, words) => {
  expect(`${employers.words.field(field)}: ${employers.words.value(field, value)}`).toBe(words)
})

test.each([
  ['payroll_frequency', 'BI_WEEKLY', 'Payroll frequency: Bi-weekly'],
  ['adjustment_type', 'NEXT_BUSINESS_DAY', 'On a closed day: Next business day'],
  ['pay_group', 80_013, 'Pay group id: 80013'],
  ['derived', false, 'Taken from invoices: no'],
  [
    'first_work_period',
    { end_date: '2026-11-08', start_date: '2026-11-02', report_date: '2026-11-10', payment_date: '2026-11-12' },
    'First work period: 2 Nov 2026 to 8 Nov 2026, report date 10 Nov 2026, payment date 12 Nov 2026',
  ],
  ['second_work_period', null, 'Second work period: none'],
])('a change of a pay group, %s to %j, reads %s', (field, value, words) => {
  expect(`${employers.words.field(field)}: ${employers.words.value(field, value)}`).toBe(words)
})

test('a frequency is shown by its label everywhere', () => {
  for (const [code, label] of Object.entries(frequencyLabels))
    expect(employers.words.value('payroll_frequency', code)).toBe(label)
})

test('a creation lists no unchanged fields, and an empty list reads as none', () => {
  const changes = [
    { field: 'email', before: undefined, after: 'ann@example.com' },
    { field: 'groups', before: '', after: '' },
    { field: 'permissions', before: null, after: [] },
    { field: 'status', before: 'ACTIVE', after: 'ACTIVE' },
    { field: 'organizations', before: '', after: 'Laurel Foods' },
    { field: 'employers', before: 'Laurel Bakery 1', after: '' },
    { field: 'pay_codes', before: ['REG'], after: [] },
  ]
  expect(changesOf({ changes }, accountManagers.words)).toEqual([
    'E-mail: none → ann@example.com',
    'Organizations: none → Laurel Foods',
    'Employers: Laurel Bakery 1 → none',
    'Pay codes: REG → none',
  ])
})

test.each([
  ['kind', 'EMPLOYEE', 'Kind: Eligible employee'],
  ['file_mapping', 93_001, 'File mapping id: 93001'],
  ['vendor', 'PAYHARBOR', 'Vendor: Payharbor'],
  ['header_line', 3, 'Header line: 3'],
  [
    'columns',
    [
      { header: 'EmpNo', field: 'employee_code', static: false, static_value: null, day_adjustment: 0, read_as: null },
      { header: 'Hired', field: 'hire_date', static: false, static_value: null, day_adjustment: 0, read_as: 'day-first' },
      { header: 'Shoe', field: null, static: false, static_value: null, day_adjustment: 0, read_as: null },
    ],
    'Columns: EmpNo is Employee code, Hired is Hire date, read as day-first, Shoe',
  ],
  ['statuses', [{ value: 'LOA', means: 'INELIGIBLE' }], 'Statuses: LOA means ineligible'],
])('a change of a file mapping, %s, is shown in words', (field, value, words) => {
  expect(`${employers.words.field(field)}: ${employers.words.value(field, value)}`).toBe(words)
})

test.each([
  ['invoice', invoices, 'payment_method', 'AUTO_ACH', 'Payment method: ACH auto'],
  ['invoice', invoices, 'period_end', '2026-06-14', 'Period end: 14 Jun 2026'],
  ['write-off', writeOffs, 'reason', 'EMPLOYEE_TERMINATED', 'Reason: Employee terminated'],
  ['bank result', bankResults, 'problem', 'REPEATED', 'Problem: Same code and amount as an earlier return'],
  [
    'repayment',
    repayments,
    'allocations',
    [
      { number: 'INV-40001', amount: 10_000 },
      { number: 'INV-40002', amount: -250 },
    ],
    'Allocations: INV-40001: $100.00, INV-40002: −$2.50',
  ],
  ['repayment', repayments, 'ach_state', 'PENDING', 'ACH state: Pending'],
  ['organization', organizations, 'brand', 'DAYLINE', 'Brand: Dayline'],
  ['organization', organizations, 'lms_configured', true, 'LMS configured: yes'],
] as const)('a change of a %s is shown in words: %#', (_, { words }, field, value, text) => {
  expect(`${words.field(field)}: ${words.value(field, value)}`).toBe(text)
})

test('no value of any history is shown as [object Object], at any depth', () => {
  const nested = {
    level: 'x',
    parts: [
      { name: 'a', open: true },
      { name: 'b', open: false },
    ],
    none: null,
  }
  for (const { words } of [employees, employers, users, accountManagers])
    for (const value of [nested, [nested, 'c'], [[1, 2], 3]])
      expect(words.value('unheard_of', value)).not.toMatch(/\[object|[{}]/)
  expect(employers.words.value('unheard_of', nested)).toBe('level x, parts name a, open yes, name b, open no, none none')
})
