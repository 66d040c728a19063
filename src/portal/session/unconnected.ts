import type { Me } from '#contract/session.ts'

/** Whether somebody sees nothing because no organization and no employer is connected to them. */
export const isUnconnected = (grants: Me['grants'] | undefined): boolean =>
  grants?.organizations.length === 0 && grants.employers.length === 0
