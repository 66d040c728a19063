import { moveInvoices } from '#server/billing/clock.ts'
import type { Services } from '#server/services.ts'

export const moveInvoicesTask = 'move-invoices'

/** Every minute, once however many processes there are, and one after the other. */
export const moveInvoicesCron = `* * * * * ${moveInvoicesTask} ?max=1&jobKey=${moveInvoicesTask}&queue=${moveInvoicesTask}`

/** One round of the clock, as work in the background. */
export const moveInvoicesJob = async (
  services: Services,
  leaving: () => boolean,
  report: (error: unknown) => void,
): Promise<void> => {
  await moveInvoices(services, { leaving, report })
}
