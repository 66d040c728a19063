import type { Organization } from '#contract/organizations.ts'

/** Current values of the editable fields of an organization. */
export const organizationValues = ({ name, lookup_name, brand, source_code, csm, notes, status }: Organization) => ({
  name,
  lookup_name,
  brand,
  source_code,
  csm_id: csm?.id,
  notes: notes ?? undefined,
  status,
})
