import { describe, expect, test } from 'vitest'
import {
  canAddNegativeRepayment,
  canAddRepayment,
  canApproveDeduction,
  canCancelRefund,
  canClose,
  canCollect,
  canEdit,
  canMarkSelfPay,
  canRefund,
  canReopen,
  canRetryAch,
  canRollover,
  canSuggestWriteOff,
  daysPastDue,
  derivedStates,
  derivedStatesOf,
  type InvoiceFacts,
  invoiceActions,
  invoiceStatuses,
  isOverdue,
  isUnderpaid,
  validateAction,
  takesByItself,
} from '#domain/invoice.ts'
import { canApprove as canApproveWriteOff } from '#domain/write-off.ts'
import { actionTable } from '#tests/domain/action-table.ts'

const invoice = (status: string, more: Partial<InvoiceFacts> = {}): InvoiceFacts => ({
  status,
  invoice_amount: 10_000,
  paid_amount: 12_000,
  outstanding_amount: -2_000,
  due_date: '2026-03-02',
  active_account_count: 1,
  credit_used: false,
  allowed_rollover_percentage: 500,
  pending_write_offs: 0,
  ach: { return_code: 'R01', retries: 0, first_debit_date: '2026-03-02' },
  as_of: '2026-03-10',
  ...more,
})

describe('the statuses of an invoice', () => {
  const words: [string, string, string][] = [
    ['INV-001', 'DRAFT', 'Draft'],
    ['INV-002', 'ON_DEDUCTION_FILE', 'In Review'],
    ['INV-003', 'DEDUCTION_APPROVED', 'Approved'],
    ['INV-004', 'SCHEDULED', 'Scheduled'],
    ['INV-005', 'SENT', 'Sent'],
    ['INV-006', 'PROCESSING', 'Processing'],
    ['INV-007', 'CLOSED', 'Paid'],
    ['INV-008', 'RETURNED', 'Returned'],
    ['INV-009', 'PARTIALLY_RETURNED', 'Partially Returned'],
    ['INV-010', 'REFUND_IN_PROGRESS', 'Refund In Progress'],
    ['INV-011', 'REFUNDED', 'Refunded'],
  ]
  test.each(words)('[%s] %s is read as %s', (_, status, label) => {
    expect(invoiceStatuses.values).toContain(status)
    expect(invoiceStatuses.label(status)).toBe(label)
  })

  test('are these eleven, each with a label, and the problem mark where needed', () => {
    expect(words.map(([, status]) => status)).toEqual([...invoiceStatuses.values])
    for (const state of derivedStates.values) expect(derivedStates.label(state)).not.toBe(state)
    expect(['RETURNED', 'PARTIALLY_RETURNED'].map(invoiceStatuses.mark)).toEqual(['bad', 'bad'])
    expect(derivedStates.mark('OVERDUE')).toBe('bad')
  })
})

describe('what a status allows', () => {
  test.each(actionTable)('[INV-019, INV-020] $action in $status: $cell', ({ action, status, cell }) => {
    const submitted = {
      code: 'submission-made',
      sentence: 'Cannot Edit invoice. A submission has been made, results are being processed',
    }
    const unavailable = { code: 'status-forbids', sentence: `Actions unavailable when in ${invoiceStatuses.label(status)}.` }
    expect(validateAction(action, { status })).toEqual('yo'.includes(cell) ? null : cell === 'b' ? submitted : unavailable)
  })

  test('the table covers every status and action', () => {
    expect(actionTable).toHaveLength(invoiceStatuses.values.length * invoiceActions.length)
    expect(new Set(actionTable.map(({ action }) => action))).toEqual(new Set(invoiceActions))
  })

  test('an unknown status allows nothing', () => {
    for (const status of ['NEW_ONE', 'constructor', '__proto__', ''])
      for (const action of invoiceActions) expect(validateAction(action, { status })?.code).toBe('status-forbids')
  })

  test.each(actionTable)('the rule of $action uses the table in $status', ({ action, status, cell }) => {
    const rules = {
      edit: canEdit,
      'add-repayment': canAddRepayment,
      'negative-repayment': canAddNegativeRepayment,
      refund: canRefund,
      rollover: canRollover,
      'suggest-write-off': canSuggestWriteOff,
      'approve-write-off': ({ status }: InvoiceFacts) =>
        canApproveWriteOff({ status: 'PENDING', own: false, invoice_status: status }),
      'approve-deduction': canApproveDeduction,
      close: canClose,
      reopen: canReopen,
      'retry-ach': canRetryAch,
      collect: canCollect,
      download: (facts: InvoiceFacts) => validateAction('download', facts),
      'cancel-refund': canCancelRefund,
      'mark-self-pay': canMarkSelfPay,
    }
    expect(rules[action](invoice(status)) === null).toBe('yo'.includes(cell))
    if (cell === 'o') expect(rules[action](invoice(status, { outstanding_amount: 0 }))?.code).toBe('submission-made')
  })
})

describe('further conditions of an allowed action', () => {
  test('refund, rollover and negative repayment need an overpaid invoice', () => {
    for (const outstanding_amount of [0, 1]) {
      const facts = invoice('CLOSED', { outstanding_amount })
      expect(canRefund(facts)?.sentence).toBe('This invoice is not overpaid.')
      expect(canRollover(facts)?.sentence).toBe('This invoice is not overpaid.')
      expect(canAddNegativeRepayment(facts)?.sentence).toBe('Negative payment is only possible for overpaid invoice')
    }
  })

  test('[REP-007] a negative repayment is refused as not overpaid where the status allows repayments', () => {
    const back = invoice('PARTIALLY_RETURNED', { outstanding_amount: 1 })
    expect(canAddNegativeRepayment(back)?.sentence).toBe('Negative payment is only possible for overpaid invoice')
    expect(canAddNegativeRepayment({ ...back, outstanding_amount: -1 })?.code).toBe('status-forbids')
    expect(canAddNegativeRepayment({ ...back, status: 'DRAFT' })?.code).toBe('status-forbids')
  })

  test('[INV-025, INV-026] several bank accounts prevent a refund, a rollover and a payment back', () => {
    const several = invoice('CLOSED', { active_account_count: 2 })
    expect(canRefund(several)?.code).toBe('multiple-bank-accounts')
    expect(canRollover(several)?.code).toBe('multiple-bank-accounts')
    expect(canAddNegativeRepayment(several)?.code).toBe('multiple-bank-accounts')
    expect(canRefund(invoice('CLOSED', { active_account_count: 0 }))).toBeNull()
  })

  test('[CONST-011] a missing rollover percentage is 0, which disables the rollover', () => {
    for (const allowed_rollover_percentage of [null, 0, -5])
      expect(canRollover(invoice('CLOSED', { allowed_rollover_percentage }))?.code).toBe('rollover-disabled')
    expect(canRollover(invoice('CLOSED', { allowed_rollover_percentage: undefined }))).toBeNull()
  })

  test('[INV-017] a used credit prevents reopening', () => {
    expect(canReopen(invoice('CLOSED'))).toBeNull()
    expect(canReopen(invoice('CLOSED', { credit_used: true }))?.code).toBe('credit-used')
  })

  test('[DED-006] a pending write-off prevents approving the deduction', () => {
    expect(canApproveDeduction(invoice('ON_DEDUCTION_FILE'))).toBeNull()
    expect(canApproveDeduction(invoice('ON_DEDUCTION_FILE', { pending_write_offs: 1 }))?.sentence).toBe(
      'Approve is not possible while write-offs are pending.',
    )
  })

  test('a debit is retried for R01 and R09, twice, within 180 days', () => {
    const ach = { return_code: 'R09', retries: 1, first_debit_date: '2026-01-01' }
    expect(canRetryAch(invoice('RETURNED', { ach, as_of: '2026-06-30' }))).toBeNull()
    expect(canRetryAch(invoice('RETURNED', { ach, as_of: '2026-07-01' }))?.code).toBe('retry-too-late')
    expect(canRetryAch(invoice('RETURNED', { ach: { ...ach, retries: 2 } }))?.code).toBe('retries-used-up')
    expect(canRetryAch(invoice('RETURNED', { ach: { ...ach, return_code: 'R02' } }))?.code).toBe('not-retryable')
    expect(canRetryAch(invoice('RETURNED', { ach: null }))?.code).toBe('not-retryable')
  })

  test('unallocated money never goes to a closed invoice, or to one with a pending debit', () => {
    expect(invoiceStatuses.values.filter(takesByItself)).toEqual([
      'DEDUCTION_APPROVED',
      'SCHEDULED',
      'SENT',
      'RETURNED',
      'PARTIALLY_RETURNED',
    ])
  })
})

describe('derived states', () => {
  const invoiceOwing = (status: string, more: Partial<InvoiceFacts> = {}) =>
    invoice(status, { outstanding_amount: 100, paid_amount: 0, ...more })

  test('[INV-013] overdue starts the day after the due date, in the statuses that wait for money', () => {
    const late = invoiceStatuses.values.filter((status) => isOverdue(invoiceOwing(status), '2026-03-03'))
    expect(late).toEqual(['DEDUCTION_APPROVED', 'SCHEDULED', 'SENT', 'RETURNED', 'PARTIALLY_RETURNED'])
    expect(isOverdue(invoiceOwing('SENT'), '2026-03-02')).toBe(false)
    expect(isOverdue(invoiceOwing('SENT', { outstanding_amount: 0 }), '2026-03-03')).toBe(false)
    expect(isOverdue(invoiceOwing('SENT', { due_date: null }), '2026-03-03')).toBe(false)
  })

  test('[ENT-081] days past due are whole days, also across a clock change', () => {
    expect(daysPastDue(invoiceOwing('SENT'), '2026-03-09')).toBe(7)
    expect(daysPastDue(invoiceOwing('SENT'), '2026-03-02')).toBe(0)
    expect(daysPastDue(invoiceOwing('CLOSED'), '2026-03-09')).toBe(0)
  })

  test('[INV-014, INV-015] overpaid is below 0; underpaid owes although something was paid or it is closed', () => {
    expect(derivedStatesOf(invoice('CLOSED'), '2026-03-01')).toEqual(['OVERPAID'])
    expect(derivedStatesOf(invoiceOwing('SENT', { paid_amount: 1 }), '2026-03-03')).toEqual(['OVERDUE', 'UNDERPAID'])
    expect(isUnderpaid(invoiceOwing('SENT'))).toBe(false)
    expect(isUnderpaid(invoiceOwing('CLOSED'))).toBe(true)
  })
})
