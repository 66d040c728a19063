import { rightsFields } from '#contract/staff.ts'

/** The steps Groups and Permissions of the wizard that creates and edits admins (SCR-016, SCR-017). */
export const adminRights = rightsFields('ADMIN', { groups: 'Groups', permissions: 'Permissions' })
