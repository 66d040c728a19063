import { createExport, exportKinds } from '#contract/exports.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'list.export',
  title: 'Export list to CSV',
  aliases: ['csv', 'download list', 'export audit', 'save as file', 'spreadsheet'],
  icon: 'download',
  group: 'View',
  reads: createExport,
  unavailable: ({ pane }) =>
    pane && exportKinds.some((kind) => kind === pane.name)
      ? null
      : { sentence: 'Open a list that can be exported first: invoices, repayments or the audit.' },
  act: (desk) => void desk.exportList(),
})
