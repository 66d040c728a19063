import type { CallHead } from '#contract/define.ts'
import { any, byIntent } from '#domain/permissions.ts'

/** The calls about configurations without their schemas, for the command that opens the page. */
export const configurationCalls = {
  read: { method: 'GET', path: '/configurations', needs: any('read:employers', 'read:organizations'), extension: false },
  create: { method: 'POST', path: '/configurations', needs: byIntent, extension: false },
  change: { method: 'PUT', path: '/configurations/{id}', needs: byIntent, extension: false },
} as const satisfies Readonly<Record<string, CallHead>>
