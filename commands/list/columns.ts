import { z } from 'zod'
import { integer, oneOf } from '#contract/fields.ts'
import { defineCommand } from '#kernel/command.ts'
import { columnWidths } from '#kernel/command-host.ts'
import type { CommandContext } from '#kernel/command-context.ts'

const shownOf = ({ pane }: CommandContext) =>
  (pane?.shown ?? []).flatMap((id) => pane?.columns.find((column) => column.id === id) ?? [])
const options = (context: CommandContext) => shownOf(context).map(({ id, title }) => ({ value: id, label: title }))

const common = { icon: 'columns', needs: 'signed-in' } as const
const inList = ({ pane }: CommandContext) => (pane ? null : { sentence: 'Open a list first.' })
const atCell = ({ pane }: CommandContext) =>
  !pane ? { sentence: 'Open a list first.' } : pane.cell ? null : { sentence: 'Go to a cell of the column first, with Right.' }
const start = (_: undefined, { pane }: CommandContext) => (pane?.cell ? { column: pane.cell } : {})

/** A command with a key for the column of the active cell. */
const onCell = (id: string, title: string, chord: string, how: { does: 'size' | 'move'; by: 1 | -1 }) =>
  defineCommand({
    ...common,
    id: `list.columns.${id}`,
    title,
    keys: [{ scope: 'grid', chord }],
    unavailable: atCell,
    act: (host) => host.arrange(how),
  })

/** Column widths and order of a list, saved per person and list. */
export default [
  onCell('wider', 'Widen the column', '>', { does: 'size', by: 1 }),
  onCell('narrower', 'Narrow the column', '<', { does: 'size', by: -1 }),
  onCell('left', 'Move the column left', 'Shift+ArrowLeft', { does: 'move', by: -1 }),
  onCell('right', 'Move the column right', 'Shift+ArrowRight', { does: 'move', by: 1 }),
  defineCommand<undefined, { column?: string }>({
    ...common,
    id: 'list.columns.fit',
    title: 'Fit columns to their text',
    aliases: ['autofit', 'auto size'],
    unavailable: inList,
    act: (host, _, { column }) => host.arrange({ does: 'fit', ...(column ? { column } : {}) }),
  }),
  defineCommand<undefined, { column: string; width: number }>({
    ...common,
    id: 'list.columns.size',
    title: 'Set the width of a column',
    aliases: ['resize column'],
    unavailable: inList,
    form: {
      schema: (context) =>
        z.object({ column: oneOf('Column', options(context)), width: integer('Width in pixels', columnWidths) }),
      start,
    },
    act: (host, _, how) => host.arrange({ does: 'size', ...how }),
  }),
  defineCommand<undefined, { column: string; before: string }>({
    ...common,
    id: 'list.columns.move',
    title: 'Move a column',
    aliases: ['reorder columns'],
    unavailable: inList,
    form: {
      schema: (context) => {
        const [, ...others] = options(context)
        return z.object({
          column: oneOf('Column', others),
          before: oneOf('Before', [...others, { value: 'end', label: 'At the end' }]),
        })
      },
      start,
    },
    act: (host, _, { column, before }) => host.arrange({ does: 'move', column, before: before === 'end' ? null : before }),
  }),
  defineCommand({
    ...common,
    id: 'list.columns.reset',
    title: 'Reset columns',
    aliases: ['default columns'],
    unavailable: inList,
    act: (host) => host.arrange({ does: 'reset' }),
  }),
]
