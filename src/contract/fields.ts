import { z } from 'zod'
import { isWritten } from '#domain/text.ts'
import type { CallHead } from '#contract/define.ts'

/** How a form draws a field; each kind is drawn in one place, `src/portal/form`. */
export type FieldKind =
  | 'text'
  | 'long-text'
  | 'e-mail'
  | 'secret'
  | 'code'
  | 'integer'
  | 'money'
  | 'percentage'
  | 'date'
  | 'date-range'
  | 'switch'
  | 'choice'
  | 'choices'
  | 'reference'
  | 'references'
  | 'permissions'
  | 'chips'
  | 'rows'
  | 'table'
  | 'file'
  | 'hidden'

/** What can be chosen: `gives` are permissions that come with it, `note` stands behind its label. */
export type Options = readonly { value: string; label: string; gives?: readonly number[]; note?: string }[]

/** The call of the API that lists the options of a field. */
export interface ListedBy {
  /** An endpoint; its schemas are no part of this type, since the type of a registry of schemas cannot contain schemas. */
  call: CallHead
  query?: Readonly<Record<string, string>>
  /** The options in a good answer. */
  options: (answer: never) => Options
}

/** What a schema says of its field; kept in zod's registry and read through optional, nullable and default. */
export interface FieldMeta {
  kind: FieldKind
  title: string
  help?: string
  /** Words for the values of a choice. */
  labels?: Readonly<Record<string, string>>
  /** For a reference: the name of the entity. */
  entity?: string
  /** For references: what narrows the search, as parameters of the entity's list. */
  within?: Readonly<Record<string, string>>
  /** For a text: several lines, as they come out of a spreadsheet or a file; of a secret, too. */
  lines?: true
  /** For a wizard: the step that asks for it. */
  step?: string
  /** On a page: below which heading it stands. */
  section?: string
  /** Asked for only while another field has this value, one `in` these, or `has` it among others. Else it is not there, or stands fixed at `otherwise`. */
  when?: { field: string; is?: unknown; in?: readonly unknown[]; has?: unknown; otherwise?: unknown }
  /** It may be left out only where it is not asked for: its label does not say 'optional'. */
  needed?: true
  /** Nothing of it is kept in the browser or the history, as of a secret: people paste a private key here by mistake. */
  unkept?: true
  /** Of a secret: the browser can make one, which is shown until the form is left. */
  makes?: boolean
  /** Of a choice that comes with a value which is seldom another: the keyboard starts behind it. */
  settled?: true
  /** Smaller comes first; fields without one keep the schema's order. */
  order?: number
  /** For `choices`, when not fixed by the schema; `gives` are the permissions that whoever is given it holds then. */
  options?: Options
  /** Of a choice: its options are those that the API lists; `options` stand in until it has answered, and where it has no such call. */
  listedBy?: ListedBy
  /** For a date: it has been, so that `fri` means the last one. */
  past?: true
  /** The field whose value this one is drawn with: what groups give is marked among permissions. */
  beside?: string
  /** For `rows`: the field of an item that names its row. */
  key?: string
  /** For `table`: what one of its rows is called, `column`. */
  one?: string
  /** Of a choice in a `table`: which of its values another field of the form allows, by the value of that field. */
  only?: { field: string; values: Readonly<Record<string, readonly string[]>> }
  /** For a file: how its name may end, and how many bytes it may have. */
  accept?: readonly string[]
  max?: number
  /**
   * For `rows`: each line stands for itself, so that all of them may be taken in full at once. For `money`: left empty, or with a `*`,
   * it is the full amount.
   */
  inFull?: true
}

export const fieldMeta = z.registry<FieldMeta>()

/** The specification's general message for an empty field (AUTH-017). */
export const required = 'This is a required field.'

export type Extra = Partial<Omit<FieldMeta, 'kind' | 'title'>>

/** A schema as a field of a form: its kind, its title, and what more is drawn. */
export const withFieldMeta = <S extends z.ZodType>(schema: S, kind: FieldKind, title: string, extra?: Extra): S => {
  fieldMeta.add(schema, { kind, title, ...extra })
  return schema
}

/** Trimmed, and not without anything to be seen: a reason of zero-width spaces is none. */
const written = (max: number, control: RegExp) =>
  z
    .string({ error: required })
    .trim()
    .min(1, { error: required, abort: true })
    .max(max, `At most ${max} characters`)
    .refine((value) => !control.test(value), 'Control characters are not allowed.')
    .refine(isWritten, required)

/** A line of text, trimmed, not empty. */
export const text = (title: string, max = 200, extra?: Extra) =>
  withFieldMeta(written(max, /[\p{Cc}\u2028\u2029]/u), 'text', title, extra)

/** A line of text that has to be of a kind; `sentence` is said of any other. */
export const textOf = (title: string, max: number, kind: { is: (value: string) => boolean; sentence: string }, extra?: Extra) =>
  withFieldMeta(written(max, /[\p{Cc}\u2028\u2029]/u).refine(kind.is, kind.sentence), 'text', title, extra)

/** Several lines of text, trimmed; 500 characters as a note (NOTE-002). */
export const longText = (title: string, max = 500, extra?: Extra) =>
  withFieldMeta(written(max, /[^\P{Cc}\t\n\r]/u), 'long-text', title, extra)

/** The e-mail of a person or record; the sign-in screens have their own words (rules 15, AUTH-006). */
export const email = (title = 'E-mail', extra?: Extra) =>
  withFieldMeta(
    z
      .string({ error: 'E-mail is required' })
      .trim()
      .min(1, 'E-mail is required')
      .max(254, 'Invalid email')
      .pipe(z.email('Invalid email')),
    'e-mail',
    title,
    extra,
  )

/** 100 million dollars in cents: no amount is larger, so that no sum is past what a number can be. */
const maxMoney = 10_000_000_000

/** What a number may be, in its own unit, and what is said of one that is not: of none, of a smaller and of a larger one. */
interface Bounds {
  min?: number | undefined
  max?: number | undefined
  missing?: string | undefined
  below?: string | undefined
  above?: string | undefined
}

const bounded = (wrong: string, { min, max, missing = required, below, above }: Bounds) =>
  z
    .int({ error: (issue) => (issue.input === undefined || issue.input === null ? missing : wrong) })
    .min(min ?? Number.MIN_SAFE_INTEGER, below)
    .max(max ?? Number.MAX_SAFE_INTEGER, above)

/** What is said of a value that is no amount. */
export const noAmount = 'Enter an amount such as 12.50'

/** Integer cents, typed and shown in dollars. */
export const money = (title: string, { min, max, missing, below, above, ...extra }: Extra & Bounds = {}) =>
  withFieldMeta(
    bounded(noAmount, {
      min: min ?? -maxMoney,
      max: max ?? maxMoney,
      below: below ?? 'Enter a larger amount.',
      above: above ?? 'Enter a smaller amount.',
      missing,
    }),
    'money',
    title,
    extra,
  )

/** Basis points, typed and shown in per cent. */
export const percentage = (title: string, { min = 0, max = 10_000, missing, below, above, ...extra }: Extra & Bounds = {}) =>
  withFieldMeta(bounded('Enter a percentage such as 12.5', { min, max, missing, below, above }), 'percentage', title, extra)

/** A whole number within limits. */
export const integer = (title: string, { min, max, missing, below, above, ...extra }: Extra & Bounds = {}) =>
  withFieldMeta(bounded('Enter a whole number', { min, max, missing, below, above }), 'integer', title, extra)

/** What is said of a value that is no date. */
export const noDate = 'Enter a date such as 2026-11-20'

const isoDate = (missing: string) => z.iso.date({ error: (issue) => (issue.input ? noDate : missing) })

/** A date without a time, `yyyy-MM-dd`, that the calendar has. */
export const dateSchema = isoDate(required)

/** A date field: see dateSchema; `missing` is said of an empty one. */
export const date = (title: string, { missing = required, ...extra }: Extra & { missing?: string } = {}) =>
  withFieldMeta(isoDate(missing), 'date', title, extra)

/** The message beside a value that is none of those to choose from. */
export const noValue = 'There is no such value.'

/** One of several values, with words for each. */
export const choice = <const Values extends readonly string[]>(
  title: string,
  values: Values,
  labels: Readonly<Record<string, string>>,
  extra?: Extra,
) =>
  withFieldMeta(z.enum(values, { error: ({ input }) => ((input ?? '') === '' ? required : noValue) }), 'choice', title, {
    labels,
    ...extra,
  })

/** Several of several values. */
export const choices = <const Values extends readonly string[]>(
  title: string,
  values: Values,
  labels: Readonly<Record<string, string>>,
  extra?: Extra,
) => withFieldMeta(z.array(z.enum(values, { error: noValue })).min(1, required), 'choices', title, { labels, ...extra })

/** Said of a list without an item (VAL-015). */
export const noItem = 'At least one item is required.'

/** Free words, each once. */
export const chips = (title: string, extra?: Extra) =>
  withFieldMeta(
    z
      .array(written(60, /[\p{Cc}\u2028\u2029,]/u), { error: noItem })
      .min(1, noItem)
      .max(100, 'At most 100 items'),
    'chips',
    title,
    extra,
  )

/** One of options that are known only where the form is drawn, or that the API lists. The server refuses another one. */
export const oneOf = (title: string, options: Options, extra?: Extra) =>
  withFieldMeta(z.string({ error: required }).min(1, required).max(200, noValue), 'choice', title, { options, ...extra })

/** Several of options that are known only where the form is drawn. */
export const someOf = (title: string, options: Options) =>
  withFieldMeta(z.array(z.string()).min(1, required), 'choices', title, { options })

const plainDecimal = /^(0|[1-9]\d{0,15})$/

/**
 * A whole number that may stand in an address: plain decimal digits and nothing else, so that `0x10`, `1e2`, a space or
 * `007` is refused instead of being read as some number. `sentence` is said of whatever is refused.
 */
export function decimal(sentence: string, min: number, max = Number.MAX_SAFE_INTEGER) {
  return z
    .union([z.int(), z.string().regex(plainDecimal)], { error: sentence })
    .pipe(z.coerce.number<string | number>().int(sentence).min(min, sentence).max(max, sentence))
}

/** Integer cents in an address: plain decimal digits, after a minus where there is less than nothing. */
export const centsSchema = z
  .union([z.int(), z.string().regex(/^(0|-?[1-9]\d{0,10})$/)], { error: noAmount })
  .pipe(z.coerce.number<string | number>().int(noAmount).min(-maxMoney, noAmount).max(maxMoney, noAmount))

/** The id of another entity, chosen by searching it. */
export const reference = (title: string, entity: string, extra?: Extra) =>
  withFieldMeta(decimal(required, 1), 'reference', title, { entity, ...extra })

/** The ids of several entities, each chosen by searching it; at most 1,000. */
export const references = (title: string, entity: string, extra?: Extra) =>
  withFieldMeta(z.array(decimal(required, 1), { error: required }).min(1, required).max(1_000), 'references', title, {
    entity,
    ...extra,
  })

/** The same, or none at all. */
export const anyReferences = (title: string, entity: string, extra?: Extra) =>
  withFieldMeta(z.array(decimal(required, 1)).max(1_000), 'references', title, { entity, ...extra })

/** What leaves with the request and is kept nowhere else: `schema` is what it may be. */
export const secret = <S extends z.ZodType>(title: string, schema: S, extra?: Extra): S =>
  withFieldMeta(schema.clone() as S, 'secret', title, extra)

/** Several of options whose ids are numbers. */
export const idChoices = (title: string, options: Options, extra?: Extra) =>
  withFieldMeta(z.array(decimal(required, 1)).max(200), 'choices', title, { options, ...extra })

/** Permissions as rows of See and Edit, and those that are no pair; `beside` names the field of groups. */
export const permissionChoices = (title: string, options: Options, extra?: Extra) =>
  withFieldMeta(z.array(decimal(required, 1)).max(200), 'permissions', title, { options, ...extra })

/** A list of objects as lines to fill in: the command offers the lines, `key` is the field that names one. */
export const rows = <S extends z.ZodType>(title: string, list: S, key: string, extra?: Extra): S =>
  withFieldMeta(list.clone() as S, 'rows', title, { key, ...extra })

/** A list of objects as rows that a person adds, removes, moves and pastes; `one` is what a row is called. */
export const table = <S extends z.ZodType>(title: string, list: S, one: string, extra?: Extra): S =>
  withFieldMeta(list.clone() as S, 'table', title, { one, ...extra })

/** Yes or no, drawn as a switch. */
export const onOff = (title: string, extra?: Extra) => withFieldMeta(z.boolean(), 'switch', title, extra)

/** An identifier of a person, company or record: positive, and small enough for every place that carries it. */
export const idSchema = decimal('This is not an id.', 1)

/** The id of somebody of the staff. */
export const personIdSchema = z.uuid('This is not an id.').toLowerCase()

/** Path parameters of somebody of the staff. */
export const byPerson = z.object({ id: personIdSchema })

/** Path parameters of one entity. */
export const byId = z.object({ id: idSchema })
export const nothing = z.object({})

/** The versions that the person saw of several entities, by id; any stale one is refused (rules 12). */
export const expected = () =>
  withFieldMeta(
    z.record(z.string().regex(plainDecimal, 'This is not an id.'), z.int({ error: required }).min(0)),
    'hidden',
    'Expected versions',
  )

/** Of a DELETE: its version, which `version()` of the body stands for, travels as a parameter (rules 17). */
export const versionParam = z.object({ version: decimal('Enter a whole number', 0).optional() })

/** The version that the person saw; a stale one is refused (rules 12). */
export const version = () => withFieldMeta(z.int({ error: required }).min(0), 'hidden', 'Version')
