import { z } from 'zod'
import { choice } from '#contract/fields.ts'
import { defineCommand } from '#kernel/command.ts'
import { type ExportFormat, exportFormats } from '#kernel/command-host.ts'
import type { CommandContext } from '#kernel/command-context.ts'
import { pluralize } from '#kernel/pluralize.ts'

const format = choice('Format', exportFormats, { csv: 'CSV (.csv)', xlsx: 'Excel workbook (.xlsx)' })

/** The marked rows of the open list; null without any, and if all that match are marked. */
const markedIn = ({ pane, selection }: CommandContext): number | null =>
  selection?.how === 'marked' && !selection.filter && selection.entity === pane?.entity ? selection.ids.length : null

/** The fields: with marked rows also which rows the file has. */
function form(context: CommandContext) {
  const marked = markedIn(context)
  if (marked === null) return z.object({ format })
  const rows = choice('Rows', ['selected', 'all'], { selected: `The ${pluralize(marked)} selected`, all: 'All rows of the list' })
  return z.object({ rows, format })
}

export default defineCommand<undefined, { format: ExportFormat; rows?: 'selected' | 'all' }>({
  id: 'list.export',
  title: 'Export list as CSV or Excel',
  aliases: ['csv', 'xlsx', 'excel', 'spreadsheet', 'export audit', 'download list', 'save as file'],
  icon: 'download',
  needs: 'signed-in',
  keys: [{ scope: 'grid', chord: 'Shift+E' }],
  unavailable: ({ pane }) => (pane ? null : { sentence: 'Open a list first. Every list can be exported.' }),
  form: {
    schema: form,
    start: (_, context) => ({
      ...(markedIn(context) === null ? {} : { rows: 'selected' as const }),
      format: context.pane?.exportFormat ?? 'csv',
    }),
  },
  act: (host, _, { format, rows }) => void host.exportList(format, rows),
})
