import { z } from 'zod'
import { rows } from '#contract/fields.ts'
import { type Invoice, listInvoices } from '#contract/invoices.ts'
import { allocateRepayment, type Repayment } from '#contract/repayments.ts'
import { suggestMatch } from '#domain/allocation.ts'
import { takesByItself } from '#domain/invoice.ts'
import { formatCents } from '#domain/money.ts'
import { validateShareChange } from '#domain/reallocation.ts'
import { validateAllocations } from '#domain/repayment.ts'
import { type DebtorInvoices, duePart, readDebtor, sharedOut } from '#entities/forms/debtor-invoices.ts'
import { lineOf, previewOf } from '#entities/forms/invoice-preview.ts'
import { amountRow } from '#entities/forms/preview-rows.ts'
import { repayment } from '#entities/repayment.ts'
import { defineCommand } from '#kernel/command.ts'
import { sumOf } from '#kernel/money-lines.ts'

const form = z.object({
  allocations: rows('Invoices', allocateRepayment.body.shape.allocations, 'invoice_id').optional(),
})
type Params = z.infer<typeof form>
interface Facts extends DebtorInvoices {
  /** The invoices with an existing share. */
  named: readonly Invoice[]
}

/** The existing shares, with the remainder suggested where it matches. */
function suggestion(one: Repayment, { open }: Facts) {
  const standing = one.allocations.map(({ invoice_id, amount }) => ({ invoice_id, amount }))
  const free = open.filter((each) => takesByItself(each.status) && !standing.some((other) => other.invoice_id === each.id))
  const match = suggestMatch({ amount: one.unallocated_amount, descriptor: one.descriptor, date: one.repayment_date }, free)
  return [...standing, ...match.allocations]
}

/** The allocation that is sent and shown: as typed, else as suggested. */
const sharesOf = (one: Repayment, { allocations }: Partial<Params>, facts: Facts) =>
  allocations?.filter((each) => each.amount !== 0) ?? suggestion(one, facts)

const ofInvoice = (shares: readonly { invoice_id: number; amount: number }[], id: number): number =>
  shares.find((each) => each.invoice_id === id)?.amount ?? 0

/** The amount to allocate, in cents: for a partially returned repayment, the rest. */
const heldBy = (one: Repayment): number => (one.origin === 'RETURN' ? one.amount : one.amount - one.returned_amount)

/** The change of an invoice's paid amount, in cents; only a repayment that counts moves money. */
function paidOf(one: Repayment, invoice: Invoice, share: number): number {
  const before = one.allocations.find((each) => each.invoice_id === invoice.id)
  return (one.ach_state === 'PENDING' ? 0 : share) - (before?.counted ? before.amount : 0)
}

/** The invoices whose share changes. */
const changesOf = (one: Repayment, params: Partial<Params>, facts: Facts) => {
  const shares = sharesOf(one, params, facts)
  return all(facts)
    .filter(({ id }) => ofInvoice(shares, id) !== ofInvoice(one.allocations, id))
    .map((invoice) => ({ invoice, paid: paidOf(one, invoice, ofInvoice(shares, invoice.id)) }))
}

const all = ({ open, named }: Facts): Invoice[] => [
  ...named,
  ...open.filter((each) => !named.some((other) => other.id === each.id)),
]

export default defineCommand<Repayment, typeof allocateRepayment, Params, Facts>({
  id: 'repayment.allocate',
  title: 'Allocate repayment',
  aliases: ['allocation', 'match repayment', 'reconcile', 'suggested match'],
  icon: 'split',
  on: repayment,
  does: allocateRepayment,
  keys: [{ scope: 'row', chord: 'p' }],
  facts: async (one, read): Promise<Facts> => {
    const ids = one.allocations.map((each) => each.invoice_id).join(',')
    const [debtor, named] = await Promise.all([
      readDebtor(one, read),
      ids ? read(listInvoices, {}, { id: ids, limit: '200' }) : { data: [] },
    ])
    return { ...debtor, named: named.data }
  },
  form: {
    schema: form,
    messages: (one, params, facts) => {
      const shares = sharesOf(one, params, facts)
      const wrong = changesOf(one, params, facts).flatMap(({ invoice, paid }) => {
        const at = params.allocations?.findIndex((each) => each.invoice_id === invoice.id) ?? -1
        const message = validateShareChange(invoice, paid)?.sentence
        // A removed share has no line in the request.
        return message ? [{ path: at < 0 ? 'allocations' : `allocations.${at}.amount`, message }] : []
      })
      const refusal = validateAllocations(heldBy(one), shares, all(facts))
      return refusal ? [...wrong, { path: 'allocations', message: refusal.sentence }] : wrong
    },
  },
  preview: {
    rows: (one, params, facts) => {
      const sum = sumOf(sharesOf(one, params, facts).map((each) => each.amount))
      return [
        ...changesOf(one, params, facts).flatMap(({ invoice, paid }) => previewOf(invoice, { paid })),
        ...amountRow(one.reference_id, 'unallocated', one.unallocated_amount, heldBy(one) - sum),
      ]
    },
    lines: (one, params, facts) => {
      const suggested = suggestion(one, facts)
      const shares = sharesOf(one, params, facts)
      return sharedOut({
        lines: all(facts).map((each) => {
          const [has, share] = [ofInvoice(one.allocations, each.id), ofInvoice(shares, each.id)]
          const { detail, ...bound } = duePart(each, Math.max(0, each.outstanding_amount) + has)
          const paid = share === has ? 0 : paidOf(one, each, share)
          return {
            ...lineOf(each, { paid }),
            ...bound,
            detail: has ? `${detail}, has ${formatCents(has)} of it` : detail,
            has,
            moves: share,
            suggested: ofInvoice(suggested, each.id),
          }
        }),
        whole: heldBy(one),
        waiting: facts.waiting,
        hint: 'What is left goes to the oldest due first.',
      })
    },
  },
  plan: (one, params, facts) => [
    allocateRepayment(
      { id: one.id },
      {
        allocations: sharesOf(one, params, facts),
        expected: Object.fromEntries(changesOf(one, params, facts).map(({ invoice }) => [invoice.id, invoice.version])),
        version: one.version,
      },
    ),
  ],
  undo: { alternative: () => 'Allocate it again with Allocate repayment.' },
  done: (one) => `Allocated ${one.reference_id}`,
})
