import type { Employer } from '#contract/employers.ts'
import { type Mapping, mappingLists } from '#contract/mappings.ts'
import { mappingFieldLabels, mappingKindLabels } from '#domain/mapping-fields.ts'
import { employer } from '#entities/employer.ts'
import { mapping } from '#entities/mapping.ts'
import type { Column } from '#portal/list/pane.ts'
import { numberValue, plain, times } from '#portal/nouns/columns.tsx'
import { tabList } from '#portal/record/tab-list.tsx'

/** The columns of the file as text, by their meaning if they have one. */
const inWords = ({ columns }: Mapping): string =>
  columns.map(({ header, field }) => (field ? mappingFieldLabels[field] : (header ?? ''))).join(', ')

const columns: readonly Column<Mapping>[] = [
  {
    id: 'file',
    title: 'File',
    width: [180, 1.4],
    long: true,
    keep: 3,
    text: (one) => `${one.file_name}, ${mappingKindLabels[one.kind]}`,
    draw: (one) => (
      <>
        <strong>{one.file_name}</strong>
        <small>{one.id}</small>
      </>
    ),
  },
  plain('kind', 'Kind', 120, (one) => mappingKindLabels[one.kind], { keep: 3 }),
  plain('late', 'Last file', 90, (one) => (one.late ? 'Late' : '—'), { keep: 2 }),
  plain('count', 'Columns', 72, (one) => String(one.columns.length), {
    align: 'right',
    value: (one) => numberValue(one.columns.length),
  }),
  plain('columns', 'What they stand for', 180, inWords, { long: true, width: [180, 2], keep: 1 }),
  times('updated', 'Changed', (one) => one.updated_at, { keep: 2 }),
]

/** The tab File Mapping of an employer (SCR-032): how its files are read and written. */
export const EmployerFileMapping = tabList<Employer>({
  of: employer,
  tab: 'file-mapping',
  rows: mapping,
  list: () => ({
    title: 'File mappings',
    many: 'file mappings',
    columns,
    none: 'This employer has no file mapping. Its files are refused until one is added.',
    source: {
      endpoint: mappingLists.EMPLOYEE,
      parts: Object.values(mappingLists),
      query: (id: string) => ({ 'employer-id': id }),
      rows: (answer: { mappings: Mapping[] }) => answer.mappings,
    },
  }),
})
