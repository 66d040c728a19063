import { invoiceStatuses } from '#domain/invoice.ts'

/** Due date and status of an invoice, for a line of a form: `due 2026-02-03, 12 days overdue, Sent`. */
export const dueWords = (one: { due_date: string; days_past_due: number; status: string }): string =>
  [
    `due ${one.due_date}`,
    ...(one.days_past_due > 0 ? [`${one.days_past_due} ${one.days_past_due === 1 ? 'day' : 'days'} overdue`] : []),
    invoiceStatuses.label(one.status),
  ].join(', ')
