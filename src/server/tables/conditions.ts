import { type RawBuilder, sql } from 'kysely'
import type { Asking } from '#server/paging/define-list.ts'
import { literally, searchWords } from '#server/tables/employee-search.ts'

type Column = RawBuilder<unknown>

/** A value of a closed set. One by one, since the planner knows how frequent each is, but not how frequent those of an array are. */
export const oneOf = (column: Column) => (values: readonly string[]) => sql`${column} in (${sql.join(values)})`

/** Any other value, or none. */
const noneOf = (column: Column) => (values: readonly string[]) => sql`(${oneOf(column)(values)}) is not true`

/** The zone by whose midnights a day of business begins, as a session of the database has it. */
export const businessZone = sql`coalesce(nullif(current_setting('portal.business_time_zone', true), ''), 'America/New_York')`

/** The day of a time in the business time zone. */
export const businessDay = (time: Column) => sql`(${time} at time zone ${businessZone})::date`

/** When a day begins in the business time zone. */
export const startOfDay = (day: Column) => sql`(${day}::timestamp at time zone ${businessZone})`

/** Both filters of a choice over a column, by the name of its parameter. */
export const choice = <const Name extends string>(name: Name, column: Column) =>
  ({ [name]: oneOf(column), [`${name}-not`]: noneOf(column) }) as {
    readonly [Key in Name | `${Name}-not`]: (values: readonly string[]) => RawBuilder<unknown>
  }

type YesOrNo<Name extends string> = {
  readonly [Key in Name | `${Name}-not`]: (values: readonly string[], asking: Asking) => RawBuilder<unknown>
}

/** Both filters of a boolean condition, by parameter name; the condition may depend on the actor. */
export const yesOrNo = <const Name extends string>(
  name: Name,
  condition: Column | ((asking: Asking) => Column),
): YesOrNo<Name> => {
  const asked = (yes: boolean, asking: Asking): RawBuilder<unknown> => {
    const is = typeof condition === 'function' ? condition(asking) : condition
    return yes ? sql`(${is})` : sql`(not (${is}))`
  }
  const both = (values: readonly string[]) => new Set(values).size > 1
  return {
    [name]: (values: readonly string[], asking: Asking) => (both(values) ? sql`true` : asked(values.includes('YES'), asking)),
    [`${name}-not`]: (values: readonly string[], asking: Asking) =>
      both(values) ? sql`false` : asked(values.includes('NO'), asking),
  } as YesOrNo<Name>
}

/** Both filters of an amount in cents, by the name of its filter. */
export const amount = <const Name extends string>(name: Name, column: Column) =>
  ({
    [`${name}-over`]: (cents: number) => sql`${column} > ${cents}::bigint`,
    [`${name}-under`]: (cents: number) => sql`${column} < ${cents}::bigint`,
  }) as { readonly [Key in `${Name}-over` | `${Name}-under`]: (cents: number) => RawBuilder<unknown> }

/** This id. */
export const idIs = (column: Column) => (id: number) => sql`${column} = ${id}`

/** One of these ids. A single one is compared as itself: behind an array no index has the order of what comes after the id. */
export const idIn = (column: Column) => (ids: readonly number[]) =>
  ids.length === 1 ? idIs(column)(ids[0] as number) : sql`${column} = any(${ids}::bigint[])`

/** Employers of these organizations. */
export const organizationIn = (employer: Column) => (ids: readonly number[]) =>
  sql`${employer} in (select id from employers where organization_id = any(${ids}::bigint[]))`

/** Not before this day. */
export const since = (column: Column) => (date: string) => sql`${column} >= ${date}::date`

/** Not after this day. */
export const until = (column: Column) => (date: string) => sql`${column} <= ${date}::date`

/** On this day. */
export const on = (column: Column) => (date: string) => sql`${column} = ${date}::date`

type ByDay<Name extends string> = { readonly [Key in `${Name}-${'from' | 'to' | 'on'}`]: (date: string) => RawBuilder<unknown> }

/** The three filters of a day, by the name of their parameters. */
export const byDay = <const Name extends string>(name: Name, column: Column) =>
  ({ [`${name}-from`]: since(column), [`${name}-to`]: until(column), [`${name}-on`]: on(column) }) as ByDay<Name>

/** The time itself is compared by when days begin: an index and partitions by it are of use. */
const startingAt = (time: Column) => (date: string) => sql`${time} >= ${startOfDay(sql`${date}::date`)}`
const notOver = (time: Column) => (date: string) => sql`${time} < ${startOfDay(sql`(${date}::date + 1)`)}`

/** The three filters of the day of a time. */
export const byDayOfTime = <const Name extends string>(name: Name, time: Column) =>
  ({
    [`${name}-from`]: startingAt(time),
    [`${name}-to`]: notOver(time),
    [`${name}-on`]: (date: string) => sql`(${startingAt(time)(date)} and ${notOver(time)(date)})`,
  }) as ByDay<Name>

/** Every word is in the column, which holds folded text; in any order. */
export const words = (column: Column, text: string): RawBuilder<unknown>[] =>
  searchWords(text).map((word) => sql`${column} like ${`%${literally(word)}%`}`)
