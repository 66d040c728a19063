import type { Organization } from '#contract/organizations.ts'
import { employer } from '#entities/employer.ts'
import { organization } from '#entities/organization.ts'
import employers from '#portal/nouns/employers/list.tsx'
import { narrowed, tabList } from '#portal/record/tab-list.tsx'

/** The tab Employers of an organization (SCR-023). */
export const OrganizationEmployers = tabList<Organization>({
  of: organization,
  tab: 'employers',
  rows: employer,
  list: (one) =>
    narrowed(
      employers,
      { 'organization-id': organization.id(one) },
      { shown: ['name', 'status', 'code', 'onboarded', 'lms'], none: 'This organization has no employer.' },
    ),
})
