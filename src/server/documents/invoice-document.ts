import { sql } from 'kysely'
import type { Invoice } from '#contract/invoices.ts'
import type { InvoiceLine } from '#contract/invoice-lines.ts'
import { brandOf } from '#domain/brand.ts'
import { formatCents } from '#domain/money.ts'
import { effectiveRow } from '#server/tables/configurations.ts'
import type { Tx } from '#server/tables/database.ts'
import { allLinesOf } from '#server/tables/invoice-lines.ts'
import { type InvoiceRow, toInvoice } from '#server/tables/invoices.ts'

/** The content of an invoice document: only data that its debtor may read. */
export interface InvoiceDocument {
  brand: string
  /** Names for customers. */
  debtor: string
  employer: string
  invoice: Invoice
  /** Whether it shows the amount per department (LMS configuration). */
  byDepartment: boolean
  lines: readonly Pick<
    InvoiceLine,
    'employee_name' | 'employee_code' | 'department_code' | 'original_amount' | 'writeoff_amount'
  >[]
}

/** Reads the content of an invoice document. */
export async function invoiceDocument(tx: Tx, row: InvoiceRow): Promise<InvoiceDocument> {
  const { rows } = await sql<{ brand: string; external_name: string; by_department: boolean }>`
    select brand, external_name, coalesce(lms.show_amount_per_department_code, false) as by_department
    from employers left join ${effectiveRow('lms_configurations', row.employer_id, row.organization_id)} lms on true
    where employers.id = ${row.employer_id}`.execute(tx)
  const employer = rows[0] as (typeof rows)[number]
  return {
    brand: brandOf(employer.brand).name,
    debtor: row.debtor_type === 'ORGANIZATION' ? row.organization_name : employer.external_name,
    employer: employer.external_name,
    invoice: toInvoice(row),
    byDepartment: employer.by_department,
    lines: await allLinesOf(tx, row),
  }
}

/** `2026-11-21` becomes `Nov 21, 2026`. */
export const written = (date: string): string =>
  new Date(`${date}T00:00:00Z`).toLocaleDateString('en-US', { timeZone: 'UTC', year: 'numeric', month: 'short', day: 'numeric' })

/** Payment instructions for the debtor, as sentences. */
export function howToPay({ invoice }: Pick<InvoiceDocument, 'invoice'>): string {
  const { outstanding_amount: owed, number, ach, due_date } = invoice
  if (invoice.status === 'DRAFT') return 'This is a draft. Its amounts may still change, and nothing has to be paid yet.'
  if (owed === 0) return 'Nothing is owed on this invoice. Thank you.'
  if (owed < 0) return `${formatCents(-owed)} more was paid than is owed. Nothing has to be paid on this invoice.`
  const debit = ach && (ach.state === 'SCHEDULED' || ach.state === 'SUBMITTED') ? ach : null
  if (invoice.payment_method === 'AUTO_ACH' && debit)
    return `${formatCents(debit.amount)} is debited by ACH from your account on file on ${written(debit.debit_date)}. There is nothing to do.`
  if (invoice.payment_method === 'AUTO_ACH' && !ach)
    return `${formatCents(owed)} will be debited by ACH from your account on file. There is nothing to do.`
  return `Please pay ${formatCents(owed)} by ${written(due_date)} and write ${number} into the description of the transfer, so that the payment finds its invoice.`
}
