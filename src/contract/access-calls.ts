import type { CallHead } from '#contract/define.ts'
import { all, any } from '#domain/permissions.ts'

/** The calls that say why somebody cannot, without their schemas, for the commands that lead to the page. */
export const accessCalls = {
  accountManager: {
    method: 'GET',
    path: '/account-managers/{id}/access',
    needs: any('read:employers', 'read:organizations'),
    extension: true,
  },
  admin: { method: 'GET', path: '/admins/{id}/access', needs: all('read:admins'), extension: true },
} as const satisfies Readonly<Record<string, CallHead>>
