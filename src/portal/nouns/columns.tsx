import { brandOf } from '#domain/brand.ts'
import type { States } from '#domain/status.ts'
import { amountText, orDash } from '#portal/format/cell-text.ts'
import { dateAndTime, shortDate, timeZoneWidth } from '#portal/format/dates.ts'
import type { Entity } from '#kernel/entity.ts'
import type { CellValue } from '#portal/list/definition.ts'
import type { Column } from '#portal/list/pane.ts'
import { BrandMark } from '#portal/ui/brand-mark.tsx'
import { Status } from '#portal/ui/status.tsx'

/** A cell of two lines: what it is, and below it what tells it apart; the first is no name where it is `plain`. */
export const twoLines = (first: string, below: string | number, look?: 'plain') => (
  <>
    <strong className={look}>{first}</strong>
    <small>{below}</small>
  </>
)

/** A column of text. */
export const plain = <T,>(
  id: string,
  title: string,
  minWidth: number,
  text: (one: T) => string,
  more: Partial<Column<T>> = {},
): Column<T> => ({ id, title, width: [minWidth, 0.7], text, ...more })

/** An amount in cents as the value of a cell. */
export const centsValue = (cents: number | null | undefined): CellValue => (cents == null ? null : { cents })

/** A date, or the day of a time, as the value of a cell. */
export const dayValue = (date: string | null | undefined): CellValue => (date ? { day: date } : null)

/** A number that is no amount as the value of a cell. */
export const numberValue = (number: number | null | undefined): CellValue => (number == null ? null : { number })

/** A column of amounts in cents, right-aligned; what is less than ten million dollars fits. */
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

/** A column of times; wider where their zone stands beside them. */
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

/** A column of states, each as a word with its mark: null where it is not open to the person, undefined where there is none. */
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

/** The column of the brand, which every noun of a brand has. */
export const brands = <T extends { brand: string }>(more: Partial<Column<T>> = {}): Column<T> => ({
  id: 'brand',
  title: 'Brand',
  width: [96, 0.7],
  text: (one) => brandOf(one.brand).name,
  draw: (one) => <BrandMark brand={one.brand} />,
  ...more,
})

/** The column that names a noun: its title above its id. */
export const named = <T,>(entity: Entity<T>, title: string, minWidth: number): Column<T> => ({
  id: 'name',
  title,
  width: [minWidth, 1.6],
  sort: 'name',
  keep: 3,
  text: (one) => `${entity.title(one)}, ${entity.id(one)}`,
  draw: (one) => twoLines(entity.title(one), entity.id(one)),
})
