/** Seconds that figures may be old, with the time that counting takes. */
export const figuresAge = 60

/** How long an invoice has been overdue, in days, both included; the first is not due yet. */
export const invoiceAges = {
  NOT_DUE: { title: 'Not due', from: null, to: 0 },
  DAYS_1_TO_30: { title: '1 to 30 days', from: 1, to: 30 },
  DAYS_31_TO_60: { title: '31 to 60 days', from: 31, to: 60 },
  DAYS_61_TO_90: { title: '61 to 90 days', from: 61, to: 90 },
  OVER_90_DAYS: { title: 'Over 90 days', from: 91, to: null },
} as const
export type InvoiceAge = keyof typeof invoiceAges
export const invoiceAgeNames = Object.keys(invoiceAges) as [InvoiceAge, ...InvoiceAge[]]

/** Days whose advances are shown, today included. */
export const advanceDays = 30
/** Days whose imports are shown, today included. */
export const importDays = 30
/** Weeks whose recovery is shown: those that are over. */
export const recoveryWeeks = 12

/** What of the invoices that fell due was paid, in basis points, rounded down; null where nothing fell due. */
export const recoveryRate = (billed: number, recovered: number): number | null =>
  billed > 0 ? Math.floor((recovered * 10_000) / billed) : null
