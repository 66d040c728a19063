import { downloadInvoice } from '#contract/invoices.ts'
import { validateAction } from '#domain/invoice.ts'
import { invoiceCsv } from '#server/documents/invoice-csv.ts'
import { invoiceDocument } from '#server/documents/invoice-document.ts'
import { existing, Refused } from '#server/http-error.ts'
import { route } from '#server/http/route.ts'
import { numberOf, oneInvoice } from '#server/tables/invoices.ts'

export const routes = [
  route(downloadInvoice, async ({ tx, actor, params, query }) => {
    const row = existing(await oneInvoice(tx, actor, params.id))
    const refusal = validateAction('download', row)
    if (refusal) throw new Refused(409, refusal.code, refusal.sentence)
    const document = await invoiceDocument(tx, row)
    const name = `${numberOf(row.id)}${row.status === 'DRAFT' ? '-draft' : ''}`
    if (query.format === 'csv') return new File([invoiceCsv(document)], `${name}.csv`, { type: 'text/csv' })
    // The PDF library takes 0.2 s to load, so it is loaded with the first PDF, not at every start.
    const { invoicePdf } = await import('#server/documents/invoice-pdf.ts')
    return new File([new Uint8Array(await invoicePdf(document, query.paper))], `${name}.pdf`, { type: 'application/pdf' })
  }),
]
