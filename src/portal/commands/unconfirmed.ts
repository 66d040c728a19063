import { atom } from 'jotai/vanilla'
import { store } from '#portal/platform/store.ts'

/** A command whose outcome is unknown. */
export interface UnconfirmedCommand {
  key: string
  command: string
  title: string
  target: { entity: string; id: string } | null
  /** The records it changes, such as 'invoice 40101'. */
  touches: readonly string[]
}

/** Whether it is this command on the record with this id, or without a record. */
export const isFromCommand = (one: UnconfirmedCommand, command: { id: string }, id: string | null = null): boolean =>
  one.command === command.id && (one.target?.id ?? null) === id

/** Whether it is this command on one of these records, or changes one of them. */
export const concerns = (
  one: UnconfirmedCommand,
  command: { id: string; on?: { name: string } | undefined },
  ids: readonly string[],
): boolean =>
  (ids.length ? ids : [null]).some((id) => isFromCommand(one, command, id)) ||
  ids.some((id) => one.touches.includes(`${command.on?.name} ${id}`))

/** Shown in the status bar until the answer arrives. */
export const unconfirmedAtom = atom<readonly UnconfirmedCommand[]>([])

/** No answer arrived: the call is being retried. */
export const markUnconfirmed = (one: UnconfirmedCommand): void =>
  store.set(unconfirmedAtom, (now) => [...now.filter((each) => each.key !== one.key), one])

/** The answer arrived, or retrying stopped. */
export const markConfirmed = (key: string): void =>
  store.set(unconfirmedAtom, (now) => (now.some((each) => each.key === key) ? now.filter((each) => each.key !== key) : now))
