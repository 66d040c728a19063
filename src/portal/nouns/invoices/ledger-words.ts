import type { LedgerEntry } from '#contract/invoice-ledger.ts'
import type { EntryKind } from '#domain/ledger.ts'

const kinds: Record<EntryKind, string> = {
  ORIGINAL: 'Issued',
  WRITE_OFF: 'Write-off',
  ROLLOVER_IN: 'Rollover from',
  PAYMENT: 'Repayment',
  RETURN: 'Return of',
  ROLLOVER_OUT: 'Rollover to',
}

/** The title of a ledger entry: `Repayment REP-70001`, `Rollover to INV-40002`, `Reversed: Write-off`. */
export function entryWords(entry: Pick<LedgerEntry, 'kind' | 'repayment_id' | 'counter_invoice_id' | 'reverses'>): string {
  const { kind, repayment_id, counter_invoice_id, reverses } = entry
  const about =
    kind === 'PAYMENT' || kind === 'RETURN'
      ? repayment_id === null
        ? 'a repayment'
        : `REP-${repayment_id}`
      : kind === 'ROLLOVER_IN' || kind === 'ROLLOVER_OUT'
        ? counter_invoice_id === null
          ? 'the next invoice'
          : `INV-${counter_invoice_id}`
        : ''
  const words = `${kinds[kind]} ${about}`.trim()
  return reverses === null ? words : `Taken back: ${words}`
}
