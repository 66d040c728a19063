import { sql } from 'kysely'
import { ImportedPerson, listImportedPeople } from '#contract/imports.ts'
import type { Actor, Reader } from '#server/access/actor.ts'
import { openTo } from '#server/access/scope.ts'
import { defineList } from '#server/paging/define-list.ts'
import { searched } from '#server/tables/company-words.ts'
import { choice } from '#server/tables/conditions.ts'
import { hasPermission } from '#server/tables/employees.ts'
import { answerOf } from '#server/tables/answer-of.ts'

type PersonRow = ImportedPerson

/** Columns visible only to people who may see wages. */
const wages: readonly string[] = ['rate_amount', 'pay_type']

const peopleOf = (importId: number) => sql`(
  select x.id, x.employer_id, x.employee_code, x.first_name || ' ' || x.last_name as name, x.last_name || ' ' || x.first_name as sorted,
    p.effect, p.undo, p.before ->> 'status' as status_before, p.after ->> 'status' as status_after,
    array(select jsonb_object_keys(p.before)) as fields
  from import_people p join employees x on x.id = p.employee_id where p.import_id = ${importId})`

/** People whom an import created, changed or ended; the caller checks access to the import. */
export const importedPeopleOf = (importId: number) =>
  defineList({
    endpoint: listImportedPeople,
    from: sql`${peopleOf(importId)} e`,
    open: (actor: Reader) => openTo(actor, sql.ref('e.employer_id')),
    filters: {
      ...choice('effect', sql.ref('e.effect')),
      ...choice('undo', sql.ref('e.undo')),
      q: searched(sql`fold(e.name || ' ' || coalesce(e.employee_code, ''))`),
    },
    sorts: {
      name: sql`fold(e.sorted) collate "C"`,
      employee_code: sql`coalesce(e.employee_code, '') collate "C"`,
    },
    columns: sql<PersonRow>`e.id, e.employee_code, e.name, e.effect, e.undo, e.status_before, e.status_after, e.fields`,
  })

/** One of these people as returned by the API; changes of wages are hidden without the permission for wages. */
export const toImportedPerson = (row: PersonRow, actor: Pick<Actor, 'held'>): ImportedPerson =>
  answerOf(ImportedPerson, {
    ...row,
    fields: row.fields.filter((name) => !wages.includes(name) || hasPermission(actor, 'read:wages')).sort(),
  })
