import { globSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Actor } from '#server/access/actor.ts'
import type { Tx } from '#server/tables/database.ts'
import { resolveFlags } from '#server/tables/debtor-flags.ts'
import { cancelDebit, moveDebit } from '#server/tables/debits.ts'
import { type EmployeeRow, oneEmployee, saveEmployee } from '#server/tables/employees.ts'
import { type InvoiceRow, oneInvoice, saveInvoice, withTotals } from '#server/tables/invoices.ts'
import { createCompany } from '#tests/support/company.ts'
import { keyedTables } from '#tests/support/keyed-rows.ts'
import { createInvoice } from '#tests/support/money.ts'
import { createPerson } from '#tests/support/people.ts'
import { planOf } from '#tests/support/plans.ts'
import { createServer, type TestServer } from '#tests/support/server.ts'

let server: TestServer
let actor: Actor
let invoice: InvoiceRow
let employee: EmployeeRow

beforeAll(async () => {
  server = await createServer()
  const tx = server.db as never as Tx
  const { employerIds } = await createCompany(server.db, 'Harbor')
  const made = await createInvoice(server.db, { employerId: employerIds[0] as number, status: 'SCHEDULED' })
  actor = { kind: 'ADMIN', id: (await createPerson(server.db, { groups: [1] })).id, held: new Set<number>() } as never as Actor
  invoice = (await oneInvoice(tx, null, made.id)) as InvoiceRow
  employee = (await oneEmployee(tx, actor, made.employeeIds[0] as number)) as EmployeeRow
})
afterAll(() => server.close())

/** What the statements of some work read and change: the partitions by their names. */
async function partitionsOf(work: (tx: Tx) => Promise<unknown>): Promise<string[]> {
  const { plan } = await planOf(server, work)
  return [...new Set([...plan.matchAll(/"Relation Name":"(\w+_\d)"/g)].map(([, name]) => name as string))]
}

test.each([
  ['a change of an employee', 'employees', (tx: Tx) => saveEmployee(tx, actor, employee, {}, new Date())],
  ['a change of an invoice', 'invoices', (tx: Tx) => saveInvoice(tx, invoice, {}, new Date())],
  ['the totals of an invoice', 'invoices', (tx: Tx) => withTotals(tx, [invoice])],
  ['the debit of an invoice', 'ach_debits', (tx: Tx) => moveDebit(tx, invoice, '2030-01-01')],
  ['the end of a debit', 'ach_debits', (tx: Tx) => cancelDebit(tx, invoice)],
  ['the flags of an invoice', 'debtor_flags', (tx: Tx) => resolveFlags(tx, 'invoice', invoice, new Date())],
  ['the flags of a debtor', 'debtor_flags', (tx: Tx) => resolveFlags(tx, 'debtor', invoice, new Date())],
] as const)('%s: one partition of %s', async (_, table, work) => {
  expect(await partitionsOf(work)).toEqual([expect.stringMatching(new RegExp(`^${table}_\\d$`))])
})

test('an id alone is looked up in all partitions', async () => {
  const found = await partitionsOf((tx) => oneInvoice(tx, null, invoice.id))
  expect(found.filter((name) => /^invoices_\d$/.test(name)).length).toBe(8)
})

/**
 * Files with a function that locks or changes rows of these tables without the organization, so in all of their partitions. The
 * list only gets shorter.
 */
const byIdAlone = [
  ...['apply-employees', 'apply-time', 'undo-employees'].map((name) => `jobs/imports/${name}.ts`),
  ...['demo-days', 'work-periods'].map((name) => `money/billing/${name}.ts`),
  ...['allocations', 'debits', 'deductions', 'employees', 'invoices', 'linked-accounts', 'pay-groups', 'repayments'].map(
    (name) => `tables/${name}.ts`,
  ),
  ...['time-entries', 'work-periods', 'write-offs'].map((name) => `tables/${name}.ts`),
]

test('no other file locks or changes rows of the big tables by their ids alone', () => {
  const tables = keyedTables.join('|')
  const changes = new RegExp(
    `\\b(update|delete from) (${tables})\\b(?! of)|(updateTable|deleteFrom)\\('(${tables})'|saveRow\\(tx, '(${tables})'`,
  )
  const reads = new RegExp(`\\b(from|join) (${tables})\\b`)
  const isAbout = (text: string) => changes.test(text) || (/for (no key )?update|for share/.test(text) && reads.test(text))
  const found = globSync('src/server/**/*.ts')
    .filter((path) => !path.includes('/seed/'))
    .filter((path) =>
      readFileSync(path, 'utf8')
        .split(/\n(?=(?:export |async |const |function |\/\*\*))/)
        .some((text) => isAbout(text) && !text.includes('organization_id')),
    )
  expect(found.map((path) => path.slice('src/server/'.length)).sort()).toEqual(byIdAlone)
})
