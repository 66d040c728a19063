import type { AnyEndpoint } from '#contract/define.ts'
import type { NamedView } from '#contract/named-views.ts'
import type { Filter } from '#contract/filter.ts'
import type { Need } from '#domain/permissions.ts'
import type { AnyEntity, AnyRowKind, Total } from '#kernel/entity.ts'

/**
 * A cell as a typed value: cents, with what they are for (`/ h`), a day `yyyy-MM-dd`, an ISO time or a plain number; null where the
 * cell is empty.
 */
export type CellValue = { cents: number; unit?: string } | { day: string } | { time: string } | { number: number } | null

/** What the state of a list reads of a column; how it is drawn is the pane's. */
export interface ListColumn {
  readonly id: string
  readonly title: string
  /** Without it the column is masked. */
  readonly needs?: Need
  /** The cell as plain text. */
  // biome-ignore lint/suspicious/noExplicitAny: the width of every column, where no field of a noun is read
  readonly text: (row: any) => string
  /** The cell as a typed value, for exported files; without it the cell is text. */
  // biome-ignore lint/suspicious/noExplicitAny: see `text`
  readonly value?: ((row: any) => CellValue) | undefined
}

/** A column set; `id` stands in the address as `view`. */
export interface ListView {
  readonly id: string
  readonly title: string
  readonly columns: readonly ListColumn[]
  /** Ids of the columns that are shown until somebody chooses. */
  readonly shown: readonly string[]
}

/** Where the rows of a list are read. `id` is that of the record whose tab the list is in. */
export interface ListSource {
  readonly endpoint: AnyEndpoint
  /** The calls that the rows are read by one after the other, where these are several, each answered whole. */
  readonly parts?: readonly AnyEndpoint[]
  /** Parameters of the path. */
  readonly at?: (id: string) => Readonly<Record<string, string>>
  /** Parameters that every read of rows carries. */
  readonly always?: Readonly<Record<string, string>>
  /** Parameters that narrow it to the record. */
  readonly query?: (id: string) => Readonly<Record<string, string>>
  /**
   * What the rows are a part of, where they are read by another call than the list of their noun: the query of that list for a
   * query of this one, for the count and for 'all that match'.
   */
  readonly inWhole?: (query: Readonly<Record<string, string>>, id: string) => Readonly<Record<string, string>>
  /** The rows of an answer. */
  readonly rows: (answer: never) => readonly unknown[]
  readonly count?: AnyEndpoint | undefined
  /** What all that match come to, for the status bar; read with the filter's query, as the count is. */
  readonly totals?: { readonly from: AnyEndpoint; readonly read: (answer: never) => readonly Total[] } | undefined
}

/**
 * Where a row leads: to a record, or on the record around the list to another tab or to a command, named without its noun; or to
 * a command on another record, or one that makes a record and whose form starts with what is given.
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

/** What is the same in every instance of a list: a noun's own, or one in the tab of a record. */
export interface ListDefinition {
  /** Key of what is kept for it: `invoices`, `invoice.repayments`. */
  readonly name: string
  readonly title: string
  /** Its rows in the plural, for the search field and the sentence of an empty list. */
  readonly many: string
  readonly rowKind: AnyRowKind
  /** The noun of its rows; null for rows that are no records of their own: the lines of an invoice. */
  readonly entity: AnyEntity | null
  /** What Enter opens, for rows that are no records of their own. */
  // biome-ignore lint/suspicious/noExplicitAny: the width of every row, where no field of a noun is read
  readonly leadsTo?: (row: any) => Lead | null
  /**
   * What commands on its rows are done to, where these are no records but stand for some. Without it, and where it is null,
   * they stay with the record around the list.
   */
  readonly standsFor?: (ids: readonly string[]) => { entity: string; ids: readonly string[] } | null
  readonly source: ListSource
  /** Said where they could not be loaded, above the server's words; these alone, else 'Unable to load invoices', without it. */
  readonly failed?: string
  /** Said where there are no rows; 'There are no invoices yet.' without it. */
  readonly none?: string
  /** In the demo company its rows are made after the first start; a list without rows says so meanwhile. */
  readonly madeLater?: true
  readonly filters: readonly Filter[]
  /** False where the API does not search it by text. */
  readonly searched: boolean
  /** The first is the one of an address without `view`. */
  readonly views: readonly ListView[]
  /** The lists that stand beside it as tabs, itself among them; none without it. */
  readonly beside?: readonly { readonly title: string; readonly path: string }[]
  /** The parts of it that have a name; the first is where it opens. */
  readonly named?: readonly NamedView[]
  /** Empty where the API has one order only. An order by what is masked tells it, and is none without the right. */
  readonly sorts: readonly { id: string; title: string; needs?: Need | undefined }[]
  /** Until somebody sorts it, the list begins with the last one. */
  readonly newestFirst?: true
}

/** Which instance of a list it is. */
export interface ListScope {
  /** Before the names of its parameters in the address: nothing for a noun's own list, `invoices-` in a tab. */
  readonly prefix: string
  /** The record whose tab it is in. */
  readonly of: { readonly entity: string; readonly id: string } | null
}
