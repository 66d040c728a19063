import { z } from 'zod'
import { isPlain } from '#kernel/keys.ts'
import { meAtom } from '#portal/api/session.ts'
import { lettersAtom } from '#portal/keyboard/letters.ts'
import { commandById } from '#portal/platform/registry.ts'
import { readStorage, writeStorage } from '#portal/platform/storage.ts'
import { store } from '#portal/platform/store.ts'

const shape = z.array(z.string())
const nameOf = (person: string) => `admin-portal.key-hints.${person}`

/** The commands whose last start was not by their shortcut. */
const withoutKey = new Set<string>()

/** Remembers how a command was started: by its shortcut, or by the palette or the mouse. */
export function noteStart(id: string, byKey: boolean): void {
  if (byKey) withoutKey.delete(id)
  else withoutKey.add(id)
}

/** The shortcut to show in the toast of a command that was started without it: once for each command and person, else null. */
export function takeKeyHint(id: string): string | null {
  const person = store.get(meAtom)?.person.id
  const key = commandById(id)?.keys?.find(({ tab }) => tab === undefined)
  if (!withoutKey.delete(id) || !person || !key || (isPlain(key.chord) && !store.get(lettersAtom))) return null
  const shown = readStorage(nameOf(person), shape) ?? []
  // Where nothing is stored it would be shown every time.
  if (shown.includes(id) || !writeStorage(nameOf(person), [...shown, id])) return null
  return key.chord
}
