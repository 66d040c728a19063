import { type PayCalendar, periodsOfDrafts } from '#domain/pay-calendar.ts'
import type { PayGroup } from '#contract/pay-groups.ts'
import { billingTermsOf, datesOfInvoice } from '#server/money/billing/drafts.ts'
import { recordEvent } from '#server/tables/audit.ts'
import type { Tx } from '#server/tables/database.ts'
import { type InvoiceRow, lockInvoices } from '#server/tables/invoices.ts'
import { draftsOf } from '#server/tables/pay-groups.ts'

/** The dates of a draft as kept in its history. */
const datesOf = ({ company_code, period_start, period_end, issue_date, report_date, due_date }: InvoiceRow) => ({
  company_code,
  period_start,
  period_end,
  issue_date,
  report_date,
  due_date,
})

/**
 * Gives the DRAFT invoices of a pay group, as it was, its current code, periods and dates; `kept` is the last day of the periods
 * that stay.
 */
export async function redateDrafts(
  tx: Tx,
  of: { group: PayGroup; code: string; calendar: PayCalendar; kept: string | null; actor: { id: string; name: string } },
): Promise<void> {
  const { group, code: company_code, calendar, kept, actor } = of
  const drafts = await draftsOf(tx, group)
  const locked = new Map(
    (
      await lockInvoices(
        tx,
        null,
        group.organization_id,
        drafts.map(({ id }) => id),
      )
    ).map((row) => [row.id, row]),
  )
  const terms = await billingTermsOf(tx, group.employer_id)
  for (const department of new Set(drafts.map(({ department_code }) => department_code))) {
    const chain = drafts.filter(({ department_code }) => department_code === department)
    // A draft keeps its dates if an invoice past DRAFT already has that period.
    const finished = chain.filter(({ period_end }) => kept !== null && period_end <= kept)
    const periods = [...finished.map(() => null), ...periodsOfDrafts(calendar, kept, chain.slice(finished.length))]
    for (const [at, { id }] of chain.entries()) {
      const row = locked.get(id)
      const period = periods[at]
      if (row?.status !== 'DRAFT' || (!period && at >= finished.length)) continue
      const before = datesOf(row)
      const after = period
        ? {
            company_code,
            period_start: period.start_date,
            period_end: period.end_date,
            ...datesOfInvoice(period.end_date, period.report_date, terms),
          }
        : { ...before, company_code }
      if (JSON.stringify(after) === JSON.stringify(before)) continue
      await tx
        .updateTable('invoices')
        .set((set) => ({ ...after, updated_at: new Date(), version: set('version', '+', 1) }))
        .where('id', '=', row.id)
        .where('organization_id', '=', row.organization_id)
        .execute()
      await recordEvent(tx, {
        actor,
        intent: 'invoice.redate',
        entity: 'invoice',
        entityId: String(row.id),
        status: 'Dates follow the pay group',
        before,
        after,
        version: row.version + 1,
      })
    }
  }
}
