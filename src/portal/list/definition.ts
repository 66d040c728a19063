import type { AnyEndpoint } from '#contract/define.ts'
import type { NamedView } from '#contract/named-views.ts'
import type { Filter } from '#contract/filter.ts'
import type { Need } from '#domain/permissions.ts'
import type { Fact } from '#kernel/sentence/fact-names.ts'
import type { AnyEntity, AnyRowKind, Total } from '#kernel/entity.ts'

/**
 * A cell as a typed value: cents with an optional unit (`/ h`), a day `yyyy-MM-dd`, an ISO time or a plain number; null for an
 * empty cell.
 */
export type CellValue = { cents: number; unit?: string } | { day: string } | { time: string } | { number: number } | null

/** The part of a column that the list state needs; rendering is defined by the pane. */
export interface ListColumn extends Fact {
  /** Permission to see the column; without it, cells are masked. */
  readonly needs?: Need
  /** The cell as plain text. */
  // biome-ignore lint/suspicious/noExplicitAny: a column of any noun; no field of it is read
  readonly text: (row: any) => string
  /** The cell as a typed value for exports; text if omitted. */
  // biome-ignore lint/suspicious/noExplicitAny: see `text`
  readonly value?: ((row: any) => CellValue) | undefined
  /**
   * For amounts: the name of its sum in the totals of the list's count. False if its amounts are not added up, such as a running
   * balance.
   */
  readonly sum?: string | false
}

/** The data source of a list. `id` is the record whose tab the list is in. */
export interface ListSource {
  readonly endpoint: AnyEndpoint
  /** For rows that need several calls: these are made one after the other, and each answers in full. */
  readonly parts?: readonly AnyEndpoint[]
  /** Path parameters. */
  readonly at?: (id: string) => Readonly<Record<string, string>>
  /** Query parameters of every read of rows. */
  readonly always?: Readonly<Record<string, string>>
  /** Query parameters that restrict the list to the record. */
  readonly query?: (id: string) => Readonly<Record<string, string>>
  /**
   * If the rows are read by another call than their noun's list: converts a query of this call into one of that list, for the
   * count and for 'all that match'.
   */
  readonly inWhole?: (query: Readonly<Record<string, string>>, id: string) => Readonly<Record<string, string>>
  /** Extracts the rows from an answer. */
  readonly rows: (answer: never) => readonly unknown[]
  readonly count?: AnyEndpoint | undefined
  /** Totals of all matching rows for the status bar; read with the filters' query, like the count. */
  readonly totals?: { readonly from: AnyEndpoint; readonly read: (answer: never) => readonly Total[] } | undefined
}

/**
 * What Enter on a row opens: a record, another tab or a command on the record around the list (named without its noun), a command
 * on another record, or a command that creates a record with initial values.
 */
export type Lead =
  | { readonly entity: AnyEntity; readonly id: string }
  | { readonly tab: string }
  | { readonly command: string }
  | {
      readonly run: string
      readonly on: { readonly entity: AnyEntity; readonly id: string }
      readonly params?: Readonly<Record<string, unknown>>
    }
  | { readonly run: string; readonly params: Readonly<Record<string, unknown>> }

/** What is the same in every instance of a list: a noun's own, or one in a record's tab. */
export interface ListDefinition {
  /** Key for storage: `invoices`, `invoice.repayments`. */
  readonly name: string
  readonly title: string
  /** Plural of its rows, for the search field and the message of an empty list. */
  readonly many: string
  readonly rowKind: AnyRowKind
  /** The noun of its rows; null for rows that are not records, such as the lines of an invoice. */
  readonly entity: AnyEntity | null
  /** What Enter opens, for rows that are not records. */
  // biome-ignore lint/suspicious/noExplicitAny: a row of any noun; no field of it is read
  readonly leadsTo?: (row: any) => Lead | null
  /**
   * The records that commands on its rows apply to, for rows that are not records themselves. If omitted or null, commands apply
   * to the record around the list.
   */
  readonly standsFor?: (ids: readonly string[]) => { entity: string; ids: readonly string[] } | null
  readonly source: ListSource
  /** Message of a failed load, above the server's text; 'Unable to load invoices' if there is neither. */
  readonly failed?: string
  /** Message of an empty list; 'There are no invoices yet.' by default. */
  readonly none?: string
  /** Id of the command that adds the first row. */
  readonly next?: string
  /** In the demo company the rows are created after the first start; an empty list says so until then. */
  readonly madeLater?: true
  readonly filters: readonly Filter[]
  /** False if the API has no text search for it. */
  readonly searched: boolean
  readonly columns: readonly ListColumn[]
  /** Ids of the columns shown by default. */
  readonly shown: readonly string[]
  /** The lists shown beside it as tabs, including itself. */
  readonly beside?: readonly { readonly title: string; readonly path: string }[]
  /** Its named views; the first one is the default. */
  readonly named?: readonly NamedView[]
  /** Empty if the API has only one order. Sorting by a masked column would reveal it, and needs the same permission. */
  readonly sorts: readonly { id: string; title: string; needs?: Need | undefined }[]
  /** Starts with the last row until the user sorts it. */
  readonly newestFirst?: true
}

/** Identifies an instance of a list. */
export interface ListScope {
  /** Prefix of its parameters in the address: empty for a noun's own list, `invoices-` in a tab. */
  readonly prefix: string
  /** The record whose tab it is in. */
  readonly of: { readonly entity: string; readonly id: string } | null
}
