import { capitalize } from '#domain/text.ts'
import type { Command } from '#kernel/command.ts'
import type { CommandContext } from '#kernel/command-context.ts'
import type { AnyEntity } from '#kernel/entity.ts'
import { bulkable } from '#kernel/dry-run.ts'
import { host } from '#portal/commands/host.ts'
import { byServer } from '#portal/commands/runs-on-server.ts'
import { narrowing, ownSearch, readFilters } from '#portal/list/filters.ts'
import { commandRow } from '#portal/palette/command-rows.ts'
import type { CommandRow } from '#portal/palette/row.ts'

/** The query of the list that a command opens, for its filters and search; null if one of them cannot be used. */
function queryOf(show: Command, params: object, entity: AnyEntity, held: ReadonlySet<number>): Record<string, string> | null {
  let address = ''
  if ('act' in show) show.act({ ...host, open: (path) => (address = path) }, undefined, params)
  const search = ownSearch(new URL(address, location.origin).searchParams)
  const read = readFilters(entity.filters, search, held)
  return read.some(({ problem }) => problem) ? null : narrowing(read, search.get('q') ?? '', entity.list)
}

/**
 * A command for everything that a list shows: `approve write-offs under 50`. Its form counts first, and changes nothing before the
 * count was typed. Null if the server cannot run it on a filter, and for a list without any filter, which nobody means by a verb.
 */
export function setRow(verb: Command, list: CommandRow, entity: AnyEntity, context: CommandContext): CommandRow | null {
  if (!bulkable(verb) || !byServer(verb)) return null
  const filter = queryOf(list.command, list.params ?? {}, entity, context.held)
  if (!filter || !Object.keys(filter).length) return null
  const words = list.title.replace(/^Show /, '')
  const targets = { entity: entity.name, ids: [], filter, count: null, words: capitalize(words) }
  const selection = { ...targets, rows: new Map(), how: 'marked' as const }
  const row = commandRow(verb, { ...context, selection }, null)
  return {
    ...row,
    ...{ key: `${verb.id} ${list.key}`, targets, tier: list.tier, chord: null, exact: true },
    title: `${verb.title}: ${words}`,
    note: row.usable ? 'everything that matches, counted first' : row.note,
    preselects: false,
  }
}
