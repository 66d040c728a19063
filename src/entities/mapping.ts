import { getMapping, listEmployeeMappings, Mapping } from '#contract/mappings.ts'
import { mappingKindLabels } from '#domain/mapping-fields.ts'
import { isolated } from '#domain/text.ts'
import { defineEntity } from '#kernel/entity.ts'
import { numbers } from '#kernel/ids.ts'

/** How files of an employer are read or written; found in the tab File Mapping of its employer. */
export const mapping = defineEntity<Mapping>({
  name: 'mapping',
  one: 'file mapping',
  many: 'file mappings',
  icon: 'columns',
  ids: numbers({ prefix: 'MAP' }),
  path: '/mappings',
  schema: Mapping,
  get: getMapping,
  list: listEmployeeMappings,
  query: {},
  rows: (answer: { mappings: Mapping[] }) => answer.mappings,
  filters: [],
  pane: false,
  foundIn: 'the tab File Mapping of an employer',
  id: (one) => String(one.id),
  title: (one) => isolated(one.file_name),
  subtitle: (one) => `${mappingKindLabels[one.kind]} mapping of ${isolated(one.employer_name)}`,
  version: (one) => one.version,
  keywords: (one) => [one.employer_name],
  confirmWith: (one) => one.file_name,
})
