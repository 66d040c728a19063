import { z } from 'zod'
import { settleAddress } from '#portal/state/filters.ts'
import { cursorAtom, listAtom, pages, publishActive, restart, rowsAtom } from '#portal/state/list.ts'
import { paletteAtom, type PaletteState } from '#portal/state/palette.ts'
import { type Marked, markedAtom } from '#portal/state/selection.ts'
import { meAtom } from '#portal/state/session.ts'
import { store } from '#portal/state/store.ts'

const name = 'admin-portal.reload'
/** The page is not loaded anew by itself more often than this, in milliseconds. */
const atMostEvery = 60_000
/** The row under the cursor is looked for in so many fetches of the list. */
const looks = 40

const object = <T>() => z.custom<T>((value) => typeof value === 'object' && value !== null)
const Kept = z.object({
  at: z.number(),
  /** Taken up by the same person only; null once it was. */
  person: z.string().nullable(),
  palette: object<PaletteState>().optional(),
  list: z.object({ entity: z.string(), place: z.number().int(), id: z.string().nullable() }).optional(),
  marked: object<Marked>().nullable().optional(),
})

function read(): z.infer<typeof Kept> | null {
  try {
    return Kept.safeParse(JSON.parse(sessionStorage.getItem(name) ?? 'null')).data ?? null
  } catch {
    return null
  }
}

/**
 * Loads the page anew and keeps what a person has in it: the address, the palette with what is typed, the marks, and the
 * place in the list; forms keep their drafts themselves. False where it was done a moment ago or cannot be kept.
 */
export function reloadKeeping(): boolean {
  const now = Date.now()
  if (now - (read()?.at ?? 0) < atMostEvery) return false
  settleAddress()
  const { place, id } = store.get(cursorAtom)
  const entity = store.get(listAtom)?.entity.name
  const kept: z.infer<typeof Kept> = {
    at: now,
    person: store.get(meAtom)?.person.id ?? null,
    palette: store.get(paletteAtom),
    ...(entity ? { list: { entity, place, id } } : {}),
    marked: store.get(markedAtom),
  }
  try {
    sessionStorage.setItem(name, JSON.stringify(kept))
  } catch {
    return false
  }
  location.reload()
  return true
}

/** Takes up what `reloadKeeping` kept, once, for the same person. */
export function takeUpKept(): void {
  const kept = read()
  const person = store.get(meAtom)?.person.id
  if (!kept?.person || kept.person !== person) return
  sessionStorage.setItem(name, JSON.stringify({ at: kept.at, person: null }))
  if (kept.palette?.open) store.set(paletteAtom, kept.palette)
  const { list, marked } = kept
  if (!list) return
  let left = looks
  const events = ['pointerdown', 'keydown', 'wheel'] as const
  const stop = (event?: Event): void => {
    if (event?.type === 'keydown' && store.get(paletteAtom).open) return
    unsubscribe()
    for (const event of events) removeEventListener(event, stop, { capture: true })
  }
  const look = (): void => {
    if (store.get(listAtom)?.entity.name !== list.entity || pages.empty) return
    if (left === looks) {
      if (marked) store.set(markedAtom, marked)
      left -= 1
      if (list.place < 0) {
        restart('end')
        return
      }
    }
    const found = list.id === null ? null : pages.placeOf(list.id)
    const place = found ?? Math.max(pages.low, Math.min(list.place, pages.high - 1))
    left -= 1
    if (found !== null || pages.ended || left === 0) stop()
    store.set(cursorAtom, { place, id: pages.idAt(place) ?? null, cell: -1 })
    publishActive(true)
  }
  const unsubscribe = store.sub(rowsAtom, look)
  // Whoever goes on by hand is where they want to be.
  for (const event of events) addEventListener(event, stop, { capture: true })
}
