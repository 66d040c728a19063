import { type RawBuilder, sql } from 'kysely'
import { listTimekeeping } from '#contract/timekeeping.ts'
import { openTo } from '#server/access/scope.ts'
import { defineList, every } from '#server/paging/define-list.ts'
import { choice, byDay, idIn, organizationIn, words } from '#server/tables/conditions.ts'
import { readTimeEntries } from '#server/tables/time-entries.ts'

/** Time entries of all employees, of one employee, or of one employer. */
export const timeEntryList = defineList({
  endpoint: listTimekeeping,
  from: sql`time_entries e`,
  ofOrganization: true,
  open: (actor) => openTo(actor, sql.ref('e.employer_id')),
  filters: {
    ...choice('status', sql.ref('e.status')),
    id: idIn(sql.ref('e.id')),
    'employee-id': idIn(sql.ref('e.employee_id')),
    'employer-id': idIn(sql.ref('e.employer_id')),
    'organization-id': organizationIn(sql.ref('e.employer_id')),
    ...byDay('worked', sql.ref('e.work_date')),
    q: matching,
  },
  sorts: {
    work_date: sql.ref('e.work_date'),
    status: sql.ref('e.status'),
    minutes: sql.ref('e.minutes'),
    id: null,
  },
  partitionedBy: { name: 'work_date', type: 'date' },
  read: ({ tx }, chosen, order) => readTimeEntries(tx, chosen, order),
})

/** Whether every word is in the employee's name. */
function matching(text: string): RawBuilder<unknown> {
  const named = words(sql.ref('employee.name_key'), text)
  if (named.length === 0) return sql`true`
  return sql`exists (select from employees employee where employee.organization_id = e.organization_id and employee.id = e.employee_id
    and ${every(named)})`
}
