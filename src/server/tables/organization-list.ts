import { sql } from 'kysely'
import { listOrganizations } from '#contract/organizations.ts'
import { organizationOpenTo, organizationWholeTo } from '#server/access/scope.ts'
import { defineList, every } from '#server/paging/define-list.ts'
import { containsWords, readChosen, searched } from '#server/tables/company-words.ts'
import { choice, idIn, words } from '#server/tables/conditions.ts'
import { organizationColumns, type OrganizationRow, organizationsCounted } from '#server/tables/organizations.ts'

/** Organizations, by name by default. */
export const organizationList = defineList({
  endpoint: listOrganizations,
  from: sql`organizations e`,
  open: (actor) => organizationOpenTo(actor, sql.ref('e.id')),
  filters: {
    ...choice('status', sql.ref('e.status')),
    ...choice('brand', sql.ref('e.brand')),
    id: idIn(sql.ref('e.id')),
    'lookup-name': containsWords(sql.ref('e.lookup_name')),
    'source-code': containsWords(sql.ref('e.source_code')),
    // A filter must not reveal what a row does not show.
    'csm-id': (ids, { actor }) => sql`e.csm_id = any(${ids}::bigint[]) and ${organizationWholeTo(actor, sql.ref('e.id'))}`,
    name: (text) => every(words(sql.ref('e.name_key'), text)),
    q: searched(sql`(e.name_key || ' ' || fold(e.source_code))`),
  },
  sorts: {
    id: null,
    name: sql.ref('e.name_key'),
    status: sql.ref('e.status'),
    brand: sql.ref('e.brand'),
    source_code: sql`e.source_code collate "C"`,
    created_at: sql.ref('e.created_at'),
    updated_at: sql.ref('e.updated_at'),
  },
  read: ({ tx, actor }, chosen, order) =>
    readChosen<OrganizationRow>(tx, { columns: organizationColumns(actor), from: organizationsCounted(actor) }, chosen, order),
})
