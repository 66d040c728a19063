import type { CallHead } from '#contract/define.ts'
import { all, any } from '#domain/permissions.ts'

/** The calls about access without their schemas, for the commands that open the page. */
export const accessCalls = {
  accountManager: {
    method: 'GET',
    path: '/account-managers/{id}/access',
    needs: any('read:employers', 'read:organizations'),
    extension: true,
  },
  admin: { method: 'GET', path: '/admins/{id}/access', needs: all('read:admins'), extension: true },
} as const satisfies Readonly<Record<string, CallHead>>
