import type { AuditEvent } from '#contract/audit-events.ts'
import { knownCommands } from '#portal/app/registry.ts'

/** The title of the command that an event came from, else what the call meant; of one that is masked, that it is. */
export function commandWords({ command, intent }: Pick<AuditEvent, 'command' | 'intent'>): string {
  const id = command ?? intent
  if (id === null) return 'Restricted'
  return knownCommands().find((each) => each.id === id)?.title ?? id
}
