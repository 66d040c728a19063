import { atom } from 'jotai/vanilla'
import type { Need } from '#domain/permissions.ts'
import type { AnyEntity } from '#kernel/entity.ts'
import { placeAtom } from '#portal/state/location.ts'
import { store } from '#portal/state/store.ts'

/** What the state of a list reads of a column; how it is drawn is the pane's. */
export interface ListColumn {
  readonly id: string
  readonly title: string
  /** Without it the column is masked. */
  readonly needs?: Need
  /** The cell as plain text. */
  // biome-ignore lint/suspicious/noExplicitAny: the width of every column, where no field of a noun is read
  readonly text: (row: any) => string
}

/** A column set; `id` stands in the address as `view`. */
export interface ListView {
  readonly id: string
  readonly title: string
  readonly columns: readonly ListColumn[]
  /** Ids of the columns that are shown until somebody chooses. */
  readonly shown: readonly string[]
}

/** What the state of a list reads of its pane. */
export interface ListPane {
  readonly kind: 'pane'
  /** Key of what is kept for it. */
  readonly name: string
  readonly entity: AnyEntity
  readonly title: string
  /** The first is the one of an address without `view`. */
  readonly views: readonly ListView[]
  readonly sorts: readonly { id: string; title: string }[]
}

const panesAtom = atom<readonly ListPane[]>([])

/** Called by `main.tsx` with the default exports of `src/portal/panes`. */
export const registerPanes = (found: readonly unknown[]): void =>
  store.set(
    panesAtom,
    found.filter((each): each is ListPane => (each as { kind?: unknown } | null | undefined)?.kind === 'pane'),
  )

/** All lists. */
export const panes = (): readonly ListPane[] => store.get(panesAtom)

/** The list that the address names; null where it names none. */
export const paneAtom = atom<ListPane | null>((get) => {
  const place = get(placeAtom)
  return get(panesAtom).find((pane) => pane.entity.name === place?.entity) ?? null
})
