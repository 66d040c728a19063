import { settleAddress } from '#portal/list/filters.ts'
import type { Marked } from '#portal/list/list.ts'
import { mainListAtom } from '#portal/list/lists.ts'
import { hold } from '#portal/keyboard/hold.ts'
import { type Pressed, waitingKeys } from '#portal/keyboard/key-queue.ts'
import { paletteAtom, type PaletteState } from '#portal/palette/state.ts'
import { progressAtom } from '#portal/commands/progress.ts'
import { meAtom } from '#portal/session/session.ts'
import { store } from '#portal/app/store.ts'

const name = 'admin-portal.reload'
/** The page is not loaded anew by itself more often than this, in milliseconds. */
const atMostEvery = 60_000

/** What a person had in the page before it was loaded anew. */
export interface Kept {
  at: number
  /** Taken up by the same person only. */
  person: string | null
  palette: PaletteState
  list: { entity: string; place: number; id: string | null } | null
  marked: Marked | null
  /** Keys that were pressed and not answered yet. */
  keys: readonly Pressed[]
}

/** Of what was taken up, only when that was. */
type Stored = Kept | Pick<Kept, 'at'>

function read(): Stored | null {
  try {
    return JSON.parse(sessionStorage.getItem(name) ?? 'null') as Stored | null
  } catch {
    return null
  }
}

function write(kept: Stored): boolean {
  try {
    sessionStorage.setItem(name, JSON.stringify(kept))
    return true
  } catch {
    return false
  }
}

/**
 * Loads the page anew and keeps what a person has in it: the address, the palette with what is typed, the marks, the place
 * in the list, and the keys that wait; forms keep their drafts themselves. False where it was done a moment ago, cannot be
 * kept, or would break off a run.
 */
export function reloadKeeping(): boolean {
  const at = Date.now()
  if (at - (read()?.at ?? 0) < atMostEvery || store.get(progressAtom)?.here) return false
  settleAddress()
  const list = store.get(mainListAtom)
  const kept = {
    at,
    person: store.get(meAtom)?.person.id ?? null,
    palette: store.get(paletteAtom),
    list: list && { entity: list.rows, place: store.get(list.cursorAtom).place, id: store.get(list.cursorAtom).id },
    marked: list && store.get(list.markedAtom),
    keys: waitingKeys(),
  }
  if (!write(kept)) return false
  // Whatever is pressed until the page goes is for the next one.
  hold()
  addEventListener('pagehide', () => write({ ...kept, keys: waitingKeys() }), { once: true })
  location.reload()
  return true
}

/** What `reloadKeeping` kept of this person, once. */
export function takeKept(): Kept | null {
  const kept = read()
  if (!kept || !('person' in kept) || !kept.person || kept.person !== store.get(meAtom)?.person.id) return null
  write({ at: kept.at })
  return kept
}
