import { sql } from 'kysely'
import type { AnyIntent } from '#contract/define.ts'
import { canUnpause, countEmployees } from '#contract/employees.ts'
import { refuse, type Refusal } from '#domain/refusal.ts'
import { may, noPermission } from '#domain/permissions.ts'
import { openTo } from '#server/access.ts'
import { invalid, parse } from '#server/input.ts'
import { notFound } from '#server/refused.ts'
import type { Actor, Tx } from '#server/route.ts'
import { type EmployeeFilter, filterOf, refuseMasked } from '#server/tables/employee-list.ts'
import { type EmployeeRow, readEmployees, whyNotResume } from '#server/tables/employees.ts'
import type { RunTarget } from '#server/tables/runs.ts'

/** At most this many rows a run; the contract says the same of ids. */
const most = 10_000
const filterQuery = countEmployees.query.strict()
/** What a list's address carries besides its filter. */
const notFilter = ['sort', 'sort-order', 'limit', 'direction', 'lek', 'include']

export type Targets = { ids: number[] } | { filter: Record<string, string> }

/** A row that a run is about, with what judges it; null where nothing is open to the person. */
export interface Chosen extends RunTarget {
  employee: EmployeeRow | null
}

/** Whether a run can be over targets of this intent: its path has the id alone, and the id is one that lists give. */
export const isRunnable = ({ endpoint }: AnyIntent): boolean =>
  /^\/(employees|users)\/\{id\}/.test(endpoint.path) && endpoint.path.match(/\{/g)?.length === 1

/** Finds the targets inside the person's access. By filter, an intent about users means the linked users. */
export async function chooseTargets(tx: Tx, actor: Actor, intent: AnyIntent, targets: Targets): Promise<Chosen[]> {
  const aboutUsers = intent.endpoint.path.startsWith('/users/')
  const idOf = (employee: EmployeeRow) => (aboutUsers ? (employee.user_id as number) : employee.id)
  const titled = (employee: EmployeeRow): Chosen => ({
    id: idOf(employee),
    title: `${employee.first_name} ${employee.last_name}`,
    employee,
  })
  if ('filter' in targets) {
    const given = Object.fromEntries(Object.entries(targets.filter).filter(([name]) => !notFilter.includes(name)))
    const filter = parse(filterQuery, given) as EmployeeFilter
    refuseMasked(actor, filter)
    const linked = aboutUsers ? sql`and e.user_id is not null` : sql``
    const rows = await read(tx, sql`${await filterOf(tx, actor, filter)} ${linked}`)
    if (rows.length > most)
      throw invalid([{ path: 'targets.filter', message: 'A run takes at most 10,000 rows. Narrow the filter.' }])
    return rows.map(titled)
  }
  const column = sql.ref(aboutUsers ? 'e.user_id' : 'e.id')
  const rows = await read(tx, sql`${column} = any(${targets.ids}::bigint[]) and ${openTo(actor, sql.ref('e.employer_id'))}`)
  const found = new Map(rows.map((employee) => [idOf(employee), titled(employee)]))
  return [...new Set(targets.ids)].map((id) => found.get(id) ?? { id, title: String(id), employee: null })
}

const read = (tx: Tx, condition: ReturnType<typeof sql>) =>
  readEmployees(tx, sql`select e.id, null as key from employees e where ${condition} order by e.id limit ${most + 1}`, [
    'employer',
    'user',
    'balance',
  ])

/** Why a row would not be done as things stand, or null; the same rules as when it is carried out. */
export function judge(
  actor: Actor,
  intent: AnyIntent,
  { employee }: Chosen,
): { state: 'blocked' | 'failed'; message: string } | null {
  if (!employee) return { state: 'failed', message: notFound().detail }
  if (may(actor.held, intent.needs as never, employee as never) !== 'yes') return { state: 'failed', message: noPermission }
  const refusal: Refusal | null = intent.refuses(employee as never) ?? checked(intent, employee)
  return refusal && { state: 'blocked', message: refusal.sentence }
}

function checked(intent: AnyIntent, employee: EmployeeRow): Refusal | null {
  if (intent.checkedBy?.endpoint !== canUnpause) return null
  const reasons = whyNotResume(employee)
  return reasons.length === 0 ? null : refuse('cannot-unpause', reasons.join(' '))
}
