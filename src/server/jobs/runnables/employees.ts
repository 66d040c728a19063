import { type RawBuilder, sql } from 'kysely'
import type { AnyIntent } from '#contract/define.ts'
import { unlink } from '#contract/employee-changes.ts'
import { countEmployees } from '#contract/employees.ts'
import { addTransaction } from '#contract/work-periods.ts'
import type { Actor } from '#server/access/actor.ts'
import { openTo } from '#server/access/scope.ts'
import type { FoundTarget, Runnable } from '#server/jobs/runnable.ts'
import type { Tx } from '#server/tables/database.ts'
import { type EmployeeFilter, filterOf, refuseMasked } from '#server/tables/employee-list.ts'
import { type EmployeeRow, readEmployees } from '#server/tables/employees.ts'
import { withPending } from '#server/tables/transactions.ts'
import { openPeriodsOf, withdrawTermsOf } from '#server/tables/work-periods.ts'

type Read = (tx: Tx, employees: readonly EmployeeRow[]) => Promise<(employee: EmployeeRow) => object>

/** The requests of the open work period, by the terms of each employer. */
const cycles: Read = async (tx, employees) => {
  const employers = new Map(employees.map((one) => [one.employer_id, one.employer?.organization_id ?? 0]))
  const terms = new Map<number, Awaited<ReturnType<typeof withdrawTermsOf>>>()
  for (const [id, organizationId] of employers) terms.set(id, await withdrawTermsOf(tx, id, organizationId))
  const periods = await openPeriodsOf(
    tx,
    employees.flatMap(({ id, organization_id, employer_id }) => {
      const of = terms.get(employer_id)
      return of ? [{ id, organization_id, terms: of }] : []
    }),
  )
  return ({ id }) => ({ cycle: periods.get(id)?.cycle ?? null })
}

/** Whether a transaction is pending, in any work period. */
const pending: Read = async (tx, employees) => {
  const ids = await withPending(tx, employees)
  return ({ id }) => ({ pending: ids.has(id) })
}

/** Further input of the rules of an intent besides the employee, as its route reads it for one. */
const extraReads: Readonly<Record<string, Read>> = { [addTransaction.id]: cycles, [unlink.id]: pending }

async function readForValidation(tx: Tx, { id }: AnyIntent, rows: readonly FoundTarget[]): Promise<FoundTarget[]> {
  const read = extraReads[id]
  if (!read) return [...rows]
  const employees = rows.map(({ subject }) => subject as EmployeeRow)
  const more = await read(tx, employees)
  return rows.map((row) => ({ ...row, subject: { ...(row.subject as EmployeeRow), ...more(row.subject as EmployeeRow) } }))
}

/** Employees, or their linked users: then the rules still read the employee. */
export const employeesAs = (about: 'employee' | 'user'): Runnable => {
  const column = sql.ref(about === 'user' ? 'e.user_id' : 'e.id')
  const read = async (tx: Tx, actor: Actor, condition: RawBuilder<unknown>, limit: number): Promise<FoundTarget[]> => {
    const chosen = sql`select e.id, e.organization_id, null as key from employees e where ${condition} order by e.id limit ${limit}`
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
    readForValidation,
  }
}

export const runnable = employeesAs('employee')
