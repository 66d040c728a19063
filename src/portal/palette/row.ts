import type { Availability } from '#kernel/availability.ts'
import type { Command } from '#kernel/command.ts'
import type { AnyEntity } from '#kernel/entity.ts'
import type { Meaning } from '#kernel/filter-words.ts'
import type { Targets } from '#portal/platform/commands.ts'

interface Common {
  /** Stable for the same record or command, whatever is typed. */
  key: string
  icon: string
  title: string
  /** Muted text after the title: a reason, an id. */
  note: string | null
  /** The text it matched by other than the title: an alias, a code. The typed letters are marked in it. */
  found: string | null
  tier: number
  /** True if Enter runs it; otherwise Enter says the reason. */
  usable: boolean
  /** False if it must not be preselected. */
  preselects: boolean
  /** Its shortcut; that of a record is the one of a favourite. */
  chord?: string | null
}

/** A command with its targets; `targets` is null if it needs none or asks for them. */
export interface CommandRow extends Common {
  kind: 'command'
  command: Command
  state: Availability
  targets: Targets | null
  /** True if it cannot be undone, which may depend on the selection. */
  final: boolean
  /** True if its whole title, an alias or its id was typed: it is then sent without an extra confirmation. */
  exact: boolean
  /** True if only initials were typed. */
  byInitials: boolean
  /** True for a command on a found record: it is active only once the search is finished. */
  onFound?: true
  /** Parameters parsed from the text. */
  params?: Record<string, unknown>
  /** For a sentence: its values as words, which begin the note and are shown as chips, and the number of words they were typed in. */
  spoken?: { parts: readonly string[]; count: number }
  /** The filter it sets in the open list; its link includes it. */
  narrows?: Meaning
}

/** One record; `record` is undefined if only its title is known. */
export interface RecordRow extends Common {
  kind: 'record'
  entity: AnyEntity
  id: string
  record: unknown
  /** True if it matched only through its parent, for example an employee by the name of the employer. */
  through?: boolean
  /** True for a guess with a similarly spelled name. It is never preselected. */
  similar?: true
  /** The value that was asked for, `Hired: 4 Mar 2021`, with which the note begins. */
  answer?: string
}

/** An id whose lookup has not answered: Enter asks the server. */
export interface AskRow extends Common {
  kind: 'ask'
  entity: AnyEntity
  id: string
}

/** A failed search: Enter repeats it. */
export interface RetryRow extends Common {
  kind: 'retry'
}

/** A text that Enter types into the field: the first character of a mode, or an example. */
export interface TextRow extends Common {
  kind: 'text'
  text: string
}

/** A part of a list, opened at its address. */
export interface PlaceRow extends Common {
  kind: 'place'
  address: string
}

export type Row = CommandRow | RecordRow | AskRow | RetryRow | TextRow | PlaceRow

export interface Group {
  key: string
  title: string
  /** `first 8` of more. */
  note: string | null
  rows: readonly Row[]
}

/** Everything that the palette shows for the typed text. */
export interface Results {
  groups: readonly Group[]
  rows: readonly Row[]
  /** Index of the row that is active before any key moved it; -1 for none. */
  preselected: number
  /** True if no outstanding answer can change the preselected row. */
  sure: boolean
  /** Shown in place of rows. */
  empty: string | null
}
