import { type Import, importSorts } from '#contract/imports.ts'
import { importKindLabels, importSourceLabels, importStatuses } from '#domain/import.ts'
import { importedFile } from '#entities/import.ts'
import { orDash } from '#portal/format/cell-text.ts'
import { type Column, definePane } from '#portal/list/pane.ts'
import { changeWords } from '#portal/nouns/change-words.ts'
import { numberValue, plain, sortsOf, states, subline, times, twoLines } from '#portal/nouns/columns.tsx'
import { wholeNumber } from '#domain/text.ts'
import { bytes } from '#portal/nouns/imports/words.ts'
import { history } from '#portal/record/history.ts'
import { later } from '#portal/ui/later.tsx'

const figure = (id: string, title: string, of: (one: Import) => number, more: Partial<Column<Import>> = {}): Column<Import> =>
  plain(id, title, 74, (one) => (one.status === 'PENDING' ? '—' : wholeNumber(of(one))), {
    align: 'right',
    width: [74, 0.3],
    value: (one) => numberValue(one.status === 'PENDING' ? null : of(one)),
    ...more,
  })

const columns: readonly Column<Import>[] = [
  {
    id: 'file',
    title: 'File, id',
    width: [108, 1.5],
    sort: 'file_name',
    keep: 3,
    long: true,
    text: (one) => `${one.file_name}, ${one.id}`,
    draw: (one) => twoLines(one.file_name, one.id),
  },
  states('status', 'Status', 146, importStatuses, (one) => one.status, { sort: 'status', keep: 3 }),
  plain('company', 'Employer', 110, (one) => one.employer_name ?? one.organization_name, { long: true, keep: 2 }),
  plain('kind', 'Kind', 120, (one) => importKindLabels[one.kind], { long: true }),
  figure('lines', 'Lines', (one) => one.lines, { keep: 1, width: [58, 0.3] }),
  figure('rejected', 'Rejected', (one) => one.rejected, { sort: 'rejected', keep: 2, width: [70, 0.3] }),
  figure('created', 'Created', (one) => one.created),
  figure('changed', 'Changed', (one) => one.changed),
  figure('ended', 'Ended', (one) => one.ended),
  times('received', 'Received', (one) => one.received_at, { sort: 'received_at', keep: 1 }),
  plain('source', 'Source', 80, (one) => importSourceLabels[one.source]),
  plain('by', 'Received from', 120, (one) => one.received_by, { long: true }),
  plain('size', 'Size', 80, (one) => bytes(one.size), { align: 'right' }),
  plain('message', 'Message', 180, (one) => orDash(one.message), { long: true }),
]

/** Received files and their results. */
export default definePane<Import>({
  entity: importedFile,
  title: 'Imports',
  next: 'import.upload',
  columns,
  shown: ['file', 'status', 'company', 'lines', 'rejected', 'received'],
  sorts: sortsOf(importSorts, columns, { file_name: 'File', rejected: 'Rejected lines' }),
  newestFirst: true,
  sub: (one) => subline(one.id, one.employer_name ?? one.organization_name),
  tabs: {
    general: later(async () => (await import('#portal/nouns/imports/general.tsx')).ImportGeneral),
    rejected: later(async () => (await import('#portal/nouns/imports/rejected.tsx')).ImportRejected),
    people: later(async () => (await import('#portal/nouns/imports/people.tsx')).ImportPeople),
    history,
  },
  words: changeWords({ file_name: 'File', status: 'Status' }, { status: importStatuses }),
})
