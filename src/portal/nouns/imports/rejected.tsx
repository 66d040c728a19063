import { countRejectedLines, type Import, listRejectedLines, type RejectedLine, rejectedLineSorts } from '#contract/imports.ts'
import { importedFile } from '#entities/import.ts'
import { orDash } from '#portal/format/cell-text.ts'
import type { Column } from '#portal/list/pane.ts'
import { numberValue, plain, sortsOf } from '#portal/nouns/columns.tsx'
import { wholeNumber } from '#domain/text.ts'
import { tabList } from '#portal/record/tab-list.tsx'

const columns: readonly Column<RejectedLine>[] = [
  plain('line', 'Line', 72, (one) => wholeNumber(one.line), {
    sort: 'line',
    align: 'right',
    value: (one) => numberValue(one.line),
    keep: 3,
    width: [72, 0.1],
  }),
  plain('column', 'Column', 110, (one) => orDash(one.column), { long: true, keep: 2 }),
  plain('message', 'Why it was not taken', 220, (one) => one.message, { long: true, keep: 3, width: [220, 1.6] }),
  plain('content', 'As it stands in the file', 200, (one) => one.content, { long: true, width: [200, 1.6] }),
]

/** The tab Rejected lines of an import: each with its line number and the reason. */
export const ImportRejected = tabList<Import>({
  of: importedFile,
  tab: 'rejected',
  rows: { name: 'rejected-line', id: (one: RejectedLine) => String(one.id), version: () => 0 },
  list: (one) => ({
    title: 'Rejected lines',
    many: 'rejected lines',
    columns,
    sorts: sortsOf(rejectedLineSorts, columns),
    searched: true,
    none: one.status === 'PENDING' ? 'The file is not imported yet.' : 'No line was rejected.',
    source: {
      endpoint: listRejectedLines,
      at: () => ({ id: importedFile.id(one) }),
      rows: (answer: { rejected_lines: RejectedLine[] }) => answer.rejected_lines,
      count: countRejectedLines,
    },
  }),
})
