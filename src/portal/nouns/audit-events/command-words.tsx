import { useAtomValue } from 'jotai'
import type { AuditEvent } from '#contract/audit-events.ts'
import { registeredAtom } from '#portal/platform/registry.ts'
import { store } from '#portal/platform/store.ts'
import { commandWords } from '#portal/nouns/audit-events/words.ts'

/** The command of an event in words, drawn again once commands that were on their way are there: they bring their titles. */
export function CommandWords({ one }: { one: Pick<AuditEvent, 'command' | 'intent'> }) {
  useAtomValue(registeredAtom, { store })
  return commandWords(one)
}
