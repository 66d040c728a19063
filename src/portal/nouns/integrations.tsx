import {
  countIntegrations,
  type Integration,
  integrationFilters,
  integrationSorts,
  searchIntegrations,
} from '#contract/integrations.ts'
import { importTypeLabels, integrationTypeLabels, productLabels, sftpTypeLabels, vendorLabels } from '#domain/integration.ts'
import { orDash } from '#portal/format/cell-text.ts'
import type { Column } from '#portal/list/pane.ts'
import { plain, sortsOf, times } from '#portal/nouns/columns.tsx'

const typeText = ({ type, sftp_type }: Integration): string =>
  sftp_type ? `${integrationTypeLabels[type]}, ${sftpTypeLabels[sftp_type].toLowerCase()}` : integrationTypeLabels[type]

/** An unknown id is shown as it is. */
const nameIn = (names: Readonly<Record<string, string>>, id: string | null): string => orDash(id && (names[id] ?? id))

const columns: readonly Column<Integration>[] = [
  {
    id: 'import',
    title: 'Import, used for',
    width: [150, 1.2],
    long: true,
    sort: 'import_type',
    keep: 3,
    text: (one) => `${importTypeLabels[one.import_type]}, ${one.employer_name ?? 'All employers'}`,
    draw: (one) => (
      <>
        <strong>{importTypeLabels[one.import_type]}</strong>
        <small>{one.employer_name ?? 'All employers'}</small>
      </>
    ),
  },
  plain('type', 'Type', 104, typeText, { sort: 'type', keep: 3 }),
  plain('vendor', 'Vendor', 100, (one) => nameIn(vendorLabels, one.vendor), { sort: 'vendor', keep: 2 }),
  plain('product', 'Product', 130, (one) => nameIn(productLabels, one.product), { long: true }),
  plain('url', 'URL', 170, (one) => orDash(one.url), { long: true, keep: 1 }),
  plain('incremental', 'Incremental', 96, (one) => (one.incremental ? 'Yes' : 'No')),
  plain('terminated', 'Terminated values', 130, (one) => orDash(one.terminated_values.join(', ') || null), { long: true }),
  times('updated', 'Changed', (one) => one.updated_at, { sort: 'updated_at' }),
]

/** The integrations in the tab of an organization or an employer, selected by `query`. */
export const integrationsOf = (query: Readonly<Record<string, string>>, none: string) => ({
  title: 'Integrations',
  many: 'integrations',
  columns,
  shown: ['import', 'type', 'vendor', 'product', 'incremental', 'terminated'],
  filters: integrationFilters,
  sorts: sortsOf(integrationSorts, columns, { import_type: 'Import', employer: 'Employer' }),
  searched: true,
  none,
  source: {
    endpoint: searchIntegrations,
    query: () => query,
    rows: (answer: { integrations: Integration[] }) => answer.integrations,
    count: countIntegrations,
  },
})
