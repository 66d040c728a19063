import { listInvoices } from '#contract/invoices.ts'
import { invoice } from '#entities/invoice.ts'
import { defineCommand } from '#kernel/command.ts'
import { pathOf } from '#kernel/entity.ts'

export default defineCommand({
  id: 'invoice.open',
  title: 'Jump to invoice',
  aliases: ['go to invoice', 'find invoice', 'open invoice'],
  icon: 'invoice',
  on: invoice,
  reads: listInvoices,
  act: (desk, one) => desk.open(pathOf(invoice, invoice.id(one))),
})
