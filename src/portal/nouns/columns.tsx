import { createElement, Fragment, type ReactNode } from 'react'
import { brandOf } from '#domain/brand.ts'
import type { States } from '#domain/status.ts'
import { amountText, orDash } from '#portal/format/cell-text.ts'
import { dateAndTime, shortDate, timeZoneWidth } from '#portal/format/dates.ts'
import type { Entity } from '#kernel/entity.ts'
import type { CellValue, ListDefinition } from '#portal/list/definition.ts'
import type { Column } from '#portal/list/pane.ts'
import { BrandMark } from '#portal/ui/brand-mark.tsx'
import { Status } from '#portal/ui/status.tsx'

/** A cell of two lines: the title, and a text that identifies it; the first line is not bold if it is `plain`. */
export const twoLines = (first: string, below: string | number, look?: 'plain') => (
  <>
    <strong className={look}>{first}</strong>
    <small>{below}</small>
  </>
)

/** The facts below a record's name: texts and marks in one line. */
export const subline = (...parts: readonly ReactNode[]): ReactNode =>
  createElement(
    Fragment,
    null,
    ...parts.map((part) => (typeof part === 'string' || typeof part === 'number' ? createElement('span', null, part) : part)),
  )

/** A column of text. */
export const plain = <T,>(
  id: string,
  title: string,
  minWidth: number,
  text: (one: T) => string,
  more: Partial<Column<T>> = {},
): Column<T> => ({ id, title, width: [minWidth, 0.7], text, ...more })

/** An amount in cents as a cell value. */
export const centsValue = (cents: number | null | undefined): CellValue => (cents == null ? null : { cents })

/** A date, or the day of a time, as a cell value. */
export const dayValue = (date: string | null | undefined): CellValue => (date ? { day: date } : null)

/** A plain number as a cell value. */
export const numberValue = (number: number | null | undefined): CellValue => (number == null ? null : { number })

/** A column of amounts in cents, right-aligned; fits amounts below ten million dollars. */
export const amounts = <T,>(
  id: string,
  title: string,
  cents: (one: T) => number | null | undefined,
  more: Partial<Column<T>> = {},
): Column<T> => ({
  id,
  title,
  width: [89, 0.6],
  align: 'right',
  text: (one) => amountText(cents(one)),
  value: (one) => centsValue(cents(one)),
  ...more,
})

/** Other words for a telephone number. */
export const phoneWords = ['telephone', 'mobile', 'cell']

/** A column of dates without a time. */
export const dates = <T,>(
  id: string,
  title: string,
  date: (one: T) => string | null | undefined,
  more: Partial<Column<T>> = {},
): Column<T> => ({
  id,
  title,
  width: [88, 0.5],
  text: (one) => shortDate(date(one)),
  value: (one) => dayValue(date(one)),
  ...more,
})

/** A column of times; wider if the zone is shown beside them. */
export const times = <T,>(
  id: string,
  title: string,
  time: (one: T) => string | null | undefined,
  more: Partial<Column<T>> = {},
): Column<T> => ({
  id,
  title,
  get width() {
    return [132 + timeZoneWidth(), 0.7] as const
  },
  text: (one) => dateAndTime(time(one)),
  value: (one) => {
    const at = time(one)
    return at ? { time: at } : null
  },
  ...more,
})

/** A column of states as text with an icon: null if the user has no access, undefined if there is none. */
export const states = <T,>(
  id: string,
  title: string,
  minWidth: number,
  of: States,
  state: (one: T) => string | null | undefined,
  more: Partial<Column<T>> = {},
): Column<T> => ({
  id,
  title,
  width: [minWidth, 0.7],
  text: (one) => {
    const now = state(one)
    return now === undefined ? orDash(now) : of.label(now)
  },
  draw: (one) => {
    const now = state(one)
    return now === undefined ? orDash(now) : <Status of={of} state={now} />
  },
  ...more,
})

/** The brand column, for every noun with a brand. */
export const brands = <T extends { brand: string }>(more: Partial<Column<T>> = {}): Column<T> => ({
  id: 'brand',
  title: 'Brand',
  width: [96, 0.7],
  text: (one) => brandOf(one.brand).name,
  draw: (one) => <BrandMark brand={one.brand} />,
  ...more,
})

/** The column with the title of a record above its id. */
export const named = <T,>(entity: Entity<T>, title: string, minWidth: number): Column<T> => ({
  id: 'name',
  title,
  width: [minWidth, 1.6],
  sort: 'name',
  keep: 3,
  text: (one) => `${entity.title(one)}, ${entity.id(one)}`,
  draw: (one) => twoLines(entity.title(one), entity.id(one)),
})

/**
 * The sort orders of a list, each with the title and the permission of its column; `titles` has those that differ. The order by
 * id is 'Id'.
 */
export const sortsOf = <Sort extends string>(
  sorts: readonly Sort[],
  columns: readonly Pick<Column, 'title' | 'sort' | 'needs'>[],
  titles: { readonly [Name in Sort]?: string } = {},
): ListDefinition['sorts'] =>
  sorts.map((id) => {
    const column = columns.find(({ sort }) => sort === id)
    const title = titles[id] ?? column?.title
    if (title === undefined && id !== 'id') throw new Error(`The order ${id} has neither a column nor a title.`)
    return { id, title: title ?? 'Id', needs: column?.needs }
  })
