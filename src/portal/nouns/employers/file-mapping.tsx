import type { Employer } from '#contract/employers.ts'
import { countMappings, listMappings, type Mapping, mappingFilters, mappingSorts } from '#contract/mappings.ts'
import { mappingFieldLabels, mappingKindLabels } from '#domain/mapping-fields.ts'
import { employer } from '#entities/employer.ts'
import { mapping } from '#entities/mapping.ts'
import type { Column } from '#portal/list/pane.ts'
import { plain, times } from '#portal/nouns/columns.tsx'
import { tabList } from '#portal/record/tab-list.tsx'

/** The columns of the file in words, those that stand for something by that. */
const inWords = ({ columns }: Mapping): string =>
  columns.map(({ header, field }) => (field ? mappingFieldLabels[field] : (header ?? ''))).join(', ')

const columns: readonly Column<Mapping>[] = [
  {
    id: 'file',
    title: 'File',
    width: [180, 1.4],
    long: true,
    sort: 'file_name',
    keep: 3,
    text: (one) => `${one.file_name}, ${mappingKindLabels[one.kind]}`,
    draw: (one) => (
      <>
        <strong>{one.file_name}</strong>
        <small>{one.id}</small>
      </>
    ),
  },
  plain('kind', 'Kind', 120, (one) => mappingKindLabels[one.kind], { sort: 'kind', keep: 3 }),
  plain('count', 'Columns', 72, (one) => String(one.columns.length), { align: 'right' }),
  plain('columns', 'What they stand for', 180, inWords, { long: true, width: [180, 2], keep: 1 }),
  times('updated', 'Changed', (one) => one.updated_at, { sort: 'updated_at', keep: 2 }),
]

const sortTitles: Record<(typeof mappingSorts)[number], string> = {
  kind: 'Kind',
  id: 'Id',
  file_name: 'File name',
  updated_at: 'Changed',
}

/** The tab File Mapping of an employer (SCR-032): how its files are read and written. */
export const EmployerFileMapping = tabList<Employer>({
  of: employer,
  tab: 'file-mapping',
  rows: mapping,
  list: () => ({
    title: 'File mappings',
    many: 'file mappings',
    columns,
    filters: mappingFilters,
    sorts: mappingSorts.map((id) => ({ id, title: sortTitles[id] })),
    none: 'This employer has no file mapping. Its files are refused until one is added.',
    source: {
      endpoint: listMappings,
      at: (id: string) => ({ id }),
      rows: (answer: { mappings: Mapping[] }) => answer.mappings,
      count: countMappings,
    },
  }),
})
