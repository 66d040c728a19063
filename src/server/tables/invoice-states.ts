import { type RawBuilder, sql } from 'kysely'
import { type DerivedState, derivedStates, type InvoiceStatus, overdueIn } from '#domain/invoice.ts'

const among = (values: readonly string[]) => sql`e.status in (${sql.join(values)})`

/** The derived states of the domain (`isOverdue`, `isOverpaid`, `isUnderpaid`) as conditions on invoices `e`. */
const derivedConditions: Record<DerivedState, RawBuilder<boolean>> = {
  OVERDUE: sql<boolean>`(e.outstanding_amount > 0 and e.due_date < (select business_date()) and ${among(overdueIn)})`,
  OVERPAID: sql<boolean>`(e.outstanding_amount < 0)`,
  UNDERPAID: sql<boolean>`(e.outstanding_amount > 0 and (e.paid_amount > 0 or e.status = 'CLOSED'))`,
}

const isDerived = (value: string): value is DerivedState => (derivedStates.values as readonly string[]).includes(value)

/** Whether one of the values of a filter is a derived state. */
export const hasDerived = (values: unknown): boolean => Array.isArray(values) && values.some(isDerived)

/** Whether an invoice `e` is in one of these states, stored or derived (INV-012 to INV-015). */
export function inStates(values: readonly (InvoiceStatus | DerivedState)[]): RawBuilder<boolean> {
  const stored = values.filter((value) => !isDerived(value))
  const conditions = [
    ...(stored.length > 0 ? [among(stored)] : []),
    ...values.filter(isDerived).map((each) => derivedConditions[each]),
  ]
  return sql<boolean>`(${sql.join(conditions, sql` or `)})`
}
