import { z } from 'zod'
import { settleAddress } from '#portal/list/filters.ts'
import type { MarkedRows } from '#portal/list/list.ts'
import { mainListAtom } from '#portal/list/lists.ts'
import { blockKeys } from '#portal/keyboard/hold.ts'
import { type KeyPress, waitingKeys } from '#portal/hotkeys/key-queue.ts'
import { paletteAtom, type PaletteState } from '#portal/commands/palette-state.ts'
import { progressAtom } from '#portal/commands/progress.ts'
import { meAtom } from '#portal/api/session.ts'
import { writeStorage, readStorage } from '#portal/platform/storage.ts'
import { store } from '#portal/platform/store.ts'

const name = 'admin-portal.reload'
/** Minimum interval between two automatic reloads, in milliseconds. */
const minInterval = 60_000

/** The state of the page that is kept over a reload. */
export interface ReloadState {
  at: number
  /** Restored only for the same person. */
  person: string | null
  palette: PaletteState
  list: { entity: string; place: number; id: string | null } | null
  marked: MarkedRows | null
  /** Keys that were queued. */
  keys: readonly KeyPress[]
  /** Set when the user may be about to reload the page: only a reload of this address restores it. */
  address?: string
}

/** After it was restored, only the time is kept. */
type StoredState = ReloadState | Pick<ReloadState, 'at'>

/** The place of the cursor in the list. */
export const placeNow = (): ReloadState['list'] => {
  const list = store.get(mainListAtom)
  return list && { entity: list.rows, ...store.get(list.cursorAtom) }
}

const read = (): StoredState | null => readStorage(name, z.custom<StoredState>(), 'sessionStorage')
const write = (stored: StoredState): boolean => writeStorage(name, stored, 'sessionStorage')

/** Saves the place on `pagehide`, in case the user is reloading the page. */
export function keepPlace(palette: PaletteState): void {
  const list = placeNow()
  const person = store.get(meAtom)?.person.id ?? null
  if (list && list.place > 0)
    write({ at: read()?.at ?? 0, person, palette, list, marked: null, keys: [], address: location.href })
}

/**
 * Reloads the page and keeps its state: the address, the palette with its text, the marks, the place in the list, and the queued
 * keys; forms keep their drafts themselves. False where it happened a moment ago, cannot be stored, or would interrupt a run.
 */
export function reloadKeeping(): boolean {
  const at = Date.now()
  if (at - (read()?.at ?? 0) < minInterval || store.get(progressAtom)?.here) return false
  settleAddress()
  const list = store.get(mainListAtom)
  const now: ReloadState = {
    at,
    person: store.get(meAtom)?.person.id ?? null,
    palette: store.get(paletteAtom),
    list: placeNow(),
    marked: list && store.get(list.markedAtom),
    keys: waitingKeys(),
  }
  if (!write(now)) return false
  // Keys pressed until the reload are queued for the next page.
  blockKeys()
  addEventListener('pagehide', () => write({ ...now, keys: waitingKeys() }), { once: true })
  location.reload()
  return true
}

/** The state stored by `reloadKeeping` for this person; returned once. */
export function takeKept(): ReloadState | null {
  const stored = read()
  if (!stored || !('person' in stored) || !stored.person || stored.person !== store.get(meAtom)?.person.id) return null
  write({ at: stored.at })
  return stored
}
