import { globSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Actor } from '#server/access/actor.ts'
import { openInvoicesOf } from '#server/tables/allocations.ts'
import type { Tx } from '#server/tables/database.ts'
import { resolveFlags } from '#server/tables/debtor-flags.ts'
import { cancelDebit, moveDebit } from '#server/tables/debits.ts'
import { deductionChanged, lockWithDeduction } from '#server/tables/deductions.ts'
import { type EmployeeRow, lockEmployee, oneEmployee, saveEmployee } from '#server/tables/employees.ts'
import { type InvoiceRow, lockInvoices, oneInvoice, saveInvoice, withTotals } from '#server/tables/invoices.ts'
import { allLinesOf } from '#server/tables/invoice-lines.ts'
import { pageOfEntries } from '#server/tables/ledger-list.ts'
import { lockRepayment, sameRepayment, saveRepayment } from '#server/tables/repayments.ts'
import type { RowKey } from '#server/tables/rows.ts'
import { oneTimeEntry, saveDecision, type TimeEntryRow } from '#server/tables/time-entries.ts'
import { hasPending } from '#server/tables/transactions.ts'
import { balancesOf, openPeriodOf } from '#server/tables/work-periods.ts'
import { lockWriteOff, writeOffsOf } from '#server/tables/write-offs.ts'
import { distributedTables } from '#server/tables/placement.ts'
import { createCompany } from '#tests/support/company.ts'
import { createInvoice, createWriteOff } from '#tests/support/money.ts'
import { createPerson } from '#tests/support/people.ts'
import { planOf } from '#tests/support/plans.ts'
import { createServer, type TestServer } from '#tests/support/server.ts'
import { createTimeEntry } from '#tests/support/time.ts'

let server: TestServer
let actor: Actor
let invoice: InvoiceRow
let employee: EmployeeRow
let entry: TimeEntryRow
let repayment: RowKey
let writeOff: RowKey
const nobody = { decided_by: null, decided_by_name: null, decided_at: null, decision_reason: null }
const decision = { status: 'PENDING', ...nobody } as const
const money = { amount: 1, repayment_date: '2030-01-01' }

beforeAll(async () => {
  server = await createServer()
  const tx = server.db as never as Tx
  const { employerIds } = await createCompany(server.db, 'Harbor')
  const employerId = employerIds[0] as number
  const made = await createInvoice(server.db, { employerId, status: 'SCHEDULED', original: 100_00, paid: 40_00 })
  actor = {
    kind: 'ADMIN',
    id: (await createPerson(server.db, { groups: [1] })).id,
    held: new Set<number>(),
    groupIds: [],
  } as never as Actor
  invoice = (await oneInvoice(tx, null, made.id)) as InvoiceRow
  employee = (await oneEmployee(tx, actor, made.employeeIds[0] as number)) as EmployeeRow
  const { organization_id } = invoice
  repayment = { id: made.repaymentId as number, organization_id }
  const lineId = made.lineIds[0] as number
  writeOff = { ...(await createWriteOff(server.db, { invoiceId: invoice.id, lineId, amount: 1 })), organization_id }
  const entryId = await createTimeEntry(server.db, { employeeId: employee.id, employerId, date: '2030-01-01' })
  entry = (await oneTimeEntry(tx, actor, entryId)) as TimeEntryRow
})
afterAll(() => server.close())

interface Node {
  'Relation Name'?: string
  'Actual Loops': number
  Plans?: Node[]
}

/** The number of partitions by organization that the statements of some work read or changed, by table. */
async function partitionsOf(work: (tx: Tx) => Promise<unknown>): Promise<Record<string, number>> {
  const { plan } = await planOf(server, work)
  const found = new Map<string, Set<string>>()
  const note = (node: Node): void => {
    const [, table, partition] = /^(\w+?)(?:_\d{4}_\d{2})?_(\d)$/.exec(node['Relation Name'] ?? '') ?? []
    if (table && partition && node['Actual Loops'] > 0) found.set(table, (found.get(table) ?? new Set()).add(partition))
    for (const part of node.Plans ?? []) note(part)
  }
  for (const one of JSON.parse(plan) as Node[]) note(one)
  return Object.fromEntries([...found].map(([table, partitions]) => [table, partitions.size]))
}

const ledgerPage = { limit: 10, direction: 'after' } as never

test.each([
  ['the lock of an employee', 'employees', (tx: Tx) => lockEmployee(tx, actor, employee)],
  ['a change of an employee', 'employees', (tx: Tx) => saveEmployee(tx, actor, employee, {}, new Date())],
  ['the balances of an employee', 'work_period_balances', (tx: Tx) => balancesOf(tx, employee, [1])],
  ['the open period of an employee', 'work_period_balances', (tx: Tx) => openPeriodOf(tx, employee, {} as never)],
  ['the advances of an employee', 'transactions', (tx: Tx) => hasPending(tx, employee)],
  ['a time entry', 'time_entries', (tx: Tx) => oneTimeEntry(tx, actor, entry)],
  ['a decision on a time entry', 'time_entries', (tx: Tx) => saveDecision(tx, entry, decision, new Date())],
  ['the lock of an invoice', 'invoices', (tx: Tx) => lockInvoices(tx, actor, invoice.organization_id, [invoice.id])],
  ['the lock of an invoice and its deduction', 'deductions', (tx: Tx) => lockWithDeduction(tx, actor, invoice)],
  ['a change of an invoice', 'invoices', (tx: Tx) => saveInvoice(tx, invoice, {}, new Date())],
  ['a change of a deduction', 'deductions', (tx: Tx) => deductionChanged(tx, invoice, new Date())],
  ['the totals of an invoice', 'invoices', (tx: Tx) => withTotals(tx, [invoice])],
  ['the lines of an invoice', 'invoice_lines', (tx: Tx) => allLinesOf(tx, invoice)],
  ['the ledger of an invoice', 'ledger_entries', (tx: Tx) => pageOfEntries(tx, actor, invoice, ledgerPage, null)],
  ['the write-offs of an invoice', 'write_offs', (tx: Tx) => writeOffsOf(tx, actor, invoice)],
  ['the lock of a write-off', 'write_offs', (tx: Tx) => lockWriteOff(tx, actor, writeOff)],
  ['the debit of an invoice', 'ach_debits', (tx: Tx) => moveDebit(tx, invoice, '2030-01-01')],
  ['the end of a debit', 'ach_debits', (tx: Tx) => cancelDebit(tx, invoice)],
  ['the flags of an invoice', 'debtor_flags', (tx: Tx) => resolveFlags(tx, 'invoice', invoice, new Date())],
  ['the flags of a debtor', 'debtor_flags', (tx: Tx) => resolveFlags(tx, 'debtor', invoice, new Date())],
  ['the open invoices of a debtor', 'invoices', (tx: Tx) => openInvoicesOf(tx, invoice, ['SCHEDULED'], 1)],
  ['the same repayment of a debtor', 'repayments', (tx: Tx) => sameRepayment(tx, { ...invoice, ...money })],
  ['the lock of a repayment', 'repayments', (tx: Tx) => lockRepayment(tx, actor, repayment)],
  ['a change of a repayment', 'repayments', (tx: Tx) => saveRepayment(tx, repayment, { notes: 'Checked' }, new Date())],
] as const)('%s: one partition of %s', async (_, table, work) => {
  const found = await partitionsOf(work)
  expect(found).toMatchObject({ [table]: 1 })
  expect(Object.values(found).filter((count) => count > 1)).toEqual([])
})

test('an id alone is looked up in all partitions', async () => {
  expect(await partitionsOf((tx) => oneInvoice(tx, null, invoice.id))).toMatchObject({ invoices: 8 })
})

const big = distributedTables.join('|')

/** The files of the server with their texts; the demo company is filled without organizations to be asked for. */
const files = () =>
  globSync('src/server/**/*.ts')
    .filter((path) => !path.includes('/seed/'))
    .map((path) => ({ path, text: readFileSync(path, 'utf8') }))

test('every lock and change of rows of the big tables names the organization', () => {
  const changes = new RegExp(`\\b(update|delete from) (${big})\\b(?! of)|(updateTable|deleteFrom)\\('(${big})'`)
  const reads = new RegExp(`\\b(from|join) (${big})\\b`)
  const isAbout = (text: string) => changes.test(text) || (/for (no key )?update|for share/.test(text) && reads.test(text))
  const found = files().filter(({ text }) =>
    text
      .split(/\n(?=(?:export |async |const |function |\/\*\*))/)
      .some((part) => isAbout(part) && !/organization_?id|isRow\(/i.test(part)),
  )
  expect(found.map(({ path }) => path)).toEqual([])
})

/** The columns by which tables without an organization, and lines of a file, are joined to a big table. */
const outside = /[ (.](?:user_id|[er]\.repayment_id|r\.trace_number|[npt]\.employee_id|n\.by|named\.debtor_id|\w+\.employer_id)\b/

test('big tables are joined to each other within the organization', () => {
  const joins = new RegExp(
    `\\bjoin (?:${big})\\b([^]*?)(?=\\b(?:join|where|left|cross|group|order|returning|union|limit)\\b|\`)`,
    'g',
  )
  const found = files().flatMap(({ path, text }) =>
    [...text.matchAll(joins)]
      .filter(([join, on = '']) => !join.includes('organization_id') && !outside.test(on))
      .map(([join]) => `${path}: ${join.trim()}`),
  )
  expect(found).toEqual([])
})
