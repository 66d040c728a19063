import { listAuditEvents } from '#contract/audit-events.ts'
import type { QueryOf } from '#contract/define.ts'
import { auditKindWords } from '#domain/audit.ts'
import { eventWords } from '#domain/employee-event.ts'
import { formatCents } from '#domain/money.ts'
import { partsText } from '#domain/parts.ts'
import { type ExportKind, pageSize, parseFilter, scanAll } from '#server/jobs/export-kind.ts'
import { type AuditRow, countOfAudit, pageOfAudit } from '#server/tables/audit-list.ts'

/** Fields in cents, and fields in basis points. */
const inCents = /(amount|_amount_max|_fee|_dollars)$/
const inPoints = /(_percentage|_threshold)$/

/** A value as text in the file: amounts in dollars, shares in per cent, days and names unchanged, an object by its parts. */
function valueText(field: string, value: unknown): string {
  if (value === null || value === undefined) return 'none'
  if (typeof value === 'number' && inCents.test(field)) return formatCents(value)
  if (typeof value === 'number' && inPoints.test(field)) return `${value / 100}%`
  if (Array.isArray(value)) return value.map((each) => valueText(field, each)).join(', ')
  return typeof value === 'object' ? partsText(value, valueText) : String(value)
}

const changes = ({ changes: all }: AuditRow, side: 'before' | 'after'): string =>
  all.map((change) => `${change.field}: ${valueText(change.field, change[side])}`).join('\n')

export const kind: ExportKind<AuditRow, QueryOf<typeof listAuditEvents>> = {
  needs: listAuditEvents.needs,
  masks: true,
  whose: ({ belongs_to }) => {
    const [type, id = ''] = belongs_to.split(':')
    if (type === 'account-manager') return { debtor_type: 'ACCOUNT_MANAGER', debtor_id: id }
    return type === 'employer' || type === 'organization'
      ? { debtor_type: type === 'employer' ? 'EMPLOYER' : 'ORGANIZATION', debtor_id: Number(id) }
      : null
  },
  columns: [
    { title: 'When', value: (row) => row.at },
    { title: 'Person', value: (row) => row.actor.name },
    { title: 'Event', value: (row) => eventWords(row.status, row.category) },
    { title: 'Command', value: (row) => row.command },
    { title: 'Meaning', value: (row) => row.intent },
    { title: 'Record kind', value: (row) => auditKindWords(row.entity) },
    // The name of a person or a company; two companies may have the same one.
    { title: 'Record', value: (row) => row.entity_name ?? row.entity_id },
    { title: 'Record id', value: (row) => row.entity_id },
    { title: 'Text', value: (row) => row.text },
    { title: 'Before', value: (row) => changes(row, 'before') },
    { title: 'After', value: (row) => changes(row, 'after') },
  ],
  parse: (filter) => parseFilter(listAuditEvents.query, filter),
  count: async (tx, actor, query) => {
    const { limit, direction, lek, sort, 'sort-order': order, 'from-id': row, ...filter } = query
    const { count, exact } = await countOfAudit({ tx, actor }, filter)
    return exact ? count : null
  },
  pages: (tx, actor, query) =>
    scanAll((from) => pageOfAudit({ tx, actor }, { ...query, limit: pageSize, direction: 'after' }, from)),
}
