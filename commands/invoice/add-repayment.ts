import { z } from 'zod'
import { longText, rows, text } from '#contract/fields.ts'
import { type Invoice, listInvoices } from '#contract/invoices.ts'
import { addRepayment } from '#contract/repayments.ts'
import { openAmountOf } from '#domain/ach.ts'
import { suggestMatch } from '#domain/allocation.ts'
import { canAddRepayment, takesByItself } from '#domain/invoice.ts'
import { judgePaidOn } from '#domain/money-dates.ts'
import { formatCents } from '#domain/money.ts'
import { judgeNewRepayment } from '#domain/repayment.ts'
import { dueWords } from '#entities/due-words.ts'
import { amountRow, previewOf } from '#entities/invoice-preview.ts'
import { invoice } from '#entities/invoice.ts'
import { defineCommand, type PreviewRow } from '#kernel/command.ts'
import { isolated } from '#domain/text.ts'

const form = z.object({
  amount: addRepayment.body.shape.amount,
  repayment_date: addRepayment.body.shape.repayment_date,
  descriptor: text('Descriptor', 140, { help: 'Bank statement text. Invoice numbers in it are matched.' }).optional(),
  allocations: rows('Invoices', addRepayment.body.shape.allocations.unwrap(), 'invoice_id', {
    help: 'Leave empty for the suggestion below; type * for the full balance.',
    shares: 'amount',
  }).optional(),
  notes: longText('Notes').optional(),
})
type Params = z.infer<typeof form>

/** The debtor's invoices that money may go to, this one among them, oldest due first. */
async function openInvoices(one: Invoice, read: (query: Record<string, string>) => Promise<unknown>): Promise<Invoice[]> {
  const { data } = (await read({
    'debtor-type': one.debtor_type,
    'debtor-id': String(one.debtor_id),
    status: 'DEDUCTION_APPROVED,SCHEDULED,SENT,PROCESSING,RETURNED,PARTIALLY_RETURNED',
    sort: 'due_date',
    limit: '200',
  })) as { data: Invoice[] }
  const open = data.filter((each) => each.id !== one.id && takesByItself(each.status) && each.outstanding_amount > 0)
  return [one, ...open]
}

const withDebtor = (each: Invoice) => ({ ...each, debtor: `${each.debtor_type} ${each.debtor_id}` })

/** What is sent and what is shown: as typed, else this invoice when it owes enough, else the suggested match. */
function sharesOf(one: Invoice, { amount, descriptor, repayment_date, allocations }: Partial<Params>, open: readonly Invoice[]) {
  if (allocations?.length) return allocations
  if (!amount) return []
  if (amount < 0) return [{ invoice_id: one.id, amount }]
  if (!descriptor && takesByItself(one.status) && amount <= openAmountOf(one)) return [{ invoice_id: one.id, amount }]
  return suggestMatch(
    { amount, descriptor: descriptor ?? null, date: repayment_date ?? one.as_of },
    open.filter((each) => takesByItself(each.status)),
  ).allocations
}

export default defineCommand<Invoice, typeof addRepayment, Params>({
  id: 'invoice.add-repayment',
  title: 'Add repayment',
  aliases: ['manage repayments', 'record payment', 'invoice paid', 'negative repayment'],
  icon: 'plus',
  on: invoice,
  does: addRepayment,
  bulk: false,
  keys: [{ scope: 'row', chord: 'p' }],
  refuses: canAddRepayment,
  form: (_, one) =>
    one
      ? form.superRefine((params, context) => {
          const negative = params.amount < 0
          const allocations = params.allocations ?? (negative ? [{ invoice_id: one.id, amount: params.amount }] : [])
          // Invoices of the debtor that the form offers are judged by the server; this one is known here.
          const known = allocations.filter((each) => each.invoice_id === one.id)
          const early = judgePaidOn(params.repayment_date, one.as_of)
          if (early) context.addIssue({ code: 'custom', path: ['repayment_date'], message: early.sentence })
          const refusal = judgeNewRepayment(
            { amount: params.amount, date: params.repayment_date, allocations: negative ? allocations : known },
            [withDebtor(one)],
          )
          const sum = allocations.reduce((total, each) => total + each.amount, 0)
          if (refusal) context.addIssue({ code: 'custom', path: ['amount'], message: refusal.sentence })
          else if (!negative && sum > params.amount)
            context.addIssue({
              code: 'custom',
              path: ['amount'],
              message: `More is allocated than the repayment holds: ${formatCents(sum)} of ${formatCents(params.amount)}.`,
            })
        })
      : form,
  start: (one) => (one ? { repayment_date: one.as_of } : {}),
  facts: (one, read) => openInvoices(one, (query) => read(listInvoices, {}, query)),
  rows: (_, facts) => ({
    allocations: (facts as Invoice[]).map((each) => ({
      id: each.id,
      title: each.number,
      detail: dueWords(each),
      ...(each.outstanding_amount > 0 ? { most: each.outstanding_amount } : {}),
    })),
  }),
  judges: (_, params, facts) => {
    const open = (facts as Invoice[]).map(withDebtor)
    const refusal = judgeNewRepayment(
      { amount: params.amount, date: params.repayment_date, allocations: params.allocations ?? [] },
      open,
    )
    return refusal && params.allocations?.length ? [{ path: 'allocations', message: refusal.sentence }] : []
  },
  preview: (one, params, facts) => {
    const open = facts as Invoice[]
    const shares = sharesOf(one, params, open)
    const left = (params.amount ?? 0) - shares.reduce((total, each) => total + each.amount, 0)
    const touched = shares.flatMap(({ invoice_id, amount }): PreviewRow[] => {
      const each = open.find((other) => other.id === invoice_id)
      return each ? previewOf(each, { paid: amount }) : []
    })
    return left > 0 ? [...touched, ...amountRow('New repayment', 'unallocated', 0, left)] : touched
  },
  plan: (one, params, facts) => {
    const open = facts as Invoice[]
    const shares = sharesOf(one, params, open)
    const touched = open.filter((each) => shares.some((share) => share.invoice_id === each.id))
    return [
      addRepayment(
        {},
        {
          debtor_type: one.debtor_type,
          debtor_id: one.debtor_id,
          amount: params.amount,
          repayment_date: params.repayment_date,
          descriptor: params.descriptor,
          notes: params.notes,
          allocations: shares,
          expected: Object.fromEntries(touched.map((each) => [each.id, each.version])),
        },
      ),
    ]
  },
  done: (one, { amount }) => `Added a repayment of ${formatCents(amount)} from ${isolated(one.debtor_name)}`,
  failed: (one) => `Something went wrong adding the repayment of ${isolated(one.debtor_name)}`,
})
