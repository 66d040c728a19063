/** What a command is run on: rows by id, everything a filter matches, or nothing. */
export interface Targets {
  entity: string | null
  ids: readonly string[]
  filter: Readonly<Record<string, string>> | null
  count: number | null
  /** The filter in words, where no list shows it: 'All write-offs · Suggested amount under $50.00'. */
  words?: string
}
export const noTargets: Targets = { entity: null, ids: [], filter: null, count: 0 }

export interface StartOptions {
  /** What it is run on; without it the selection, else the person is asked. */
  targets?: Targets
  /** Initial values of the form. */
  params?: Record<string, unknown>
  /** Opens what it opens in a new tab. */
  newTab?: boolean
  /**
   * The parameters are complete, as typed by the person: a command that only changes the portal then runs without its form, and
   * another form starts at what is missing.
   */
  complete?: boolean
  /** Keeps the page of the palette that it is started from. */
  stays?: boolean
  /**
   * Chosen from a list by less than its whole name: a command that would send something without a form shows what it sends, and to
   * whom, and waits for one more Enter. `about` is the text of that page.
   */
  confirm?: { about: string }
  /** Started by a single letter: where it is refused, text typed right behind that is ignored instead of running as keys. */
  asText?: boolean
  /** Started by its own shortcut: its toast does not have to show that. */
  byKey?: true
}

/** What lists and records, which know no command, can ask of the commands and the palette. The composition provides it. */
export interface CommandEntry {
  start: (id: string, options?: StartOptions) => void
  /** Opens the palette with the commands of the target. */
  openActions: () => void
  /** Opens the palette on the filters of the open list. */
  openFilters: () => void
}

let provided: CommandEntry | undefined

/** Called once, before anything is drawn. */
export function provideCommands(entry: CommandEntry): void {
  provided = entry
}

function entry(): CommandEntry {
  if (!provided) throw new Error('The commands have not been provided.')
  return provided
}

/** Starts a command by its id, see `commands/start.ts`. */
export const startCommand: CommandEntry['start'] = (id, options) => entry().start(id, options)
/** Opens the palette with the commands of the target. */
export const openActions = (): void => entry().openActions()
/** Opens the palette on the filters of the open list. */
export const openFilters = (): void => entry().openFilters()
