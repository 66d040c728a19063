import type { ReactNode } from 'react'
import { namedViews } from '#contract/named-views.ts'
import type { Entity } from '#kernel/entity.ts'
import type { Later } from '#portal/ui/later.tsx'
import type { CellValue, ListColumn } from '#portal/list/definition.ts'
import type { ListPane } from '#portal/list/panes.ts'

/** One column of a list. */
export interface Column<T = unknown> extends ListColumn {
  /** Minimum width in pixels, and share of the remaining width. */
  width: readonly [least: number, share: number]
  align?: 'right'
  /** Text of any length, truncated with an ellipsis. */
  long?: boolean
  /** The name of the API's sort, if sortable. */
  sort?: string
  /** In which list widths the column is shown: 3 always, 2 above 460 px, 1 above 560 px, else above 720 px. */
  keep?: 1 | 2 | 3
  /** Shown below the column that is always visible, where only such columns are left. */
  under?: (row: T) => ReactNode
  /** Rendering in the narrowest list, where it may include the value of a hidden column. */
  narrow?: (row: T) => ReactNode
  /** The cell as plain text, for copying. */
  text: (row: T) => string
  /** The cell as a typed value for exports; text if omitted. */
  value?: ((row: T) => CellValue) | undefined
  /** Renders the cell; its text if omitted. */
  draw?: (row: T) => ReactNode
}

export interface Tab<T = unknown> {
  id: string
  title: string
  body: Later<{ one: T }>
}

/** Extends an entity with its list and record page. */
export interface Pane<T = unknown> extends ListPane {
  readonly entity: Entity<T>
  readonly columns: readonly Column<T>[]
  /** The facts beside the status below a record's name. */
  readonly sub: (one: T) => ReactNode
  readonly tabs: readonly Tab<T>[]
  /** Texts for the fields and values in a history. */
  readonly words: { field: (name: string) => string; value: (field: string, value: unknown) => string }
}

// biome-ignore lint/suspicious/noExplicitAny: a pane of any noun; no field of it is read
export type AnyPane = Pane<any>
// biome-ignore lint/suspicious/noExplicitAny: see AnyPane
export type AnyColumn = Column<any>

type PaneDeclaration<T> = Omit<
  Pane<T>,
  'kind' | 'name' | 'many' | 'rowKind' | 'source' | 'filters' | 'searched' | 'named' | 'tabs'
> & {
  /** The content of the tabs: `general`, and those named by the entity. */
  tabs: Readonly<Record<string, Tab<T>['body']>>
}

/** Declares the list and record page of a noun; the default export of a file in this folder. */
export const definePane = <T>({ tabs: bodies, ...pane }: PaneDeclaration<T>): Pane<T> => {
  const { entity } = pane
  const tabs = Object.entries({ general: 'General', ...entity.tabs }).flatMap(([id, title]) => {
    const body = bodies[id]
    return body ? [{ id, title, body }] : []
  })
  const { list, query, rows, count, totals, many, filters } = entity
  return {
    kind: 'pane',
    name: entity.path.slice(1),
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
