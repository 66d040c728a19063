import type { Availability } from '#kernel/availability.ts'
import type { Command } from '#kernel/command.ts'
import type { AnyEntity } from '#kernel/entity.ts'
import type { Meaning } from '#kernel/filter-words.ts'
import type { Targets } from '#portal/palette/state.ts'

interface Common {
  /** The same for the same thing, whatever is typed. */
  key: string
  icon: string
  title: string
  /** The muted words behind the title: a reason, an id. */
  note: string | null
  /** By what it was found beside its title: another name, a code. The letters typed are marked in it. */
  found: string | null
  tier: number
  /** True where Enter does something; otherwise it says the reason. */
  usable: boolean
  /** False for what must be chosen on purpose. */
  preselects: boolean
}

/** A command, with what it would be done to; `targets` is null where it needs none or asks for it. */
export interface CommandRow extends Common {
  kind: 'command'
  command: Command
  state: Availability
  targets: Targets | null
  /** True if the row says that it cannot be undone, which may depend on the selection. */
  final: boolean
  /** True where its whole title, another name of it or its id was typed: what it sends without a form is then not asked for again. */
  exact: boolean
  /** True where only first letters of words were typed. */
  byInitials: boolean
  /** True where it is done to a record that the search found: it has the highlight only once the search is over. */
  onFound?: true
  /** What it is run with, where what was typed says it. */
  params?: Record<string, unknown>
  /** What of the list that is open it shows: its link leads there. */
  narrows?: Meaning
  chord: string | null
}

/** One thing; `thing` is undefined where only its title is known. */
export interface RecordRow extends Common {
  kind: 'record'
  entity: AnyEntity
  id: string
  record: unknown
  /** True where it was found by what it belongs to alone: somebody by the name of the employer. */
  through?: boolean
  /** True for a guess: its name is spelled nearly as what was typed. It is never highlighted by itself. */
  similar?: true
}

/** An id that nobody has answered for yet: Enter asks the server. */
export interface AskRow extends Common {
  kind: 'ask'
  entity: AnyEntity
  id: string
}

/** A search that failed: Enter searches again. */
export interface RetryRow extends Common {
  kind: 'retry'
}

/** A first character that narrows the search. */
export interface ModeRow extends Common {
  kind: 'mode'
  char: string
}

export type Row = CommandRow | RecordRow | AskRow | RetryRow | ModeRow

export interface Group {
  key: string
  title: string
  /** `found 2 in 4 ms`. */
  note: string | null
  rows: readonly Row[]
}

/** Everything that the list of the palette shows for what is typed. */
export interface Results {
  groups: readonly Group[]
  rows: readonly Row[]
  /** Index of the row that is active before any key moved it; -1 where it must be chosen on purpose. */
  preselected: number
  /** True where no answer that is outstanding can change which row that is. */
  sure: boolean
  /** Said instead of rows. */
  empty: string | null
}
