import { z } from 'zod'
import type { OwnKeys } from '#kernel/own-keys.ts'
import { meAtom } from '#portal/api/session.ts'
import { register } from '#portal/platform/registry.ts'
import { readStorage, writeStorage } from '#portal/platform/storage.ts'
import { store } from '#portal/platform/store.ts'

const shape = z.record(z.string(), z.string().nullable())
const nameOf = (person: string) => `admin-portal.own-keys.${person}`

/** The shortcuts that the user changed, stored in this browser by person. */
export function ownKeys(): OwnKeys {
  const person = store.get(meAtom)?.person.id
  return person ? (readStorage(nameOf(person), shape) ?? {}) : {}
}

/** Stores the changed shortcuts; they work at once. Returns false if the browser stores nothing. */
export function setOwnKeys(own: OwnKeys): boolean {
  const person = store.get(meAtom)?.person.id
  if (!person) return false
  const isStored = writeStorage(nameOf(person), Object.keys(own).length ? own : null)
  register({ ownKeys: own })
  return isStored
}

/** Applies the shortcuts of the signed-in person, also those changed in another tab. Returns the function that stops it. */
export function watchOwnKeys(): () => void {
  let person: string | undefined
  const apply = () => register({ ownKeys: ownKeys() })
  const follow = () => {
    const now = store.get(meAtom)?.person.id
    if (now !== person) {
      person = now
      apply()
    }
  }
  const changed = ({ key }: StorageEvent) => key?.startsWith('admin-portal.own-keys.') && apply()
  follow()
  const stop = store.sub(meAtom, follow)
  addEventListener('storage', changed)
  return () => {
    stop()
    removeEventListener('storage', changed)
  }
}
