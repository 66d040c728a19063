import { type Invoice, listInvoices } from '#contract/invoices.ts'
import { canAddRepayment } from '#domain/invoice.ts'
import { dueWords } from '#entities/forms/due-words.ts'
import type { Read } from '#kernel/command.ts'
import { leftOver, type MoneyLine, type MoneyLines, sumOf } from '#kernel/money-lines.ts'
import { pluralize } from '#kernel/pluralize.ts'
import { invoiceHeads } from '#entities/forms/invoice-preview.ts'

/** The open invoices of a debtor: those that take a repayment, oldest due first, and those that do not yet. */
export interface DebtorInvoices {
  open: readonly Invoice[]
  waiting: readonly Invoice[]
}

const statuses = 'ON_DEDUCTION_FILE,DEDUCTION_APPROVED,SCHEDULED,SENT,PROCESSING,RETURNED,PARTIALLY_RETURNED'

/** Reads the open invoices of a debtor. */
export async function readDebtor(debtor: Pick<Invoice, 'debtor_type' | 'debtor_id'>, read: Read): Promise<DebtorInvoices> {
  const { data } = await read(
    listInvoices,
    {},
    {
      'debtor-type': debtor.debtor_type,
      'debtor-id': String(debtor.debtor_id),
      status: statuses,
      sort: 'due_date',
      limit: '200',
    },
  )
  const owing = data.filter((each) => each.outstanding_amount > 0)
  return {
    open: owing.filter((each) => !canAddRepayment(each)),
    waiting: owing.filter((each) => canAddRepayment(each)),
  }
}

interface Sharing {
  lines: readonly MoneyLine[]
  /** Cents to allocate; undefined until an amount is typed. */
  whole: number | undefined
  waiting: readonly Invoice[]
  hint: string
  /** Cents allocated to records that the form is not about. */
  elsewhere?: number
}

/** The lines of a form that allocates money to invoices. */
export function sharedOut({ lines, whole, waiting, hint, elsewhere = 0 }: Sharing): MoneyLines {
  const paid = lines.filter((each) => each.moves !== 0)
  const sum = sumOf(paid.map((each) => each.moves))
  const overpaid = sumOf(paid.map(({ before, after }) => Math.max(0, Math.max(0, -after) - Math.max(0, -before))))
  const heads = invoiceHeads('This pays')
  return {
    ...heads,
    lines,
    hint,
    ...(whole === undefined ? {} : { whole }),
    sums: [
      { title: 'Amount', cents: whole ?? 0 },
      { title: `Allocated, ${pluralize(paid.length, heads)}`, cents: sum },
      ...(elsewhere === 0 ? [] : [{ title: 'To other invoices', cents: elsewhere, tone: 'wait' } as const]),
      ...(overpaid === 0 ? [] : [{ title: 'Overpaid', cents: overpaid, tone: 'wait' } as const]),
      leftOver('Unallocated', (whole ?? 0) - sum, (whole ?? 0) < 0),
    ],
    ...(waiting.length
      ? {
          locked: {
            title: `${pluralize(waiting.length, heads)} In Review`,
            detail: 'No repayment until the deduction is approved.',
            cents: sumOf(waiting.map((each) => each.outstanding_amount)),
          },
        }
      : {}),
  }
}

/** Details of the invoice in a line of such a form; `*` stands for its full outstanding amount. */
export const duePart = (one: Invoice, max: number): Pick<MoneyLine, 'detail' | 'max'> => ({
  detail: dueWords(one),
  ...(max > 0 ? { max } : {}),
})
