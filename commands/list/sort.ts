import { z } from 'zod'
import { choice, oneOf } from '#contract/fields.ts'
import { defineCommand } from '#kernel/command.ts'
import type { CommandContext } from '#kernel/command-context.ts'

const form = ({ pane }: CommandContext) =>
  z.object({
    sort: oneOf(
      'Sort by',
      (pane?.sorts ?? []).map(({ id, title }) => ({ value: id, label: title })),
    ),
    order: choice('Order', ['asc', 'desc'], { asc: 'Ascending', desc: 'Descending' }),
  })

export default defineCommand<undefined, { sort: string; order: 'asc' | 'desc' }>({
  id: 'list.sort',
  title: 'Sort this list',
  aliases: ['order by'],
  icon: 'sort',
  needs: 'signed-in',
  unavailable: ({ pane }) => (pane?.sort ? null : { sentence: pane ? 'This list has one order only.' : 'Open a list first.' }),
  form: { schema: form, start: (_, { pane }) => (pane?.sort ? { sort: pane.sort.id, order: pane.sort.order } : {}) },
  act: (host, _, { sort, order }) => host.sort(sort, order),
})
