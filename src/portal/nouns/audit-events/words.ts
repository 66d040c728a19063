import { capitalize } from '#domain/text.ts'
import type { AuditEvent } from '#contract/audit-events.ts'
import { knownCommands } from '#portal/platform/registry.ts'

type From = Pick<AuditEvent, 'command' | 'intent'>

/** What has no command, and is not its noun and its verb. */
const own: Readonly<Record<string, string>> = {
  'user.address': 'Change address of user',
  'user.kyc': 'Check identity of user',
  'employee-details.balance-error': 'Report balance error',
}

const titleOf = (code: string | null): string | null => knownCommands().find(({ id }) => id === code)?.title ?? null

/**
 * The title of the command that an event came from, else what the call meant, a verb with its noun: 'Settle repayment', 'Submit debit
 * of invoice', 'Sign in'; of one that is masked, that it is.
 */
export function commandWords({ command, intent }: From): string {
  const code = command ?? intent
  if (code === null) return 'Restricted'
  const [noun, verb] = code.replaceAll('-', ' ').replace('kyc', 'identity check').split('.')
  // A person signs in by themselves; of what else takes two words, the thing follows.
  const of = noun === 'person' ? '' : verb?.includes(' ') ? ` of ${noun}` : ` ${noun}`
  const words = verb ? `${verb}${of}` : code
  return titleOf(code) ?? own[code] ?? capitalize(words)
}

/** The code of what an event came from, where no command has it: a title says all that a person needs. */
export function commandCode({ command, intent }: From): string | null {
  const code = command ?? intent
  return titleOf(code) === null ? code : null
}
