import { atom } from 'jotai/vanilla'
import type { NamedView } from '#contract/named-views.ts'
import type { SavedView } from '#contract/views.ts'

/** The user's saved views of all lists; empty until they are loaded. */
export const savedViewsAtom = atom<readonly SavedView[]>([])

/** A named view of a list; `own` if the user saved it. */
export interface ShownView extends NamedView {
  own?: true
}

/** The parameters of a list that a view saves: filters and order, not the search. */
export const savedSearch = (search: URLSearchParams): string =>
  new URLSearchParams([...search].filter(([name]) => /_(type|value)$|^(sort|order)$/.test(name))).toString()

/** The views of a list: built-in ones, and those the user saved. */
export const viewsOf = (named: readonly NamedView[], saved: readonly SavedView[], path: string | null): readonly ShownView[] => [
  ...named,
  ...saved
    .filter((view) => view.path === path)
    .map(({ title, search }) => ({ id: `saved ${title}`, title, search, own: true as const })),
]
