import { sql } from 'kysely'
import { listEmployers } from '#contract/employers.ts'
import { hasLateFile } from '#server/tables/late-files.ts'
import { openTo } from '#server/access/scope.ts'
import { defineList, every } from '#server/paging/define-list.ts'
import { containsWords, searched } from '#server/tables/company-words.ts'
import { choice, byDay, empty, idIn, oneOfTexts, words, yesOrNo } from '#server/tables/conditions.ts'
import { employerColumns, employersJoined, lmsConfigured } from '#server/tables/employers.ts'

/** Employers, by name by default. */
export const employerList = defineList({
  endpoint: listEmployers,
  from: employersJoined,
  open: (actor) => openTo(actor, sql.ref('e.id')),
  filters: {
    ...choice('status', sql.ref('e.status')),
    ...choice('brand', sql.ref('e.brand')),
    ...yesOrNo('onboarded', sql.ref('e.onboarded')),
    ...yesOrNo('direct', sql.ref('e.direct_customer')),
    ...yesOrNo('lms', lmsConfigured),
    ...yesOrNo('late', hasLateFile),
    id: idIn(sql.ref('e.id')),
    'organization-id': idIn(sql.ref('e.organization_id')),
    'account-manager-id': (id) => openTo({ id, kind: 'ACCOUNT_MANAGER' }, sql.ref('e.id')),
    'external-code': containsWords(sql.ref('e.external_code')),
    'lookup-name': containsWords(sql.ref('e.lookup_name')),
    ...oneOfTexts('external-code', sql.ref('e.external_code')),
    ...oneOfTexts('lookup-name', sql.ref('e.lookup_name')),
    ...byDay('live', sql.ref('e.go_live_date')),
    ...empty('live', sql.ref('e.go_live_date')),
    name: (text) => every(words(sql.ref('e.name_key'), text)),
    q: searched(sql`(e.name_key || ' ' || fold(e.external_name) || ' ' || fold(e.external_code))`),
  },
  sorts: {
    id: null,
    name: sql.ref('e.name_key'),
    status: sql.ref('e.status'),
    external_code: sql`e.external_code collate "C"`,
    organization: sql.ref('organization.name_key'),
    created_at: sql.ref('e.created_at'),
    updated_at: sql.ref('e.updated_at'),
  },
  columns: employerColumns,
})
