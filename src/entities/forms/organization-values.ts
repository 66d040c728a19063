import type { Organization } from '#contract/organizations.ts'

/** What a person may change of an organization, as it is. */
export const organizationValues = ({ name, lookup_name, brand, source_code, csm, notes, status }: Organization) => ({
  name,
  lookup_name,
  brand,
  source_code,
  csm_id: csm?.id,
  notes: notes ?? undefined,
  status,
})
