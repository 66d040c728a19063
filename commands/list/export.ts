import { z } from 'zod'
import { choice } from '#contract/fields.ts'
import { defineCommand } from '#kernel/command.ts'
import { exportFormats } from '#kernel/command-host.ts'

const form = z.object({
  format: choice('Format', exportFormats, { csv: 'CSV (.csv)', xlsx: 'Excel workbook (.xlsx)' }),
})

export default defineCommand<undefined, z.infer<typeof form>>({
  id: 'list.export',
  title: 'Export list as CSV or Excel',
  aliases: ['csv', 'xlsx', 'excel', 'spreadsheet', 'export audit', 'download list', 'save as file'],
  icon: 'download',
  group: 'View',
  needs: 'signed-in',
  unavailable: ({ pane }) => (pane ? null : { sentence: 'Open a list first. Every list can be exported.' }),
  form,
  start: (_, { pane }) => ({ format: pane?.exportFormat ?? 'csv' }),
  act: (host, _, { format }) => void host.exportList(format),
})
