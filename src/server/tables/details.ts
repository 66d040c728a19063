import { type Generated, type RawBuilder, sql } from 'kysely'
import type { Detail, DetailEmptyParam, DetailListParam, DetailParam, Details } from '#contract/details.ts'
import { parameterOf } from '#contract/define.ts'
import type { AnyIntent } from '#contract/define.ts'
import { may } from '#domain/permissions.ts'
import type { Actor } from '#server/access/actor.ts'
import { byDay, choice, empty, oneOfTexts } from '#server/tables/conditions.ts'
import { literally } from '#server/tables/employee-search.ts'

/** The columns of details in the table of a noun. */
export type DetailColumns<All extends Details> = { [Name in keyof All]: Generated<string | null> }

/** The stored values of details, by name. */
type Stored<All extends Details> = { [Name in keyof All]: string | null }

/** Details as returned by the API: null for those that the person may not see. */
export const visibleDetails = <const All extends Details>(
  details: All,
  row: Stored<All>,
  actor: Pick<Actor, 'held'>,
): Stored<All> =>
  Object.fromEntries(
    Object.entries(details).map(([name, { needs }]) => [name, !needs || may(actor.held, needs) === 'yes' ? row[name] : null]),
  ) as Stored<All>

/**
 * The details that the history of a record shows: those that its intents change, without restricted ones, since everybody who
 * may read the record reads its history.
 */
export const recordedDetails = <const All extends Details>(details: All, intents: readonly Pick<AnyIntent, 'body'>[]) => {
  const names = Object.keys(details).filter((name) => !details[name]?.needs && intents.some(({ body }) => name in body.shape))
  return (row: Stored<All>): Record<string, unknown> => Object.fromEntries(names.map((name) => [name, row[name]]))
}

/** The conditions of the filters by details, by query parameter. */
type DetailConditions<All extends Details> = {
  readonly [Name in keyof All & string as Exclude<
    DetailParam<Name, All[Name]['kind']>,
    DetailListParam<Name, All[Name]['kind']> | DetailEmptyParam<Name>
  >]: (value: All[Name]['kind'] extends 'choice' ? readonly string[] : string) => RawBuilder<unknown>
} & {
  readonly [Name in keyof All & string as DetailListParam<Name, All[Name]['kind']>]: (
    texts: readonly string[],
  ) => RawBuilder<unknown>
} & {
  readonly [Name in keyof All & string as DetailEmptyParam<Name>]: (empty: 'YES' | 'NO') => RawBuilder<unknown>
}

/** The conditions of all filters that `detailFilter` can declare, on rows `e`: part of a text, a choice, a day. */
export const detailConditions = <const All extends Details>(details: All): DetailConditions<All> => {
  const conditionsOf = ([name, { kind }]: [string, Detail]) => {
    const column = sql.ref(`e.${name}`)
    const param = parameterOf(name)
    const isEmpty = empty(param, column)
    if (kind === 'choice') return { ...choice(param, column), ...isEmpty }
    if (kind === 'date') return { ...byDay(param, column), ...isEmpty }
    const contains = (part: string) => sql`${column} ilike ${`%${literally(part)}%`}`
    return { [param]: contains, ...oneOfTexts(param, column), ...isEmpty }
  }
  return Object.assign({}, ...Object.entries(details).map(conditionsOf))
}
