import { atom } from 'jotai/vanilla'
import type { Command } from '#kernel/command.ts'
import { historyAtom } from '#portal/commands/history.ts'
import { usesAtom } from '#portal/commands/uses.ts'
import { type AttentionLine, attentionAtom, placeCountsAtom } from '#portal/list/attention.ts'
import { favouriteNamesAtom, favouritesAtom } from '#portal/list/favourites.ts'
import type { Composing } from '#portal/palette/compose.ts'
import type { Group } from '#portal/palette/row.ts'
import { store } from '#portal/platform/store.ts'
import { openedIds, type Recent, recentAtom } from '#portal/records/recent.ts'

/** What is known about the person when the palette opens; later answers are shown the next time. */
export interface Opening {
  /** Row counts of the rail, by address. */
  counts: ReadonlyMap<string, number>
  /** The lines of the dashboard, if they are current. */
  lines: readonly AttentionLine[]
  /** Recently opened records. */
  recent: readonly Recent[]
  /** Ids of the favourites, and the names of the records among them. */
  favourites: readonly string[]
  names: ReadonlyMap<string, { title: string; subtitle: string }>
  /** True for somebody who has used little so far: examples are shown. */
  isNew: boolean
}

/** Milliseconds for which the figures of the dashboard count as current. */
const maxAge = 600_000
/** Number of opened records, commands used and favourites from which on no examples are shown. */
const experienced = 4

const nothing: readonly AttentionLine[] = []

/** The lines of the dashboard, unless they are old or something was changed since. */
function currentLines(): readonly AttentionLine[] {
  const read = store.get(attentionAtom)
  const changedAt = store.get(historyAtom)[0]?.at ?? 0
  return read && read.at > Math.max(changedAt, Date.now() - maxAge) ? read.lines : nothing
}

/** What is known now; `before` itself if that is the same, so that nothing renders again. */
export function openingNow(before: Opening | null): Opening {
  const now: Opening = {
    counts: store.get(placeCountsAtom),
    lines: currentLines(),
    recent: store.get(recentAtom),
    favourites: store.get(favouritesAtom),
    names: store.get(favouriteNamesAtom),
    isNew: Object.keys(store.get(usesAtom)).length + openedIds().length + store.get(favouritesAtom).length < experienced,
  }
  const isSame = before !== null && (Object.keys(now) as (keyof Opening)[]).every((name) => before[name] === now[name])
  return isSame ? before : now
}

/** Builds the groups of the empty palette. */
export type StartGroups = (input: Composing, opening: Opening) => Group[]

/** The part that builds the empty palette: null until it has loaded, with examples for somebody new; 'missing' if it did not load. */
export const startAtom = atom<{ groups: StartGroups } | 'missing' | null>(null)

let loading: Promise<void> | null = null

/** Loads that part, and again after a failure or for other rights. */
export function loadStart(commands: readonly Command[]): Promise<void> {
  loading ??= load(commands).finally(() => {
    loading = null
  })
  return loading
}

async function load(commands: readonly Command[]): Promise<void> {
  try {
    const { prepareStart } = await import('#portal/palette/start-rows.ts')
    const groups = await prepareStart(openingNow(null).isNew, commands)
    store.set(startAtom, { groups })
  } catch {
    store.set(startAtom, (now) => (now === null ? 'missing' : now))
  }
}
