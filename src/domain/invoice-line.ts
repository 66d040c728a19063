/** An employee's line of an invoice; amounts in cents. Payments belong to the invoice, not to a line. */
export interface LineFacts {
  original_amount: number
  writeoff_amount: number
  /** Suggested and not decided yet. */
  pending_amount: number
}

/** The billed amount of an employee's line, in cents, to be withheld from the employee's pay. */
export const billedAmount = (line: Pick<LineFacts, 'original_amount' | 'writeoff_amount'>): number =>
  line.original_amount - line.writeoff_amount

/** The amount of a line that may still be suggested for a write-off, in cents (docs/rules/deductions.md). */
export const suggestibleAmount = (line: LineFacts): number => Math.max(0, billedAmount(line) - line.pending_amount)
