import { permissionIds } from '#domain/permissions.ts'
import type { CommandContext } from '#kernel/command-context.ts'

/** Somebody with every right and no open list, in which nothing is selected. */
export const contextLike = (more: Partial<CommandContext> = {}): CommandContext => ({
  signedIn: true,
  held: new Set(permissionIds),
  supports: () => true,
  selection: null,
  pane: null,
  open: null,
  online: true,
  ...more,
})
