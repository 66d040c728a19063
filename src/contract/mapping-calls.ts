import type { CallHead } from '#contract/define.ts'
import { any, byIntent } from '#domain/permissions.ts'

/** Who may see file mappings (docs/rules/access.md). */
export const mappingsNeed = any('read:employers', 'read:organizations')

/** Calls about file mappings without their schemas, for the commands that open their pages. */
export const mappingCalls = {
  list: { method: 'GET', path: '/mappings/employees', needs: mappingsNeed, extension: false },
  read: { method: 'GET', path: '/mappings/{id}', needs: mappingsNeed, extension: true },
  make: { method: 'POST', path: '/mappings/employees', needs: byIntent, extension: false },
} as const satisfies Readonly<Record<string, CallHead>>
