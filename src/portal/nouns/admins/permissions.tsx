import { type Admin, getAdminPermissions } from '#contract/admins.ts'
import { admin } from '#entities/admin.ts'
import { HeldTab } from '#portal/nouns/held.tsx'

/** The tab Permissions of an admin. */
export const AdminPermissions = ({ one }: { one: Admin }) => (
  <HeldTab id={admin.id(one)} version={one.version} endpoint={getAdminPermissions} />
)
