import { type RawBuilder, sql } from 'kysely'
import type { Asking } from '#server/paging/define-list.ts'
import { literally, searchWords } from '#server/tables/employee-search.ts'

type Column = RawBuilder<unknown>

/**
 * Matches values of a closed set. They are listed one by one, since the planner knows the frequency of each value but not of an
 * array.
 */
export const oneOf = (column: Column) => (values: readonly string[]) => sql`${column} in (${sql.join(values)})`

/** Matches any other value, or null. */
const noneOf = (column: Column) => (values: readonly string[]) => sql`(${oneOf(column)(values)}) is not true`

/** The time zone that defines business days, from the setting of the database session. */
export const businessZone = sql`coalesce(nullif(current_setting('portal.business_time_zone', true), ''), 'America/New_York')`

/** The business day of a time. */
export const businessDay = (time: Column) => sql`(${time} at time zone ${businessZone})::date`

/** The time when a business day starts. */
export const startOfDay = (day: Column) => sql`(${day}::timestamp at time zone ${businessZone})`

/** Both filters of a choice over a column, by parameter name. */
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
  const conditionWhen = (yes: boolean, asking: Asking): RawBuilder<unknown> => {
    const is = typeof condition === 'function' ? condition(asking) : condition
    return yes ? sql`(${is})` : sql`(not (${is}))`
  }
  const hasBoth = (values: readonly string[]) => new Set(values).size > 1
  return {
    [name]: (values: readonly string[], asking: Asking) =>
      hasBoth(values) ? sql`true` : conditionWhen(values.includes('YES'), asking),
    [`${name}-not`]: (values: readonly string[], asking: Asking) =>
      hasBoth(values) ? sql`false` : conditionWhen(values.includes('NO'), asking),
  } as YesOrNo<Name>
}

/** Both filters of an amount in cents, by filter name. */
export const amount = <const Name extends string>(name: Name, column: Column) =>
  ({
    [`${name}-over`]: (cents: number) => sql`${column} > ${cents}::bigint`,
    [`${name}-under`]: (cents: number) => sql`${column} < ${cents}::bigint`,
  }) as { readonly [Key in `${Name}-over` | `${Name}-under`]: (cents: number) => RawBuilder<unknown> }

/** Whether a column has no value, by filter name. An empty text is no value. */
export const empty = <const Name extends string>(name: Name, column: Column) =>
  ({
    [`${name}-empty`]: (which: 'YES' | 'NO') => sql`(${column}::text <> '') is ${which === 'YES' ? sql`not true` : sql`true`}`,
  }) as {
    readonly [Key in `${Name}-empty`]: (which: 'YES' | 'NO') => RawBuilder<unknown>
  }

/** Whether a text equals one of several as a whole, ignoring case, by filter name. */
export const oneOfTexts = <const Name extends string>(name: Name, column: Column) =>
  ({
    [`${name}-in`]: (texts: readonly string[]) => sql`lower(${column}) = any(${texts.map((text) => text.toLowerCase())}::text[])`,
  }) as { readonly [Key in `${Name}-in`]: (texts: readonly string[]) => RawBuilder<unknown> }

/** This id. */
export const idIs = (column: Column) => (id: number) => sql`${column} = ${id}`

/** Matches one of these ids. A single id is compared directly: after an array no index provides the order of its next column. */
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

/** The three filters of a day, by parameter name. */
export const byDay = <const Name extends string>(name: Name, column: Column) =>
  ({ [`${name}-from`]: since(column), [`${name}-to`]: until(column), [`${name}-on`]: on(column) }) as ByDay<Name>

/** Compares the time itself with the start of the day, so that indexes and partition pruning apply. */
const startingAt = (time: Column) => (date: string) => sql`${time} >= ${startOfDay(sql`${date}::date`)}`
const notOver = (time: Column) => (date: string) => sql`${time} < ${startOfDay(sql`(${date}::date + 1)`)}`

/** The three filters of the day of a time. */
export const byDayOfTime = <const Name extends string>(name: Name, time: Column) =>
  ({
    [`${name}-from`]: startingAt(time),
    [`${name}-to`]: notOver(time),
    [`${name}-on`]: (date: string) => sql`(${startingAt(time)(date)} and ${notOver(time)(date)})`,
  }) as ByDay<Name>

/** Whether every word occurs in the column of folded text, in any order. */
export const words = (column: Column, text: string): RawBuilder<unknown>[] =>
  searchWords(text).map((word) => sql`${column} like ${`%${literally(word)}%`}`)
