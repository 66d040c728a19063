import { z } from 'zod'
import { rows } from '#contract/fields.ts'
import { type Invoice, listInvoices } from '#contract/invoices.ts'
import { allocateRepayment, type Repayment } from '#contract/repayments.ts'
import { suggestMatch } from '#domain/allocation.ts'
import { takesByItself } from '#domain/invoice.ts'
import { formatCents } from '#domain/money.ts'
import { previewOf } from '#entities/invoice-preview.ts'
import { repayment } from '#entities/repayment.ts'
import { defineCommand, type PreviewRow } from '#kernel/command.ts'

const form = z.object({
  allocations: rows('Invoices', allocateRepayment.body.shape.allocations, 'invoice_id', {
    help: 'Leave empty for the suggestion below; * takes the whole amount of a line.',
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
      detail: `due ${each.due_date}`,
      most: Math.max(0, each.outstanding_amount) + (one.allocations.find((share) => share.invoice_id === each.id)?.amount ?? 0),
    })),
  }),
  preview: (one, params, facts) => {
    const shares = sharesOf(one, params, facts as Facts)
    const before = new Map(one.allocations.filter((each) => each.counted).map((each) => [each.invoice_id, each.amount]))
    const counts = one.ach_state !== 'PENDING'
    const touched = all(facts as Facts).flatMap((each): PreviewRow[] => {
      const after = counts ? (shares.find((share) => share.invoice_id === each.id)?.amount ?? 0) : 0
      return previewOf(each, { paid: after - (before.get(each.id) ?? 0) })
    })
    const left = one.amount - shares.reduce((sum, each) => sum + each.amount, 0)
    return [
      ...touched,
      { of: one.reference_id, what: 'unallocated', before: formatCents(one.unallocated_amount), after: formatCents(left) },
    ]
  },
  plan: (one, params, facts) => {
    const shares = sharesOf(one, params, facts as Facts)
    const known = new Set([...shares, ...one.allocations].map((each) => each.invoice_id))
    const touched = all(facts as Facts).filter((each) => known.has(each.id))
    return [
      allocateRepayment(
        { id: one.id },
        {
          allocations: shares,
          expected: Object.fromEntries(touched.map((each) => [each.id, each.version])),
          version: one.version,
        },
      ),
    ]
  },
  done: (one) => `Allocated ${one.reference_id}`,
  failed: (one) => `Something went wrong allocating ${one.reference_id}`,
})
