import { atom } from 'jotai/vanilla'
import { store } from '#portal/platform/store.ts'

/** A command of which nobody knows whether it went through. */
export interface Unconfirmed {
  key: string
  command: string
  title: string
  target: { entity: string; id: string } | null
  /** What it touches, as 'invoice 40101'. */
  touches: readonly string[]
}

/** Whether it is what a command does to the thing of an id, or to none. */
export const isFromCommand = (one: Unconfirmed, command: { id: string }, id: string | null = null): boolean =>
  one.command === command.id && (one.target?.id ?? null) === id

/** Whether it is what a command would do to one of these things, or touches one of them. */
export const concerns = (
  one: Unconfirmed,
  command: { id: string; on?: { name: string } | undefined },
  ids: readonly string[],
): boolean =>
  (ids.length ? ids : [null]).some((id) => isFromCommand(one, command, id)) ||
  ids.some((id) => one.touches.includes(`${command.on?.name} ${id}`))

/** Named in the status bar until the answer is there. */
export const unconfirmedAtom = atom<readonly Unconfirmed[]>([])

/** No answer came: it is asked again and again. */
export const markUnconfirmed = (one: Unconfirmed): void =>
  store.set(unconfirmedAtom, (now) => [...now.filter((each) => each.key !== one.key), one])

/** The answer is there, or asking stopped. */
export const markConfirmed = (key: string): void =>
  store.set(unconfirmedAtom, (now) => (now.some((each) => each.key === key) ? now.filter((each) => each.key !== key) : now))
