import { z } from 'zod'
import { isWritten } from '#domain/text.ts'
import type { CallHead } from '#contract/define.ts'

/** How a form renders a field; each kind is rendered in one place, `src/portal/form`. */
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

/** Options of a choice: `gives` are permissions that an option includes, `note` is shown after its label. */
export type Options = readonly { value: string; label: string; gives?: readonly number[]; note?: string }[]

/** The API call that lists the options of a field. */
export interface ListedBy {
  /** An endpoint; its schemas are not part of this type, since the type of a registry of schemas cannot contain schemas. */
  call: CallHead
  query?: Readonly<Record<string, string>>
  /** The options in a successful answer. */
  options: (answer: never) => Options
}

/** Metadata of a field's schema; stored in zod's registry and read through optional, nullable and default. */
export interface FieldMeta {
  kind: FieldKind
  title: string
  help?: string
  /** Labels of the values of a choice. */
  labels?: Readonly<Record<string, string>>
  /** For a reference: the name of the entity. */
  entity?: string
  /** For references: restricts the search, as parameters of the entity's list. */
  within?: Readonly<Record<string, string>>
  /** For a text or a secret: several lines, as pasted from a spreadsheet or a file. */
  lines?: true
  /** For a wizard: its step. */
  step?: string
  /** On a page: the heading above it. */
  section?: string
  /**
   * Shown only while another field has this value, one `in` these, or `has` it among others. Else it is hidden, or read-only
   * with the value `otherwise`.
   */
  when?: { field: string; is?: unknown; in?: readonly unknown[]; has?: unknown; otherwise?: unknown }
  /** It may be omitted only if it is not asked for: its label does not say 'optional'. */
  needed?: true
  /** Not stored in the browser or the history, like a secret: people paste a private key here by mistake. */
  unkept?: true
  /** For a secret: the browser can generate one, which is shown until the form is left. */
  makes?: boolean
  /** For a choice with a default that rarely changes: the initial focus is after it. */
  settled?: true
  /** Sort order; fields without one keep the schema's order. */
  order?: number
  /** For `choices`, if not fixed by the schema; `gives` are the permissions that an option grants. */
  options?: Options
  /** For a choice with options from the API; `options` are used until it has answered, and if it has no such call. */
  listedBy?: ListedBy
  /** For a date in the past: `fri` means the last one. */
  past?: true
  /** Another field whose value this one is rendered with: permissions that the selected groups include are marked. */
  beside?: string
  /** For `rows`: the field that names a row. */
  key?: string
  /** For `table`: the noun for a row, `column`. */
  one?: string
  /** For a choice in a `table`: which values another field of the form allows, by the value of that field. */
  only?: { field: string; values: Readonly<Record<string, readonly string[]>> }
  /** For a file: its allowed extensions, and its maximum size in bytes. */
  accept?: readonly string[]
  max?: number
  /**
   * For `rows`: the lines are independent, so that all of them can be filled in full at once. For `money`: an empty value, or
   * `*`, means the full amount.
   */
  inFull?: true
  /** Whether repeating the command fills it in as last time; by default reasons, notes and decisions are (`kernel/repeat.ts`). */
  repeats?: boolean
}

export const fieldMeta = z.registry<FieldMeta>()

/** The specification's general message for an empty field (AUTH-017). */
export const required = 'This is a required field.'

export type Extra = Partial<Omit<FieldMeta, 'kind' | 'title'>>

/** A schema as a field of a form: its kind, its title, and further metadata. */
export const withFieldMeta = <S extends z.ZodType>(schema: S, kind: FieldKind, title: string, extra?: Extra): S => {
  fieldMeta.add(schema, { kind, title, ...extra })
  return schema
}

/** Trimmed, and with a visible character: a reason of zero-width spaces is empty. */
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

/** A line of text that satisfies a predicate; `sentence` is the message if it does not. */
export const textOf = (title: string, max: number, kind: { is: (value: string) => boolean; sentence: string }, extra?: Extra) =>
  withFieldMeta(written(max, /[\p{Cc}\u2028\u2029]/u).refine(kind.is, kind.sentence), 'text', title, extra)

/** Several lines of text, trimmed; 500 characters as a note (NOTE-002). */
export const longText = (title: string, max = 500, extra?: Extra) =>
  withFieldMeta(written(max, /[^\P{Cc}\t\n\r]/u), 'long-text', title, extra)

/** E-mail of a person or record; the sign-in screens have their own messages (docs/rules/sign-in.md, AUTH-006). */
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

/** Maximum amount, 100 million dollars in cents: no sum exceeds the safe integers. */
const maxMoney = 10_000_000_000

/** Bounds of a number, in its own unit, and the messages for a missing, a too small and a too large one. */
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

/** Message for a value that is not an amount. */
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

/** Basis points, typed and shown in percent. */
export const percentage = (title: string, { min = 0, max = 10_000, missing, below, above, ...extra }: Extra & Bounds = {}) =>
  withFieldMeta(bounded('Enter a percentage such as 12.5', { min, max, missing, below, above }), 'percentage', title, extra)

/** An integer within bounds. */
export const integer = (title: string, { min, max, missing, below, above, ...extra }: Extra & Bounds = {}) =>
  withFieldMeta(bounded('Enter a whole number', { min, max, missing, below, above }), 'integer', title, extra)

/** Message for a value that is not a date. */
export const noDate = 'Enter a date such as 2026-11-20'

const isoDate = (missing: string) => z.iso.date({ error: (issue) => (issue.input ? noDate : missing) })

/** A valid calendar date without a time, `yyyy-MM-dd`. */
export const dateSchema = isoDate(required)

/** A date field: see dateSchema; `missing` is the message for an empty one. */
export const date = (title: string, { missing = required, ...extra }: Extra & { missing?: string } = {}) =>
  withFieldMeta(isoDate(missing), 'date', title, extra)

/** Message for a value that is not among the options. */
export const noValue = 'There is no such value.'

/** One of several values, with labels. */
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

/** A subset of several values. */
export const choices = <const Values extends readonly string[]>(
  title: string,
  values: Values,
  labels: Readonly<Record<string, string>>,
  extra?: Extra,
) => withFieldMeta(z.array(z.enum(values, { error: noValue })).min(1, required), 'choices', title, { labels, ...extra })

/** Message for an empty list (VAL-015). */
export const noItem = 'At least one item is required.'

/** Free text items without duplicates. */
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

/** One of options that are only known when the form is rendered, or that the API lists. The server refuses any other. */
export const oneOf = (title: string, options: Options, extra?: Extra) =>
  withFieldMeta(z.string({ error: required }).min(1, required).max(200, noValue), 'choice', title, { options, ...extra })

/** A subset of options that are only known when the form is rendered. */
export const someOf = (title: string, options: Options) =>
  withFieldMeta(z.array(z.string()).min(1, required), 'choices', title, { options })

const plainDecimal = /^(0|[1-9]\d{0,15})$/

/**
 * An integer in an address: plain decimal digits only, so that `0x10`, `1e2`, a space or `007` are refused instead of being
 * parsed. `sentence` is the message.
 */
export function decimal(sentence: string, min: number, max = Number.MAX_SAFE_INTEGER) {
  return z
    .union([z.int(), z.string().regex(plainDecimal)], { error: sentence })
    .pipe(z.coerce.number<string | number>().int(sentence).min(min, sentence).max(max, sentence))
}

/** Integer cents in an address: plain decimal digits, with a leading minus for negative amounts. */
export const centsSchema = z
  .union([z.int(), z.string().regex(/^(0|-?[1-9]\d{0,10})$/)], { error: noAmount })
  .pipe(z.coerce.number<string | number>().int(noAmount).min(-maxMoney, noAmount).max(maxMoney, noAmount))

/** The id of another entity, chosen by search. */
export const reference = (title: string, entity: string, extra?: Extra) =>
  withFieldMeta(decimal(required, 1), 'reference', title, { entity, ...extra })

/** The ids of several entities, each chosen by search; at most 1,000. */
export const references = (title: string, entity: string, extra?: Extra) =>
  withFieldMeta(z.array(decimal(required, 1), { error: required }).min(1, required).max(1_000), 'references', title, {
    entity,
    ...extra,
  })

/** The same, but may be empty. */
export const anyReferences = (title: string, entity: string, extra?: Extra) =>
  withFieldMeta(z.array(decimal(required, 1)).max(1_000), 'references', title, { entity, ...extra })

/** A value that is only sent with the request and stored nowhere else; `schema` validates it. */
export const secret = <S extends z.ZodType>(title: string, schema: S, extra?: Extra): S =>
  withFieldMeta(schema.clone() as S, 'secret', title, extra)

/** A subset of options with numeric ids. */
export const idChoices = (title: string, options: Options, extra?: Extra) =>
  withFieldMeta(z.array(decimal(required, 1)).max(200), 'choices', title, { options, ...extra })

/** Permissions as rows of See and Edit, and those without a pair; `beside` names the field of groups. */
export const permissionChoices = (title: string, options: Options, extra?: Extra) =>
  withFieldMeta(z.array(decimal(required, 1)).max(200), 'permissions', title, { options, ...extra })

/** A list of objects as lines to fill in: the command provides the lines, `key` is the field that names one. */
export const rows = <S extends z.ZodType>(title: string, list: S, key: string, extra?: Extra): S =>
  withFieldMeta(list.clone() as S, 'rows', title, { key, ...extra })

/** A list of objects as rows that a person adds, removes, moves and pastes; `one` is the noun for a row. */
export const table = <S extends z.ZodType>(title: string, list: S, one: string, extra?: Extra): S =>
  withFieldMeta(list.clone() as S, 'table', title, { one, ...extra })

/** Yes or no, rendered as a switch. */
export const onOff = (title: string, extra?: Extra) => withFieldMeta(z.boolean(), 'switch', title, extra)

/** The id of a person, company or record: positive, and within the range of every type that carries it. */
export const idSchema = decimal('This is not an id.', 1)

/** The id of a staff member. */
export const personIdSchema = z.uuid('This is not an id.').toLowerCase()

/** Path parameters of a staff member. */
export const byPerson = z.object({ id: personIdSchema })

/** Path parameters of one entity. */
export const byId = z.object({ id: idSchema })
export const nothing = z.object({})

/** When a record was created and last changed, and its version. */
export const stamps = { created_at: z.iso.datetime(), updated_at: z.iso.datetime(), version: z.int() }

/** The versions of several entities that the caller saw, by id; any stale one is refused (docs/rules/api.md). */
export const expected = () =>
  withFieldMeta(
    z.record(z.string().regex(plainDecimal, 'This is not an id.'), z.int({ error: required }).min(0)),
    'hidden',
    'Expected versions',
  )

/** The version for a DELETE, sent as a parameter instead of `version()` in the body (docs/rules/api.md). */
export const versionParam = z.object({ version: decimal('Enter a whole number', 0).optional() })

/** The version that the caller saw; a stale one is refused (docs/rules/api.md). */
export const version = () => withFieldMeta(z.int({ error: required }).min(0), 'hidden', 'Version')
