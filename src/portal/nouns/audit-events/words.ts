import type { AuditEvent } from '#contract/audit-events.ts'
import { knownCommands } from '#portal/app/registry.ts'

type From = Pick<AuditEvent, 'command' | 'intent'>

const titleOf = (code: string | null): string | null => knownCommands().find(({ id }) => id === code)?.title ?? null

/** The title of the command that an event came from, else what the call meant, 'Invoice submit debit'; of one that is masked, that it is. */
export function commandWords({ command, intent }: From): string {
  const code = command ?? intent
  if (code === null) return 'Restricted'
  const words = code.replaceAll(/[.-]/g, ' ')
  return titleOf(code) ?? words.charAt(0).toUpperCase() + words.slice(1)
}

/** The code of what an event came from, where no command has it: a title says all that a person needs. */
export function commandCode({ command, intent }: From): string | null {
  const code = command ?? intent
  return titleOf(code) === null ? code : null
}
