import { z } from 'zod'
import type { Need } from '#domain/permissions.ts'
import { parameterOf } from '#contract/define.ts'
import { choice, date, text } from '#contract/fields.ts'
import { choiceFilter, dateFilter, type Filter, orEmpty, orOneOf, textFilter } from '#contract/filter.ts'

/**
 * A detail of a record: a nullable column of its table that the API returns as it is stored. Declared once with its title, it is
 * a property of the row, a column of the list, a fact in the tab General, a label of the history, and a field of the commands
 * that change it.
 */
export interface Detail<
  Kind extends DetailKind = DetailKind,
  Value extends z.ZodType = z.ZodType,
  Field extends z.ZodType = z.ZodType,
> {
  readonly kind: Kind
  readonly title: string
  /** Its schema in an answer: optional, since another API may not have it. */
  readonly value: z.ZodOptional<z.ZodNullable<Value>>
  /** Its schema in the form of a command. */
  readonly field: Field
  /** The labels of a choice, by value. */
  readonly labels: Readonly<Record<string, string>>
  /** Permission to see it: without it the API returns null. */
  readonly needs: Need | null
}

export type DetailKind = 'text' | 'date' | 'choice'

/** Details by name, which is the name of the column and of the property. */
export type Details = Readonly<Record<string, Detail>>

interface Restricted {
  needs?: Need
}

const detail = <const Kind extends DetailKind, Value extends z.ZodType, Field extends z.ZodType>(
  kind: Kind,
  title: string,
  value: Value,
  field: Field,
  { labels = {}, needs = null }: { labels?: Detail['labels']; needs?: Need | null } = {},
): Detail<Kind, Value, Field> => ({ kind, title, value: value.nullable().optional(), field, labels, needs })

/** A line of text of at most `max` characters. */
export const textDetail = (title: string, { max, ...more }: Restricted & { max?: number } = {}) =>
  detail('text', title, z.string(), text(title, max), more)

/** A date without a time, `yyyy-MM-dd`. */
export const dateDetail = (title: string, more?: Restricted) => detail('date', title, z.iso.date(), date(title), more)

/** One value of a closed set; an answer may have others, which are shown as they are. */
export const choiceDetail = <const Values extends readonly [string, ...string[]]>(
  title: string,
  values: Values,
  labels: Readonly<Record<Values[number], string>>,
  more?: Restricted,
) => detail('choice', title, z.string(), choice(title, values, labels), { labels, ...more })

/** A stored value as the initial value of a form: undefined if there is none, or if it is not one that the form offers. */
export const formValue = <Field extends z.ZodType>({ field }: Detail<DetailKind, z.ZodType, Field>, stored: unknown) =>
  field.safeParse(stored).data

/** The schemas of details in an answer, for the row of a noun. */
export const rowOf = <const All extends Details>(details: All): { [Name in keyof All]: All[Name]['value'] } =>
  Object.fromEntries(Object.entries(details).map(([name, { value }]) => [name, value])) as never

type Kebab<Name extends string> = Name extends `${infer Start}_${infer Rest}` ? `${Start}-${Kebab<Rest>}` : Name

/** The query parameters of a filter by a detail: named like it, `pay_code` as `pay-code`. */
export type DetailParam<Name extends string, Kind extends DetailKind> =
  | {
      text: Kebab<Name>
      choice: Kebab<Name> | `${Kebab<Name>}-not`
      date: `${Kebab<Name>}-${'from' | 'to' | 'on'}`
    }[Kind]
  | DetailListParam<Name, Kind>
  | DetailEmptyParam<Name>
/** Of a text, the parameter for several values. */
export type DetailListParam<Name extends string, Kind extends DetailKind> = Kind extends 'text' ? `${Kebab<Name>}-in` : never
/** The parameter for records with or without a value. */
export type DetailEmptyParam<Name extends string> = `${Kebab<Name>}-empty`

/** The value of a query parameter of a detail. */
export type DetailValue<Name extends string, Kind extends DetailKind, Param> =
  Param extends DetailEmptyParam<Name>
    ? 'YES' | 'NO'
    : Param extends DetailListParam<Name, Kind>
      ? string[]
      : Kind extends 'choice'
        ? string[]
        : string

type DetailQuery<Name extends string, Kind extends DetailKind> = {
  [Param in DetailParam<Name, Kind>]?: DetailValue<Name, Kind, Param>
}

/** The filter of a list by a detail; it needs what the detail needs. `id` is its name in the address, the detail's by default. */
export function detailFilter<const All extends Details, const Name extends keyof All & string>(
  details: All,
  name: Name,
  id: string = name,
): Filter<DetailQuery<Name, All[Name]['kind']>> {
  const { kind, title, labels, needs } = details[name] as Detail
  const param = parameterOf(name)
  const filter =
    kind === 'choice'
      ? choiceFilter({ id, title, values: Object.keys(labels), labels, param })
      : kind === 'date'
        ? dateFilter(id, title, param)
        : orOneOf(textFilter(id, title, param), param)
  return { ...orEmpty(filter as Filter, param), ...(needs ? { needs } : {}) } as never
}
