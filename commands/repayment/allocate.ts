import { z } from 'zod'
import { rows } from '#contract/fields.ts'
import { type Invoice, listInvoices } from '#contract/invoices.ts'
import { allocateRepayment, type Repayment } from '#contract/repayments.ts'
import { suggestMatch } from '#domain/allocation.ts'
import { takesByItself } from '#domain/invoice.ts'
import { judgeShareChange } from '#domain/reallocation.ts'
import { judgeAllocations } from '#domain/repayment.ts'
import { dueWords } from '#entities/due-words.ts'
import { amountRow, previewOf } from '#entities/invoice-preview.ts'
import { repayment } from '#entities/repayment.ts'
import { defineCommand } from '#kernel/command.ts'

const form = z.object({
  allocations: rows('Invoices', allocateRepayment.body.shape.allocations, 'invoice_id', {
    help: 'Leave empty for the suggestion below; type * for the full balance.',
  }).optional(),
})
type Params = z.infer<typeof form>
interface Facts {
  open: readonly Invoice[]
  named: readonly Invoice[]
}

/** As typed, else what is left goes where it seems to belong, beside what stands already. */
function sharesOf(one: Repayment, { allocations }: Partial<Params>, { open }: Facts) {
  if (allocations?.length) return allocations
  const standing = one.allocations.map(({ invoice_id, amount }) => ({ invoice_id, amount }))
  const free = open.filter((each) => takesByItself(each.status) && !standing.some((other) => other.invoice_id === each.id))
  const match = suggestMatch({ amount: one.unallocated_amount, descriptor: one.descriptor, date: one.repayment_date }, free)
  return [...standing, ...match.allocations]
}

/** What there is to allocate, in cents: of a repayment that came back in part, the rest. */
const heldBy = (one: Repayment): number => (one.origin === 'RETURN' ? one.amount : one.amount - one.returned_amount)

/** What of each invoice changes, in cents; only what counts moves money. */
function changesOf(one: Repayment, params: Partial<Params>, facts: Facts) {
  const shares = sharesOf(one, params, facts)
  return all(facts).flatMap((invoice) => {
    const before = one.allocations.find((each) => each.invoice_id === invoice.id)
    const after = shares.find((each) => each.invoice_id === invoice.id)?.amount ?? 0
    if (after === (before?.amount ?? 0)) return []
    const counts = one.ach_state !== 'PENDING'
    return [{ invoice, paid: (counts ? after : 0) - (before?.counted ? before.amount : 0) }]
  })
}

const all = ({ open, named }: Facts) => [...named, ...open.filter((each) => !named.some((other) => other.id === each.id))]

export default defineCommand<Repayment, typeof allocateRepayment, Params>({
  id: 'repayment.allocate',
  title: 'Allocate repayment',
  aliases: ['match repayment', 'reconcile', 'suggested match'],
  icon: 'split',
  on: repayment,
  does: allocateRepayment,
  bulk: false,
  keys: [{ scope: 'row', chord: 'p' }],
  form,
  facts: async (one, read): Promise<Facts> => {
    const debtor = { 'debtor-type': one.debtor_type, 'debtor-id': String(one.debtor_id), limit: '200', sort: 'due_date' }
    const ids = one.allocations.map((each) => each.invoice_id).join(',')
    const [open, named] = await Promise.all([
      read(listInvoices, {}, { ...debtor, status: 'DEDUCTION_APPROVED,SCHEDULED,SENT,PROCESSING,RETURNED,PARTIALLY_RETURNED' }),
      ids ? read(listInvoices, {}, { id: ids, limit: '200' }) : { data: [] },
    ])
    return {
      open: (open as { data: Invoice[] }).data.filter((each) => each.outstanding_amount > 0),
      named: (named as { data: Invoice[] }).data,
    }
  },
  rows: (one, facts) => ({
    allocations: all(facts as Facts).map((each) => ({
      id: each.id,
      title: each.number,
      detail: dueWords(each),
      most: Math.max(0, each.outstanding_amount) + (one.allocations.find((share) => share.invoice_id === each.id)?.amount ?? 0),
    })),
  }),
  judges: (one, params, facts) => {
    const { open, named } = facts as Facts
    const shares = sharesOf(one, params, { open, named })
    const refusal =
      judgeAllocations(heldBy(one), shares, all({ open, named })) ??
      changesOf(one, params, { open, named })
        .map(({ invoice, paid }) => judgeShareChange(invoice, paid))
        .find((each) => each !== null)
    return refusal ? [{ path: 'allocations', message: refusal.sentence }] : []
  },
  preview: (one, params, facts) => {
    const sum = sharesOf(one, params, facts as Facts).reduce((total, each) => total + each.amount, 0)
    return [
      ...changesOf(one, params, facts as Facts).flatMap(({ invoice, paid }) => previewOf(invoice, { paid })),
      ...amountRow(one.reference_id, 'unallocated', one.unallocated_amount, heldBy(one) - sum),
    ]
  },
  plan: (one, params, facts) => [
    allocateRepayment(
      { id: one.id },
      {
        allocations: sharesOf(one, params, facts as Facts),
        expected: Object.fromEntries(changesOf(one, params, facts as Facts).map(({ invoice }) => [invoice.id, invoice.version])),
        version: one.version,
      },
    ),
  ],
  done: (one) => `Allocated ${one.reference_id}`,
  failed: (one) => `Something went wrong allocating ${one.reference_id}`,
})
