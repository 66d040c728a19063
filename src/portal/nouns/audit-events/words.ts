import { capitalize } from '#domain/text.ts'
import type { AuditEvent } from '#contract/audit-events.ts'
import { commands } from '#portal/platform/registry.ts'

type EventCause = Pick<AuditEvent, 'command' | 'intent'>

/** Intents without a command whose text is not derived from noun and verb. */
const own: Readonly<Record<string, string>> = {
  'user.address': 'Change address of user',
  'user.kyc': 'Check identity of user',
  'employee-details.balance-error': 'Report balance error',
}

const titleOf = (code: string | null): string | null => commands().find(({ id }) => id === code)?.title ?? null

/**
 * The title of the command that caused an event, else the intent of the call as a verb with its noun: 'Settle repayment', 'Submit
 * debit of invoice', 'Sign in'; 'Restricted' for a masked one.
 */
export function commandWords({ command, intent }: EventCause): string {
  const code = command ?? intent
  if (code === null) return 'Restricted'
  const [noun, verb] = code.replaceAll('-', ' ').replace('kyc', 'identity check').split('.')
  // 'person' is omitted; after a verb of two words the noun follows with 'of'.
  const of = noun === 'person' ? '' : verb?.includes(' ') ? ` of ${noun}` : ` ${noun}`
  const words = verb ? `${verb}${of}` : code
  return titleOf(code) ?? own[code] ?? capitalize(words)
}

/** The code of an event's command or intent if it has no title; null if the title says it all. */
export function commandCode({ command, intent }: EventCause): string | null {
  const code = command ?? intent
  return titleOf(code) === null ? code : null
}
