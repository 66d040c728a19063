import { type RawBuilder, sql } from 'kysely'
import { countEmployees } from '#contract/employees.ts'
import type { Actor } from '#server/access/actor.ts'
import { openTo } from '#server/access/scope.ts'
import type { FoundTarget, Runnable } from '#server/jobs/runnable.ts'
import type { Tx } from '#server/tables/database.ts'
import { type EmployeeFilter, filterOf, refuseMasked } from '#server/tables/employee-list.ts'
import { type EmployeeRow, readEmployees } from '#server/tables/employees.ts'

/** Employees, or the users that they are linked to: then the rules still read the employee. */
export const employeesAs = (about: 'employee' | 'user'): Runnable => {
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

export const runnable = employeesAs('employee')
