/** Maximum age of the figures in seconds, including the time to compute them. */
export const figuresAge = 60

/** Days overdue, both ends inclusive; the first bucket is not due yet. */
export const invoiceAges = {
  NOT_DUE: { title: 'Not due', from: null, to: 0 },
  DAYS_1_TO_30: { title: '1 to 30 days', from: 1, to: 30 },
  DAYS_31_TO_60: { title: '31 to 60 days', from: 31, to: 60 },
  DAYS_61_TO_90: { title: '61 to 90 days', from: 61, to: 90 },
  OVER_90_DAYS: { title: 'Over 90 days', from: 91, to: null },
} as const
export type InvoiceAge = keyof typeof invoiceAges
export const invoiceAgeNames = Object.keys(invoiceAges) as [InvoiceAge, ...InvoiceAge[]]

/** Number of days of advances shown, including today. */
export const advanceDays = 30
/** Number of days of imports shown, including today. */
export const importDays = 30
/** Number of completed weeks of recovery shown. */
export const recoveryWeeks = 12

/** Share of the invoices due that was paid, in basis points, rounded down; null if nothing was due. */
export const recoveryRate = (billed: number, recovered: number): number | null =>
  billed > 0 ? Math.floor((recovered * 10_000) / billed) : null
