import type { InvoiceAction } from '#domain/invoice.ts'

/**
 * y = possible, o = while something is overpaid besides the refund, otherwise b, b = a submission has been made, - = unavailable.
 */
export type Cell = 'y' | 'o' | 'b' | '-'

const columns: readonly InvoiceAction[][] = [
  ['edit'],
  ['add-repayment'],
  ['negative-repayment', 'refund', 'rollover'],
  ['suggest-write-off', 'approve-write-off'],
  ['approve-deduction'],
  ['close'],
  ['reopen'],
  ['retry-ach'],
  ['download'],
  ['collect'],
  ['cancel-refund'],
  ['mark-self-pay'],
]

/** The decision for every status and action, written independently, so that a change of the rules is noticed. */
const text = `
  DRAFT               y - - - - - - - y - - -
  ON_DEDUCTION_FILE   - - - y y - - - y - - -
  DEDUCTION_APPROVED  y y - y - - - - y - - -
  SCHEDULED           y y - y - - - - y - - y
  SENT                y y y y - y - - y - - -
  PROCESSING          b y b b b b b b y b b b
  CLOSED              - y y - - - y - y - - -
  RETURNED            y y - y - y - y y y - -
  PARTIALLY_RETURNED  y y - y - y - y y y - -
  REFUND_IN_PROGRESS  b b o b b b b b y b y b
  REFUNDED            - - - - - - - - y - - -
`

/** Every status with every action. */
export const actionTable: readonly { status: string; action: InvoiceAction; cell: Cell }[] = text
  .trim()
  .split('\n')
  .flatMap((line) => {
    const [status = '', ...cells] = line.trim().split(/\s+/)
    return columns.flatMap((actions, index) => actions.map((action) => ({ status, action, cell: cells[index] as Cell })))
  })

const cells = new Map(actionTable.map(({ status, action, cell }) => [`${status} ${action}`, cell]))

/** The cell of a status and an action. */
export const cellOf = (status: string, action: InvoiceAction): Cell | undefined => cells.get(`${status} ${action}`)
