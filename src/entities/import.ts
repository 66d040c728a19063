import { countImports, getImport, Import, importFilters, listImportEvents, listImports } from '#contract/imports.ts'
import { importKindLabels, importStatuses } from '#domain/import.ts'
import { isolated } from '#domain/text.ts'
import { defineEntity } from '#kernel/entity.ts'
import { numbers } from '#kernel/ids.ts'

/** A file that arrived, and its state. */
export const importedFile = defineEntity<Import>({
  name: 'import',
  one: 'import',
  many: 'imports',
  icon: 'download',
  ids: numbers({ prefix: 'IMP', written: true }),
  path: '/imports',
  schema: Import,
  get: getImport,
  list: listImports,
  count: countImports,
  events: listImportEvents,
  query: {},
  slowToSearch: true,
  rows: (answer: { imports: Import[] }) => answer.imports,
  filters: importFilters,
  orders: { date: 'received_at' },
  pane: true,
  tabs: { rejected: 'Rejected lines', people: 'People', history: 'History' },
  id: (one) => String(one.id),
  title: (one) => one.file_name,
  subtitle: (one) =>
    [one.id, importKindLabels[one.kind], isolated(one.employer_name ?? one.organization_name)].filter(Boolean).join(' · '),
  status: { of: (one) => one.status, states: importStatuses },
  version: (one) => one.version,
  keywords: (one) => [one.organization_name, ...(one.employer_name ? [one.employer_name] : [])],
  confirmWith: (one) => String(one.absent),
})
