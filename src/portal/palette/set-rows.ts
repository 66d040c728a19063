import { startRun } from '#contract/runs.ts'
import { capitalize } from '#domain/text.ts'
import type { Command } from '#kernel/command.ts'
import type { CommandContext } from '#kernel/command-context.ts'
import type { AnyEntity } from '#kernel/entity.ts'
import { bulkable, isOneIntent } from '#kernel/dry-run.ts'
import { host } from '#portal/commands/host.ts'
import { narrowing, ownSearch, readFilters } from '#portal/list/filters.ts'
import { commandRow } from '#portal/palette/command-rows.ts'
import type { CommandRow } from '#portal/palette/row.ts'

/** Records that a command can be run on together: what a list shows. */
export interface ListedSet {
  key: string
  tier: number
  /** `write-offs · Status is Pending` */
  words: string
  /** Filters and text search, as in the address of the list. */
  search: URLSearchParams
}

/** What the command of a list shows with filters and a text search, `params`. */
export function setShown({ key, tier, title, command, params = {} }: CommandRow): ListedSet {
  let address = ''
  if ('act' in command) command.act({ ...host, open: (path) => (address = path) }, undefined, params)
  return { key, tier, words: title.replace(/^Show /, ''), search: new URL(address, location.origin).searchParams }
}

/**
 * A command for everything that a list shows: `approve write-offs under 50`. Its form counts first, and changes nothing before the
 * count was typed. Null if the server cannot run it on a filter, and for a list without any filter, which nobody means by a verb.
 */
export function setRow(verb: Command, set: ListedSet, entity: AnyEntity, context: CommandContext): CommandRow | null {
  if (!bulkable(verb) || !isOneIntent(verb) || !context.supports(startRun)) return null
  const { key, tier, words, search } = set
  const read = readFilters(entity.filters, ownSearch(search), context.held)
  const filter = narrowing(read, search.get('q') ?? '', entity.list)
  if (read.some(({ problem }) => problem) || !Object.keys(filter).length) return null
  const targets = { entity: entity.name, ids: [], filter, count: null, words: capitalize(words) }
  const selection = { ...targets, rows: new Map(), how: 'marked' as const }
  const row = commandRow(verb, { ...context, selection }, null)
  return {
    ...row,
    ...{ key: `${verb.id} ${key}`, targets, tier, chord: null, exact: true },
    title: `${verb.title}: ${words}`,
    note: row.usable ? 'counted first' : row.note,
    preselects: false,
  }
}
