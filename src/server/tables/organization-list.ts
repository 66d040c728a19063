import { sql } from 'kysely'
import { listOrganizations } from '#contract/organizations.ts'
import { organizationOpenTo, organizationWholeTo } from '#server/access/scope.ts'
import { defineList, every } from '#server/paging/define-list.ts'
import { containsWords, searched } from '#server/tables/company-words.ts'
import { choice, empty, idIn, oneOfTexts, words } from '#server/tables/conditions.ts'
import { organizationColumns, organizationsCounted } from '#server/tables/organizations.ts'

const { 'csm-empty': csmEmpty } = empty('csm', sql.ref('e.csm_id'))

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
    ...oneOfTexts('lookup-name', sql.ref('e.lookup_name')),
    ...oneOfTexts('source-code', sql.ref('e.source_code')),
    // A filter must not reveal what a row does not show.
    'csm-id': (ids, { actor }) => sql`e.csm_id = any(${ids}::bigint[]) and ${organizationWholeTo(actor, sql.ref('e.id'))}`,
    'csm-empty': (which, { actor }) => sql`${csmEmpty(which)} and ${organizationWholeTo(actor, sql.ref('e.id'))}`,
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
  columns: organizationColumns,
  reads: organizationsCounted,
})
