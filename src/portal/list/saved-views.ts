import { atom } from 'jotai/vanilla'
import type { NamedView } from '#contract/named-views.ts'
import type { SavedView } from '#contract/views.ts'

/** The views that the person saved, of all lists; none until they are read. */
export const savedViewsAtom = atom<readonly SavedView[]>([])

/** A named view of a list; `own` where the person saved it. */
export interface ShownView extends NamedView {
  own?: true
}

/** What of a list's parameters a view saves: its filters and its order, not what is searched for. */
export const savedSearch = (search: URLSearchParams): string =>
  new URLSearchParams([...search].filter(([name]) => /_(type|value)$|^(sort|order)$/.test(name))).toString()

/** The views of a list: its own, and those that the person saved. */
export const viewsOf = (named: readonly NamedView[], saved: readonly SavedView[], path: string | null): readonly ShownView[] => [
  ...named,
  ...saved
    .filter((view) => view.path === path)
    .map(({ title, search }) => ({ id: `saved ${title}`, title, search, own: true as const })),
]
