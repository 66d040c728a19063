import { useAtomValue } from 'jotai'
import type { AuditEvent } from '#contract/audit-events.ts'
import { registeredAtom } from '#portal/platform/registry.ts'
import { store } from '#portal/platform/store.ts'
import { commandWords } from '#portal/nouns/audit-events/words.ts'

/** The command of an event in words, rendered again once commands have loaded, which have the titles. */
export function CommandWords({ one }: { one: Pick<AuditEvent, 'command' | 'intent'> }) {
  useAtomValue(registeredAtom, { store })
  return commandWords(one)
}
