import { atom } from 'jotai/vanilla'
import { isSameView, type NamedView } from '#contract/named-views.ts'
import type { SharedView } from '#contract/shared-views.ts'
import type { SavedView } from '#contract/views.ts'
import { sharedNote } from '#domain/shared-view.ts'

/** The user's saved views of all lists; empty until they are loaded. */
export const savedViewsAtom = atom<readonly SavedView[]>([])

/** The views of all lists that are shared with the user; empty until they are loaded. */
export const sharedViewsAtom = atom<readonly SharedView[]>([])

/** A named view of a list; `own` if the user saved it, `shared` if somebody shared it, which its note says. */
export interface ShownView extends NamedView {
  own?: true
  shared?: SharedView
  note?: string
}

/** The parameters of a list that a view saves: filters, order and columns, not the search. */
export const savedSearch = (search: URLSearchParams): string =>
  new URLSearchParams([...search].filter(([name]) => /_(type|value)$|^(sort|order|columns)$/.test(name))).toString()

/** The views of a list: built-in ones, shared ones, and those that only the user has. */
export function viewsOf(
  named: readonly NamedView[],
  shared: readonly SharedView[],
  saved: readonly SavedView[],
  path: string | null,
): readonly ShownView[] {
  const here = shared.filter((view) => view.path === path)
  return [
    ...named,
    ...here.map((view) => ({
      id: `shared ${view.id}`,
      title: view.title,
      search: view.search,
      shared: view,
      note: sharedNote(view),
    })),
    ...saved
      .filter((view) => view.path === path && !here.some((each) => isSameView(each, new URLSearchParams(view.search))))
      .map(({ title, search }) => ({ id: `saved ${title}`, title, search, own: true as const })),
  ]
}
