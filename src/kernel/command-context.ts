import type { CallHead } from '#contract/define.ts'
import type { Filter, FilterSetting } from '#contract/filter.ts'
import type { ExportFormat, Theme } from '#kernel/command-host.ts'

/** The rows a person has chosen: commands match it by the entity's name. */
export interface Selection {
  entity: string
  /** Ids in the order of the list. With `filter`, those among them that are loaded. */
  ids: readonly string[]
  /** The rows by id, as far as they are loaded. */
  rows: ReadonlyMap<string, unknown>
  /** Set when everything that matches is selected: the list's own query. */
  filter: Readonly<Record<string, string>> | null
  /** How many that are; null while it is not known. */
  count: number | null
  /** `marked` rows were chosen one by one or all at once; `active` is the one row or record under the cursor. */
  how: 'marked' | 'active'
}

/** The list that is open. */
export interface OpenPane {
  /** Key of the pane: `employees`. */
  name: string
  entity: string
  title: string
  filters: readonly Filter[]
  set: readonly FilterSetting[]
  /** Whether it can be searched by text. */
  searched: boolean
  /** Whether anything narrows it: a filter, also one that is not understood, or its search. */
  narrowed: boolean
  columns: readonly { id: string; title: string }[]
  /** Those that are drawn, in their order. */
  shown: readonly string[]
  /** The column of the active cell; null where a whole row is active. */
  cell?: string | null
  /** Where it is; null for a list in the tab of a record. */
  path: string | null
  /** Its filters and its order, as the address has them. */
  search: string
  /** Its named views, `own` where the person saved it, and the one that is shown; null where it shows something else. */
  named: readonly { id: string; title: string; search: string; own?: true }[]
  view: string | null
  /** Empty where the list has one order only. */
  sorts: readonly { id: string; title: string }[]
  sort: { id: string; order: 'asc' | 'desc' } | null
  /** The format that a list was exported in last, in this browser. */
  exportFormat?: ExportFormat
}

/** Everything that decides what can be done now; pure data, so that every answer can be tested. */
export interface CommandContext {
  signedIn: boolean
  /** Permission ids held. */
  held: ReadonlySet<number>
  /** Whether the API behind this portal offers a call, and takes a parameter of it. */
  supports: (call: CallHead, parameter?: string) => boolean
  selection: Selection | null
  pane: OpenPane | null
  /** The record that is open beside or instead of the list. */
  open: { entity: string; id: string } | null
  /** The tab of it that has the keyboard, `employee.invoices`; missing in the first one and elsewhere. */
  tab?: string | null
  /** Rows of the list in that tab, while it has the keyboard: those that are marked, else the one at the cursor. */
  tabRows?: { of: { entity: string; id: string }; kind: string; rows: readonly unknown[] }
  /** The record whose notes are shown beside the work. */
  notes?: { entity: string; id: string }
  online: boolean
  /** The id of the person who is signed in. */
  person?: string
  /** What the person chose for this browser; forms about it start with that. */
  choices?: { theme: Theme; letters: boolean }
}
