import type { ReactNode } from 'react'
import { namedViews } from '#contract/named-views.ts'
import type { Entity } from '#kernel/entity.ts'
import type { Later } from '#portal/ui/later.tsx'
import type { CellValue, ListColumn, ListView } from '#portal/list/definition.ts'
import type { ListPane } from '#portal/list/panes.ts'

/** One column of a list. */
export interface Column<T = unknown> extends ListColumn {
  /** Least width in pixels, and its share of what is left. */
  width: readonly [least: number, share: number]
  align?: 'right'
  /** Its text may be of any length: what does not fit ends in an ellipsis. */
  long?: boolean
  /** The name of the API's sort, where it can be sorted by. */
  sort?: string
  /** How narrow the list may be for it to stay: 3 always, 2 from 460 px, 1 from 560 px, else from 720 px. */
  keep?: 1 | 2 | 3
  /** Shown below the column that is always visible, where only such columns are left. */
  under?: (row: T) => ReactNode
  /** How it is drawn where only columns that always stay do: what has no column of its own there takes the place of less. */
  narrow?: (row: T) => ReactNode
  /** The cell as plain text, for copying. */
  text: (row: T) => string
  /** The cell as a typed value, for exported files; without it the cell is text. */
  value?: ((row: T) => CellValue) | undefined
  /** The cell as it is drawn; its text without one. */
  draw?: (row: T) => ReactNode
}

/** One column set over the list. */
export interface View<T = unknown> extends ListView {
  readonly columns: readonly Column<T>[]
}

export interface Tab<T = unknown> {
  id: string
  title: string
  body: Later<{ one: T }>
}

/** What a noun's list and detail add to its entity. */
export interface Pane<T = unknown> extends ListPane {
  readonly entity: Entity<T>
  readonly views: readonly View<T>[]
  /** The facts beside the status below a record's name. */
  readonly sub: (one: T) => ReactNode
  readonly tabs: readonly Tab<T>[]
  /** Words for the fields and values that a history names. */
  readonly words: { field: (name: string) => string; value: (field: string, value: unknown) => string }
}

// biome-ignore lint/suspicious/noExplicitAny: the width of every pane, where no field of a noun is read
export type AnyPane = Pane<any>
// biome-ignore lint/suspicious/noExplicitAny: see AnyPane
export type AnyColumn = Column<any>

type Declared<T> = Omit<Pane<T>, 'kind' | 'many' | 'rowKind' | 'source' | 'filters' | 'searched' | 'named' | 'tabs'> & {
  /** What the tabs show: `general`, and those that the entity names. */
  tabs: Readonly<Record<string, Tab<T>['body']>>
}

/** Declares the list and the detail of a noun; the default export of a file in this folder. */
export const definePane = <T>({ tabs: bodies, ...pane }: Declared<T>): Pane<T> => {
  const { entity } = pane
  const tabs = Object.entries({ general: 'General', ...entity.tabs }).flatMap(([id, title]) => {
    const body = bodies[id]
    return body ? [{ id, title, body }] : []
  })
  const { list, query, rows, count, totals, many, filters } = entity
  return {
    kind: 'pane',
    many,
    rowKind: entity,
    filters,
    searched: true,
    named: namedViews[entity.path] ?? [],
    source: { endpoint: list, always: query, rows, count, totals },
    ...pane,
    tabs,
  }
}
