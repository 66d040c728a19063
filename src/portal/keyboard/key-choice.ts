import { permissionIds } from '#domain/permissions.ts'
import { availability } from '#kernel/availability.ts'
import { dryRun } from '#kernel/dry-run.ts'
import type { Command, KeyScope } from '#kernel/command.ts'
import { isPlain } from '#kernel/keys.ts'
import type { CommandContext } from '#kernel/command-context.ts'

/** One key of one command. */
export interface BoundKey {
  command: Command
  chord: string
}

/** Keys that belong to text while a field has the focus: undo, cut, copy, paste, select all. */
const nativeInText = new Set(['Mod+Z', 'Mod+Shift+Z', 'Mod+X', 'Mod+C', 'Mod+V', 'Mod+A', 'Mod+Y'])

/**
 * The keys that work now: those of the active scopes; row keys only for commands on `noun`, the noun of the row, and tab keys
 * only if the tab's list is rendered.
 */
export function keysNow(
  commands: readonly Command[],
  scopes: readonly KeyScope[],
  noun: string | undefined,
  now: { letters: boolean; text: boolean; tab?: string | null },
): BoundKey[] {
  const found: BoundKey[] = []
  for (const scope of scopes) {
    for (const command of commands) {
      for (const key of command.keys ?? []) {
        if (key.scope !== scope) continue
        if (key.tab !== undefined ? key.tab !== now.tab : scope === 'row' && command.on?.name !== noun) continue
        if (isPlain(key.chord) && (!now.letters || now.text)) continue
        if (now.text && nativeInText.has(key.chord)) continue
        found.push({ command, chord: key.chord })
      }
    }
  }
  return found
}

const everyRight = new Set<number>(permissionIds)
const order = ['ready', 'ask', 'off', 'locked'] as const

/**
 * Of several commands on one key, the one that is available: pause or resume. If none is, the one with the better reason, and
 * among locked ones the one that would be available with all permissions.
 */
export function choose(commands: readonly Command[], context: CommandContext): Command | undefined {
  if (commands.length < 2) return commands[0]
  const rows = [...(context.selection?.rows.values() ?? [])]
  const rank = (command: Command): number => {
    if (rows.length > 1) return -dryRun(command, rows, context).eligible.length
    const at = (held: CommandContext['held']) => order.indexOf(availability(command, { ...context, held }, rows[0]).state)
    return order.length * at(context.held) + at(everyRight)
  }
  return [...commands].sort((a, b) => rank(a) - rank(b))[0]
}
