/** Options that every command takes. */
export interface Flags {
  /** Base address; the last one signed in at by default. */
  at?: string | undefined
  json: boolean
  dryRun: boolean
  help: boolean
  /** The word or the count that confirms. */
  confirm?: string | undefined
  /** Path of the file to write a download to; `-` for standard output. */
  output?: string | undefined
  /** Seconds to wait for an answer to a change. */
  wait: number
  limit?: number | undefined
  all: boolean
  ids: boolean
  columns?: string | undefined
  sort?: string | undefined
  order?: 'asc' | 'desc' | undefined
}

/** What a person typed for a command: its records, the words behind them, and the options of its fields. */
export interface Invocation {
  /** Ids or names of records; null if they come from standard input. */
  targets: readonly string[] | null
  words: readonly string[]
  options: ReadonlyMap<string, string>
  flags: Flags
}
