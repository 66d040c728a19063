import type { Me } from '#contract/session.ts'

/** Whether the user sees nothing because they are connected to no organization or employer. */
export const isUnconnected = (grants: Me['grants'] | undefined): boolean =>
  grants?.organizations.length === 0 && grants.employers.length === 0
