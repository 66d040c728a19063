import type { z } from 'zod'
import type { AnyEndpoint } from '#contract/define.ts'
import type { Filter } from '#contract/filter.ts'
import type { States } from '#domain/status.ts'
import type { Ids } from '#kernel/ids.ts'

/** Phrases by what they stand for, in words of titles and labels. */
export type Phrases = Readonly<Record<string, readonly string[]>>

/** A total of a list, in cents. */
export interface Total {
  title: string
  cents: number
}

/** Common to entities and to rows that are not records of their own, such as invoice lines. */
export interface RowKind<T = unknown> {
  readonly name: string
  readonly id: (row: T) => string
  /** Of two answers about the same row, the one with the higher version is newer. */
  readonly version: (row: T) => number
}

/** What the palette, forms, links, chips, confirmations and the terminal need to know about a noun. Panes add columns. */
export interface Entity<T = unknown> extends RowKind<T> {
  readonly kind: 'entity'
  /** `employee`: folder of its commands, prefix of its cache keys, `entity` of its audit events. */
  readonly name: string
  readonly one: string
  readonly many: string
  /** Other words for several of it: `bills`. */
  readonly aliases?: readonly string[]
  /** Phrases for a part of its list, by what they stand for: `largest open invoices` is `who owes the most`. */
  readonly phrases?: Phrases
  /** Requests that do not exist here, `void invoice`, by the sentence that says what to do instead. */
  readonly instead?: Readonly<Record<string, readonly string[]>>
  /** Name of its icon. */
  readonly icon: string
  /** Format of its ids when typed or pasted. */
  readonly ids: Ids
  /** Page of its list, `/employees`; a record is at `/employees/104234`. */
  readonly path: string
  readonly schema: z.ZodType<T>
  /** Reads one record. */
  readonly get: AnyEndpoint
  readonly list: AnyEndpoint
  /** Parameters of every read of the list. */
  readonly query: Readonly<Record<string, string>>
  /** Rows of the list's answer. */
  readonly rows: (answer: never) => readonly T[]
  readonly count?: AnyEndpoint
  /** Totals of all matching rows, for the status bar; read with the filter's query, like the count. */
  readonly totals?: { readonly from: AnyEndpoint; readonly read: (answer: never) => readonly Total[] }
  /** Reads the history of one record, newest first: `events` of `{ actor: { name }, status }`. */
  readonly events?: AnyEndpoint
  /** Filters of `events`, unless the history is a list with filters of its own. */
  readonly eventFilters?: readonly Filter[]
  readonly filters: readonly Filter[]
  /** Sort orders of its list that `largest` and `newest` stand for. */
  readonly orders?: Readonly<Partial<Record<'amount' | 'date', string>>>
  /**
   * True if no index supports its text search: the palette searches it only if its list is open or no other noun can match, not
   * on every keystroke.
   */
  readonly slowToSearch?: true
  /** True for records about other records, whose titles begin with an action: in search results they rank after all equal matches. */
  readonly tells?: true
  /** Few enough that a command offers all of them as choices. */
  readonly few?: true
  readonly title: (record: T) => string
  readonly subtitle: (record: T) => string
  /** Null if it is masked for the person. */
  readonly status?: EntityStatus<T>
  /** Its most relevant figure in words, `$120.00 outstanding`: shown beside its name in search results. */
  readonly figure?: (record: T) => string
  /** Texts that find it, besides the title; best first. */
  readonly keywords: (record: T) => readonly string[]
  /** What the person types to confirm something irreversible. */
  readonly confirmWith: (record: T) => string
  /** Message if a record cannot be read and the API gives no reason; defaults to 'Employee 104234 could not be loaded.' */
  readonly notLoaded?: string
  /** True if the noun has a pane and pages of its own. */
  readonly pane: boolean
  /** For a noun that search does not find: where it is, `the tab File Mapping of an employer`. */
  readonly foundIn?: string
  /** Titles by id of its record's tabs after General, in order. */
  readonly tabs?: Readonly<Record<string, string>>
}

/** Status of a record among the states of its noun. */
interface EntityStatus<T> {
  readonly of: (record: T) => string | null
  readonly states: States
}

// biome-ignore lint/suspicious/noExplicitAny: any entity, where no field of a noun is read
export type AnyEntity = Entity<any>

// biome-ignore lint/suspicious/noExplicitAny: see AnyEntity
export type AnyRowKind = RowKind<any>

/** Declares a noun. */
export const defineEntity = <T>(entity: Omit<Entity<T>, 'kind'>): Entity<T> => ({ kind: 'entity', ...entity })

/**
 * Name of a record, with its id if people use it and the title lacks it: 'Benjamin Ortiz · 104234', 'INV-40001'. If its ids are
 * not spoken, with another distinguishing value.
 */
export function nameOf(entity: AnyEntity, record: unknown): string {
  const title = entity.title(record)
  if (!entity.ids.isSpoken) return `${title} · ${entity.subtitle(record)}`
  return !entity.ids.written || title.includes(entity.id(record)) ? title : `${title} · ${entity.id(record)}`
}

/** Id of the command that opens a record. */
export const openCommand = ({ name }: Pick<AnyEntity, 'name'>): string => `link.open.${name}`

/** Address of a record within the portal. */
export const pathOf = (entity: AnyEntity, id: string): string => `${entity.path}/${encodeURIComponent(id)}`
