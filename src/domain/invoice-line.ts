/** An employee's line of an invoice; amounts in cents. What is paid is paid to the invoice, to no line of it. */
export interface LineFacts {
  original_amount: number
  writeoff_amount: number
  /** Suggested and not decided. */
  pending_amount: number
}

/** What an employee's line is billed with, in cents: what is to be withheld of the employee's pay. */
export const billedAmount = (line: Pick<LineFacts, 'original_amount' | 'writeoff_amount'>): number =>
  line.original_amount - line.writeoff_amount

/** What may still be suggested for a write-off of an employee's line, in cents (rules 4). */
export const suggestibleAmount = (line: LineFacts): number => Math.max(0, billedAmount(line) - line.pending_amount)
