import {
  countWriteOffs,
  getWriteOff,
  listWriteOffEvents,
  listWriteOffs,
  WriteOff,
  writeOffFilters,
} from '#contract/write-offs.ts'
import { writeOffReasonLabels, writeOffStatuses } from '#domain/write-off.ts'
import { defineEntity } from '#kernel/entity.ts'
import { numbers } from '#kernel/ids.ts'
import { formatCents } from '#domain/money.ts'
import { isolated } from '#domain/text.ts'

/** An amount that an employee owes on an invoice and that is suggested for a write-off, or written off. */
export const writeOff = defineEntity<WriteOff>({
  name: 'write-off',
  one: 'write-off',
  many: 'write-offs',
  aliases: ['writeoffs'],
  icon: 'write-off',
  // Its number is never written without a prefix: a bare number is an employee or an invoice.
  ids: numbers({ prefix: 'WOF' }),
  path: '/write-offs',
  schema: WriteOff,
  get: getWriteOff,
  list: listWriteOffs,
  count: countWriteOffs,
  events: listWriteOffEvents,
  query: {},
  rows: (answer: { write_offs: WriteOff[] }) => answer.write_offs,
  filters: writeOffFilters,
  orders: { amount: 'suggested_amount', date: 'suggested_at' },
  pane: true,
  tabs: { history: 'History' },
  id: (one) => String(one.id),
  title: (one) => `${isolated(one.employee_name)}, ${one.invoice_number}`,
  subtitle: (one) => [isolated(one.employer.name), writeOffReasonLabels[one.reason]].join(' · '),
  status: { of: (one) => one.status, states: writeOffStatuses },
  figure: (one) => formatCents(one.approved_amount ?? one.suggested_amount),
  version: (one) => one.version,
  keywords: (one) => [one.invoice_number, one.employer.name],
  confirmWith: (one) => one.employee_name,
})
