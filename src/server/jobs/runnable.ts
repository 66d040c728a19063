import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import { countDeductions } from '#contract/deductions.ts'
import { countEmployees } from '#contract/employees.ts'
import { countInvoices } from '#contract/invoices.ts'
import { countWriteOffs } from '#contract/write-offs.ts'
import type { Need } from '#domain/permissions.ts'
import { openTo } from '#server/access/scope.ts'
import type { Actor } from '#server/access/actor.ts'
import type { Tx } from '#server/tables/database.ts'
import { deductionList } from '#server/tables/deduction-list.ts'
import type { Asking } from '#server/paging/define-list.ts'
import { type EmployeeFilter, filterOf, refuseMasked } from '#server/tables/employee-list.ts'
import { type EmployeeRow, readEmployees } from '#server/tables/employees.ts'
import { pageOfInvoices } from '#server/tables/invoice-list.ts'
import { numberOf } from '#server/tables/invoices.ts'
import { writeOffList } from '#server/tables/write-off-list.ts'

/** A row of a list, as a run takes it: its id, its name for people, and what the rules of its intents read. */
export interface FoundTarget {
  id: number
  title: string
  subject: unknown
}

/** A noun whose intents can be carried out over many rows. */
export interface Runnable {
  /** The permission of reading it: who lost it reads no run over it either. */
  needs: Need<never>
  /** The filter that its list takes. */
  filter: z.ZodObject
  /** At most so many rows that match, by id, inside the person's access. */
  matching: (tx: Tx, actor: Actor, filter: Record<string, unknown>, limit: number) => Promise<FoundTarget[]>
  byId: (tx: Tx, actor: Actor, ids: readonly number[]) => Promise<FoundTarget[]>
}

const inOrder = { sort: 'id', 'sort-order': 'asc', direction: 'after' } as const

/** A noun whose list is read page by page. */
const listed = (
  needs: Need<never>,
  filter: z.ZodObject,
  page: (asking: Asking, query: never, from: null) => Promise<{ rows: readonly { id: number }[] }>,
  title: (row: never) => string,
): Runnable => {
  const matching: Runnable['matching'] = async (tx, actor, given, limit) => {
    const { rows } = await page({ tx, actor }, { ...given, ...inOrder, limit } as never, null)
    return rows.map((row) => ({ id: row.id, title: title(row as never), subject: row }))
  }
  return {
    needs,
    filter: filter.strict(),
    matching,
    byId: (tx, actor, ids) => matching(tx, actor, { id: [...ids] }, ids.length),
  }
}

/** Employees, or the users that they are linked to: then the rules still read the employee. */
const employees = (about: 'employee' | 'user'): Runnable => {
  const column = sql.ref(about === 'user' ? 'e.user_id' : 'e.id')
  const read = async (tx: Tx, actor: Actor, condition: RawBuilder<unknown>, limit: number): Promise<FoundTarget[]> => {
    const chosen = sql`select e.id, null as key from employees e where ${condition} order by e.id limit ${limit}`
    const rows: EmployeeRow[] = await readEmployees(tx, actor, chosen, ['employer', 'user', 'balance'])
    return rows.map((row) => ({
      id: about === 'user' ? (row.user_id as number) : row.id,
      title: `${row.first_name} ${row.last_name}`,
      subject: row,
    }))
  }
  return {
    needs: countEmployees.needs,
    filter: countEmployees.query.strict(),
    matching: async (tx, actor, filter, limit) => {
      refuseMasked(actor, filter as EmployeeFilter)
      const linked = about === 'user' ? sql`and e.user_id is not null` : sql``
      return read(tx, actor, sql`${await filterOf(tx, actor, filter as EmployeeFilter)} ${linked}`, limit)
    },
    byId: (tx, actor, ids) =>
      read(tx, actor, sql`${column} = any(${[...ids]}::bigint[]) and ${openTo(actor, sql.ref('e.employer_id'))}`, ids.length),
  }
}

const nouns: readonly [prefix: string, noun: Runnable][] = [
  ['/employees/{', employees('employee')],
  ['/users/{', employees('user')],
  [
    '/invoices/{',
    listed(
      countInvoices.needs,
      countInvoices.query,
      ({ tx, actor }, query, from) => pageOfInvoices(tx, actor, query, from),
      ({ id }: { id: number }) => numberOf(id),
    ),
  ],
  [
    '/deductions/{',
    listed(countDeductions.needs, countDeductions.query, deductionList.page, (row: { invoice_id: number }) =>
      numberOf(row.invoice_id),
    ),
  ],
  [
    '/write-offs/{',
    listed(
      countWriteOffs.needs,
      countWriteOffs.query,
      writeOffList.page,
      (row: { employee_name: string; invoice_id: number }) => `${row.employee_name}, ${numberOf(row.invoice_id)}`,
    ),
  ],
]

/** The noun that an endpoint's id belongs to; null where runs know none. */
export const nounOf = (path: string): Runnable | null => nouns.find(([prefix]) => path.startsWith(prefix))?.[1] ?? null
