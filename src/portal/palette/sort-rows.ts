import { fold } from '#kernel/fold.ts'
import { commandRow } from '#portal/palette/command-rows.ts'
import type { FilterInput } from '#portal/palette/filter-rows.ts'
import type { CommandRow, Group } from '#portal/palette/row.ts'

/** Ranks before everything else: only an order starts this way. */
const before = -1

const words = { asc: 'ascending', desc: 'descending' } as const

/** `sort outstanding`, `sort by due date desc`: the matching orders of the open list, the reverse of the current one first. */
export function sortsGroup({ typed, context, commands }: FilterInput): Group {
  const [, named = '', way = ''] = /^(?:sort|order)(?: by)? (.+?)(?: (asc|desc)\w*)?$/.exec(fold(typed.said)) ?? []
  const { pane } = context
  const command = named && pane?.sort ? commands.find(({ id }) => id === 'list.sort') : undefined
  const sorts = command && pane ? pane.sorts.filter(({ title }) => ` ${fold(title)}`.includes(` ${named}`)) : []
  const rows = sorts.flatMap(({ id, title }): CommandRow[] => {
    const ascends = pane?.sort?.id === id && pane.sort.order === 'desc'
    const orders = (ascends ? ['asc', 'desc'] : ['desc', 'asc']) as ('asc' | 'desc')[]
    return orders
      .filter((order) => order.startsWith(way))
      .map((order) => ({
        ...commandRow(command as NonNullable<typeof command>, context, null),
        key: `sort ${id} ${order}`,
        title: `Sort by ${title}, ${words[order]}`,
        tier: before,
        params: { sort: id, order },
      }))
  })
  return { key: 'sorts', title: 'Sort this list', note: null, rows }
}
