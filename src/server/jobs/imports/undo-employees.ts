import { sql } from 'kysely'
import { employeeEvents } from '#domain/employee-event.ts'
import { importText } from '#domain/import.ts'
import { auditInsert } from '#server/jobs/imports/apply-employees.ts'
import { changedByFile, snapshotOf } from '#server/jobs/imports/employee-columns.ts'
import type { Tx } from '#server/tables/database.ts'
import type { RowKey } from '#server/tables/rows.ts'

/**
 * Undoes a locked import for each of its people without later changes of the same columns: changed columns get their previous
 * values, and created people become ineligible, since records are never deleted. The others are skipped. Returns the numbers of
 * both.
 */
export async function undoEmployees(
  tx: Tx,
  { id: importId, organization_id }: RowKey,
  { actor, now }: { actor: { id: string; name: string }; now: Date },
): Promise<{ undone: number; skipped: number }> {
  await sql`select 1 from employees e join import_people p on p.employee_id = e.id
    where p.import_id = ${importId} and e.organization_id = ${organization_id}
    order by e.id for update of e`.execute(tx)
  const moved = sql`exists (select from jsonb_each(p.after) a where (to_jsonb(e) -> a.key) is distinct from a.value)
    or p.effect = 'CREATED' and e.user_id is not null`
  await sql`update import_people p set undo = case when ${moved} then 'SKIPPED' else 'UNDONE' end
    from employees e where p.import_id = ${importId} and e.id = p.employee_id and e.organization_id = ${organization_id}`.execute(
    tx,
  )
  const was = sql`jsonb_populate_record(e, case when p.effect = 'CREATED' then '{"status": "INELIGIBLE"}' else p.before end)`
  await sql`
    with before as materialized (select e.id, ${snapshotOf('e')} as told, ${was} as was from employees e
      join import_people p on p.employee_id = e.id
      where p.import_id = ${importId} and e.organization_id = ${organization_id} and p.undo = 'UNDONE'),
    saved as (
      update employees e set ${sql.join(changedByFile.map((name) => sql`${sql.ref(name)} = (before.was).${sql.ref(name)}`))},
        updated_at = ${now}, updated_by = null, version = e.version + 1
      from before where before.id = e.id and e.organization_id = ${organization_id} returning e.*)
    ${auditInsert}
      select ${actor.id}, ${actor.name}, 'import.undo', 'employee', saved.id::text, 'user', ${employeeEvents.changedByFile},
        ${`${importText(importId)} undone`}, before.told, ${snapshotOf('saved')}, saved.version, 'employer:' || saved.employer_id
      from saved join before using (id)`.execute(tx)
  const { rows } = await sql<{ undone: number; skipped: number }>`
    select (count(*) filter (where undo = 'UNDONE'))::int as undone, (count(*) filter (where undo = 'SKIPPED'))::int as skipped
    from import_people where import_id = ${importId}`.execute(tx)
  return rows[0] as (typeof rows)[number]
}
