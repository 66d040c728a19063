import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import { invoiceFilters } from '#contract/invoices.ts'
import { derivedStates, invoiceStatuses } from '#domain/invoice.ts'
import invoices from '#portal/nouns/invoices/list.tsx'
import repayments from '#portal/nouns/repayments/list.tsx'
import { InvoiceGeneral } from '#portal/nouns/invoices/general.tsx'
import { effectOnOutstanding } from '#domain/ledger.ts'
import { entryWords } from '#portal/nouns/invoices/ledger-words.ts'
import { RepaymentGeneral } from '#portal/nouns/repayments/general.tsx'
import { WriteOffGeneral } from '#portal/nouns/write-offs/general.tsx'
import { invoiceLike, repaymentLike } from '#tests/support/examples.ts'

const invoiceCell = (title: string, more: Parameters<typeof invoiceLike>[0] = {}) =>
  invoices.columns.find((column) => column.title === title)?.text(invoiceLike(more))
const repaymentCell = (title: string, more: Parameters<typeof repaymentLike>[0] = {}) =>
  repayments.columns.find((column) => column.title === title)?.text(repaymentLike(more))
/** The value beside a name in a record. */
const fact = (name: string) => screen.getByText(name, { selector: 'dt' }).nextElementSibling?.textContent

afterEach(cleanup)

describe('the columns of the invoices', () => {
  test.each([
    ['[ENT-074]', 'Employer, number', 'Harbor Foods, INV-40001'],
    ['[ENT-075]', 'Status', 'Sent, Overdue 12 d, Underpaid'],
    ['[ENT-076]', 'Company code', 'HF-01'],
    ['[ENT-077]', 'Payment', 'Self Pay'],
    ['[ENT-078]', 'Issue date', '16 Oct 2026'],
    ['[ENT-079]', 'Report date', '20 Oct 2026'],
    ['[ENT-080]', 'Due date', '9 Nov 2026'],
    ['[ENT-081]', 'Days past due', '12'],
    ['[ENT-082]', 'Original', '$18,240.10'],
    ['[ENT-083]', 'Invoice', '$18,000.00'],
    ['[ENT-084]', 'Paid', '$12,000.00'],
    ['[ENT-085]', 'Rollover', '$40.10'],
    ['[ENT-086]', 'Write-off', '$200.00'],
    ['[ENT-087]', 'Outstanding', '$6,000.00'],
    ['[ENT-088]', 'Organization', 'Harbor Group'],
    ['[ENT-089]', 'Employer', 'Harbor Foods'],
    ['[ENT-090]', 'Confirmation flow', 'Multiple'],
    ['[ENT-091]', 'Auto approve EWA file', 'Yes'],
    ['[ENT-092]', 'Has notes', 'Yes'],
  ])('%s %s reads %s', (_, title, text) => {
    expect(invoiceCell(title)).toBe(text)
  })

  test('[ENT-090] [ENT-091] every value of the flow and of the approval is shown in words', () => {
    const words = { NONE: 'None', SINGLE: 'Single', MULTIPLE: 'Multiple' } as const
    for (const flow of ['NONE', 'SINGLE', 'MULTIPLE'] as const)
      expect(invoiceCell('Confirmation flow', { confirmation_flow: flow })).toBe(words[flow])
    expect(invoiceCell('Auto approve EWA file', { auto_approve_ewa_file: false })).toBe('No')
  })

  test('[ENT-077] a debit alone is ACH auto', () => {
    expect(invoiceCell('Payment', { payment_method: 'AUTO_ACH' })).toBe('ACH auto')
  })

  test('an amount below zero has a real minus sign, and nothing past due is a dash', () => {
    expect(invoiceCell('Outstanding', { outstanding_amount: -10_000 })).toBe('−$100.00')
    expect(invoiceCell('Days past due', { days_past_due: 0, derived: [] })).toBe('—')
  })

  test.each([
    ['[INV-001]', 'DRAFT', 'Draft'],
    ['[INV-002]', 'ON_DEDUCTION_FILE', 'In Review'],
    ['[INV-003]', 'DEDUCTION_APPROVED', 'Approved'],
    ['[INV-004]', 'SCHEDULED', 'Scheduled'],
    ['[INV-005]', 'SENT', 'Sent'],
    ['[INV-006]', 'PROCESSING', 'Processing'],
    ['[INV-007]', 'CLOSED', 'Paid'],
    ['[INV-008]', 'RETURNED', 'Returned'],
    ['[INV-009]', 'PARTIALLY_RETURNED', 'Partially Returned'],
    ['[INV-010]', 'REFUND_IN_PROGRESS', 'Refund In Progress'],
    ['[INV-011]', 'REFUNDED', 'Refunded'],
  ] as const)('%s %s is shown as %s', (_, status, label) => {
    expect(invoiceCell('Status', { status, derived: [] })).toBe(label)
  })

  test('[INV-012..015] the status filter offers every status, and Overdue, Overpaid and Underpaid', () => {
    const options = invoiceFilters.find((filter) => filter.id === 'status')?.field.options ?? []
    expect(options.map((option) => option.value)).toEqual([...invoiceStatuses.values, ...derivedStates.values])
    expect(options.slice(-3).map((option) => option.label)).toEqual(['Overdue', 'Overpaid', 'Underpaid'])
  })

  test('[SCR-050] the default columns and sort keys are columns', () => {
    for (const pane of [invoices, repayments]) {
      const ids = pane.columns.map((column) => column.id)
      expect(new Set(ids).size).toBe(ids.length)
      expect(pane.shown.filter((id) => !ids.includes(id))).toEqual([])
      const sorts = pane.sorts.map((sort) => sort.id)
      expect(
        (pane.columns as readonly { sort?: string }[])
          .flatMap((column) => column.sort ?? [])
          .filter((sort) => !sorts.includes(sort)),
      ).toEqual([])
    }
  })
})

describe('the columns of the repayments', () => {
  test.each([
    ['[ENT-093]', 'Debtor, reference', 'Harbor Foods, REP-70001'],
    ['[ENT-094]', 'Repayment date', '17 Nov 2026'],
    ['[ENT-094]', 'Amount', '$12,000.00'],
    ['[ENT-095]', 'Reconciliation', 'Pending'],
    ['[ENT-096]', 'Organization', 'Harbor Group'],
    ['[ENT-096]', 'Employer', 'Harbor Foods'],
    ['[ENT-097]', 'Department', 'COLD'],
    ['[ENT-098]', 'Effective date', '18 Nov 2026'],
    ['[ENT-101]', 'Origin', 'User ID'],
    ['[ENT-102]', 'Requester', 'Priya Raman'],
    ['[ENT-103]', 'ACH addenda', 'INV 40001'],
    ['[ENT-103]', 'Descriptor', 'HARBOR WIRE'],
    ['[ENT-104]', 'Bank', 'Harbor Bank'],
    ['[ENT-104]', 'Account number', '••••6789'],
    ['[ENT-105]', 'Allocated invoices', 'INV-40001'],
    ['[ENT-106]', 'Notes', 'Came by wire'],
  ])('%s %s reads %s', (_, title, text) => {
    expect(repaymentCell(title)).toBe(text)
  })

  test('[ENT-099, ENT-100] the other origins are an ACH entry and a return', () => {
    expect(repaymentCell('Origin', { origin: 'ACH_ENTRY' })).toBe('ACH entry')
    expect(repaymentCell('Origin', { origin: 'RETURN' })).toBe('Return')
  })

  test('[REP-003] a failed one is shown as unreconciled/failed', () => {
    expect(repaymentCell('Reconciliation', { reconciliation_status: 'FAILED' })).toBe('Unreconciled/Failed')
  })
})

describe('a record of money', () => {
  test('shows the identity of an invoice, line by line', () => {
    render(<InvoiceGeneral one={invoiceLike({ outstanding_amount: -60_000, paid_amount: 1_860_000, derived: ['OVERPAID'] })} />)
    const lines = [...document.querySelectorAll('.identity > div')].map((line) =>
      [...line.children].map((part) => part.textContent),
    )
    expect(lines).toEqual([
      ['Original', '$18,240.10'],
      ['Write-off', '−$200.00'],
      ['Rollover from another invoice', '−$40.10'],
      ['Invoice', '$18,000.00'],
      ['Paid', '−$18,600.00'],
      ['Outstanding', '−$600.00'],
    ])
  })

  test('[SCR-050] shows each fact of an invoice once', () => {
    const one = invoiceLike({ status: 'CLOSED', closed_by: { id: '11', name: 'Priya Raman' } })
    const { container } = render(<InvoiceGeneral one={one} />)
    const names = [...container.querySelectorAll('dt, h3')].map((name) => name.textContent)
    expect(names).toEqual([...new Set(names)])
    const text = container.textContent ?? ''
    for (const said of [
      '$18,000.00',
      '$12,000.00',
      '$6,000.00',
      '$200.00',
      'Harbor Foods',
      'Harbor Group',
      '9 Nov 2026',
      'Self Pay',
    ])
      expect(text.split(said), said).toHaveLength(2)
    expect(fact('Employer')).toBe('Harbor Foods · HF debtor')
  })

  test('shows a return with its code, and until when the debit can be retried', () => {
    const ach = {
      state: 'RETURNED' as const,
      amount: 600_000,
      debit_date: '2026-11-09',
      first_debit_date: '2026-11-09',
      return_code: 'R01',
      most_amount: null,
      retries: 0,
      repayment_id: null,
      standing: 0,
    }
    render(<InvoiceGeneral one={invoiceLike({ status: 'RETURNED', ach })} />)
    expect(fact('ACH state')).toBe('Returned $6,000.00, debit date 9 Nov 2026')
    expect(fact('Return code')).toBe('R01 Insufficient funds')
    expect(fact('Next')).toBe('ACH retry 1 of 2 is possible until 8 May 2027.')
  })

  test('says why a debit cannot be retried', () => {
    const ach = {
      state: 'RETURNED' as const,
      amount: 600_000,
      debit_date: '2026-11-09',
      first_debit_date: '2026-11-09',
      return_code: 'R02',
      most_amount: null,
      retries: 0,
      repayment_id: null,
      standing: 0,
    }
    render(<InvoiceGeneral one={invoiceLike({ status: 'RETURNED', ach })} />)
    expect(fact('Next')).toBe('Only a debit that came back as R01 or R09 can be tried again. Collect it manually.')
  })

  test('warns of a flagged debtor, and shows the progress of a refund', () => {
    const refund = { amount: 50_000, absorbed_amount: 20_000, state: 'WAITING' as const }
    render(<InvoiceGeneral one={invoiceLike({ debtor_flagged: true, refund })} />)
    expect(screen.getByText('Flagged debtor:').parentElement?.textContent).toContain('came back after its credit was used')
    expect(screen.getByText(/^Refund of/).textContent).toBe('Refund of $500.00: waits for the next invoice, $200.00 of it so far')
  })

  test('[SCR-065, ENT-105] a repayment lists its invoices, with the counted amounts', () => {
    render(<RepaymentGeneral one={repaymentLike()} />)
    const link = screen.getByRole('link', { name: 'INV-40001' })
    expect(link.getAttribute('href')).toBe('/invoices/40001')
    expect(link.closest('tr')?.textContent).toBe('INV-40001Yes$11,500.00')
    expect(fact('Unallocated')).toBe('$500.00')
    expect(fact('Origin')).toBe('User ID')
    expect(fact('Requester')).toBe('Priya Raman')
  })

  test('[SCR-065] a returned repayment says so, with its code', () => {
    render(<RepaymentGeneral one={repaymentLike({ reconciliation_status: 'FAILED', failure: 'RETURNED', return_code: 'R01' })} />)
    expect(fact('Reconciliation')).toBe('Unreconciled/Failed The money came back')
    expect(fact('Return code')).toBe('R01 Insufficient funds')
  })

  test('the author of a suggested write-off sees that they cannot decide it', () => {
    const by = { id: '1', name: 'Tom Berg' }
    const one = {
      id: 1,
      invoice_id: 40001,
      invoice_number: 'INV-40001',
      invoice_status: 'SENT',
      invoice_version: 1,
      employer: { id: 1, name: 'Harbor Foods' },
      organization: { id: 2, name: 'Harbor Group' },
      line_id: 1,
      employee_id: 104234,
      employee_name: 'Benjamin Ortiz',
      suggested_amount: 1_000,
      approved_amount: null,
      reason: 'FRAUD' as const,
      details: null,
      status: 'PENDING' as const,
      suggested_by: by,
      suggested_at: '2026-11-17T10:00:00Z',
      own: true,
      decided_by: null,
      decided_at: null,
      decision_reason: null,
      comments: null,
      updated_at: '2026-11-17T10:00:00Z',
      version: 1,
    }
    const { rerender } = render(<WriteOffGeneral one={one} />)
    expect(screen.queryByText('You suggested this, so somebody else has to decide.')).not.toBeNull()
    rerender(<WriteOffGeneral one={{ ...one, own: false }} />)
    expect(screen.queryByText('You suggested this, so somebody else has to decide.')).toBeNull()
  })
})

describe('the ledger', () => {
  const entry = { repayment_id: null, counter_invoice_id: null, reverses: null }

  test('the balance rises by the issue, a return and outgoing credit; everything else lowers it', () => {
    expect(effectOnOutstanding({ kind: 'ORIGINAL', amount: 500 })).toBe(500)
    expect(effectOnOutstanding({ kind: 'RETURN', amount: 500 })).toBe(500)
    expect(effectOnOutstanding({ kind: 'ROLLOVER_OUT', amount: 500 })).toBe(500)
    expect(effectOnOutstanding({ kind: 'PAYMENT', amount: 500 })).toBe(-500)
    expect(effectOnOutstanding({ kind: 'PAYMENT', amount: -500 })).toBe(500)
    expect(effectOnOutstanding({ kind: 'WRITE_OFF', amount: 500 })).toBe(-500)
    expect(effectOnOutstanding({ kind: 'ROLLOVER_IN', amount: 500 })).toBe(-500)
  })

  test('names the subject of an entry, and its reversal', () => {
    expect(entryWords({ ...entry, kind: 'PAYMENT', repayment_id: 70001 })).toBe('Repayment REP-70001')
    expect(entryWords({ ...entry, kind: 'ROLLOVER_OUT', counter_invoice_id: 40002 })).toBe('Rollover to INV-40002')
    expect(entryWords({ ...entry, kind: 'ROLLOVER_OUT' })).toBe('Rollover to the next invoice')
    expect(entryWords({ ...entry, kind: 'WRITE_OFF', reverses: 12 })).toBe('Taken back: Write-off')
  })
})
