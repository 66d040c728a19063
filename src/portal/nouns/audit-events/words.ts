import type { AuditEvent } from '#contract/audit-events.ts'
import { knownCommands } from '#portal/app/registry.ts'

/** The title of the command that an event came from, else what the call meant, 'Invoice submit debit'; of one that is masked, that it is. */
export function commandWords({ command, intent }: Pick<AuditEvent, 'command' | 'intent'>): string {
  const id = command ?? intent
  if (id === null) return 'Restricted'
  const words = id.replaceAll(/[.-]/g, ' ')
  return knownCommands().find((each) => each.id === id)?.title ?? words.charAt(0).toUpperCase() + words.slice(1)
}
