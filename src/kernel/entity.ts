import type { z } from 'zod'
import type { AnyEndpoint } from '#contract/define.ts'
import type { Filter } from '#contract/filter.ts'
import type { States } from '#domain/status.ts'
import type { Ids } from '#kernel/ids.ts'

/** One sum of a list, in cents. */
export interface Total {
  title: string
  cents: number
}

/** What rows of one kind have in common: nouns, and rows that are no records of their own, as the lines of an invoice. */
export interface RowKind<T = unknown> {
  readonly name: string
  readonly id: (row: T) => string
  /** What of two answers about one row is newer. */
  readonly version: (row: T) => number
}

/** What the palette, forms, links, chips, confirmations and the terminal need of a noun. Panes add columns. */
export interface Entity<T = unknown> extends RowKind<T> {
  readonly kind: 'entity'
  /** `employee`: folder of its commands, prefix of its cache, `entity` of its audit. */
  readonly name: string
  readonly one: string
  readonly many: string
  /** Name of its icon. */
  readonly icon: string
  /** What its ids look like when somebody types or pastes one. */
  readonly ids: Ids
  /** The page of one, and of all: `/employees/104234`, `/employees`. */
  readonly path: string
  readonly schema: z.ZodType<T>
  /** Reads one. */
  readonly get: AnyEndpoint
  readonly list: AnyEndpoint
  /** Parameters that every read of the list carries. */
  readonly query: Readonly<Record<string, string>>
  /** The rows of a list's answer. */
  readonly rows: (answer: never) => readonly T[]
  readonly count?: AnyEndpoint
  /** What all that match come to, for the status bar; read with the filter's query, as the count is. */
  readonly totals?: { readonly from: AnyEndpoint; readonly read: (answer: never) => readonly Total[] }
  /** Reads what happened to one, newest first: `events` of `{ actor: { name }, status }`. */
  readonly events?: AnyEndpoint
  /** The filters that `events` takes, where the history is not a list with filters of its own. */
  readonly eventFilters?: readonly Filter[]
  readonly filters: readonly Filter[]
  /** The orders of its list that are meant by `largest` and by `newest`. */
  readonly orders?: Readonly<Partial<Record<'amount' | 'date', string>>>
  /**
   * True where no index finds rows by a text, however many there are: the palette asks for them where their list is open or they
   * alone can be meant, and not with every text that is typed.
   */
  readonly slowToSearch?: true
  /** True for what tells of other things, whose titles begin with what was done: found by a text it comes after all that is found as well. */
  readonly tells?: true
  /** So few that a command offers them all where it asks which. */
  readonly few?: true
  readonly title: (record: T) => string
  readonly subtitle: (record: T) => string
  /** Null where it is masked for the person. */
  readonly status?: EntityStatus<T>
  /** The figure that matters of it, in words, `$120.00 outstanding`: beside its name where it was found. */
  readonly figure?: (record: T) => string
  /** Everything a person might type to find it, beside the title; best first. */
  readonly keywords: (record: T) => readonly string[]
  /** What is typed to confirm something irreversible. */
  readonly confirmWith: (record: T) => string
  /** Said when one cannot be read and the API gives no reason; 'Employee 104234 could not be loaded.' without it. */
  readonly notLoaded?: string
  /** True where the noun has a pane and a page of its own to open. */
  readonly pane: boolean
  /** Of a noun that no search finds: where it is, `the tab File Mapping of an employer`. */
  readonly foundIn?: string
  /** The tabs of its record that come after General, in their order: by id, the title. */
  readonly tabs?: Readonly<Record<string, string>>
}

/** How one stands, among the states of its noun. */
interface EntityStatus<T> {
  readonly of: (record: T) => string | null
  readonly states: States
}

// biome-ignore lint/suspicious/noExplicitAny: the width of every entity, where no field of a noun is read
export type AnyEntity = Entity<any>

// biome-ignore lint/suspicious/noExplicitAny: see AnyEntity
export type AnyRowKind = RowKind<any>

/** Declares a noun. */
export const defineEntity = <T>(entity: Omit<Entity<T>, 'kind'>): Entity<T> => ({ kind: 'entity', ...entity })

/**
 * What one is called, with its id where people write that and the title does not tell it: 'Benjamin Ortiz · 104234',
 * 'INV-40001'; where nobody says the id, with what else tells it from others.
 */
export function nameOf(entity: AnyEntity, record: unknown): string {
  const title = entity.title(record)
  if (!entity.ids.isSpoken) return `${title} · ${entity.subtitle(record)}`
  return !entity.ids.written || title.includes(entity.id(record)) ? title : `${title} · ${entity.id(record)}`
}

/** The id of the command that opens one. */
export const openCommand = ({ name }: Pick<AnyEntity, 'name'>): string => `link.open.${name}`

/** The address of one, within the portal. */
export const pathOf = (entity: AnyEntity, id: string): string => `${entity.path}/${encodeURIComponent(id)}`
