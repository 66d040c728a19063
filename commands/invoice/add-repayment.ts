import { z } from 'zod'
import { longText, rows, text } from '#contract/fields.ts'
import { type Invoice, listInvoices } from '#contract/invoices.ts'
import { addRepayment } from '#contract/repayments.ts'
import { payableAmountOf } from '#domain/ach.ts'
import { allocate, type MatchReason, numbersIn, oldestFirst, suggestMatch } from '#domain/allocation.ts'
import { canAddRepayment, takesByItself } from '#domain/invoice.ts'
import { validatePaidOn } from '#domain/money-dates.ts'
import { formatCents } from '#domain/money.ts'
import { overpaidOf } from '#domain/overpayment.ts'
import { validateNewRepayment, validateOneDebtor } from '#domain/repayment.ts'
import { type DebtorInvoices, duePart, readDebtor, sharedOut } from '#entities/forms/debtor-invoices.ts'
import { lineOf, previewOf } from '#entities/forms/invoice-preview.ts'
import { amountRow } from '#entities/forms/preview-rows.ts'
import { invoice } from '#entities/invoice.ts'
import { defineCommand, type PreviewRow } from '#kernel/command.ts'
import { sumOf } from '#kernel/money-lines.ts'
import { fewOf, isolated } from '#domain/text.ts'

const bankText = (help: string) => text('Bank statement text', 140, { help }).optional()

const form = z.object({
  amount: addRepayment.body.shape.amount,
  repayment_date: addRepayment.body.shape.repayment_date,
  descriptor: bankText('Invoice numbers in it are matched.'),
  allocations: rows('Invoices', addRepayment.body.shape.allocations.unwrap(), 'invoice_id').optional(),
  notes: longText('Notes').optional(),
  reason: addRepayment.body.shape.reason,
})
const formOfSeveral = form.extend({ descriptor: bankText('Numbers of the selected invoices in it are matched.') })
type Params = z.infer<typeof form>

interface Facts extends DebtorInvoices {
  /** Ids of the invoices selected together, which limit the matching; null if the repayment is added to a single invoice. */
  chosen: readonly number[] | null
}

const withDebtor = (each: Invoice) => ({ ...each, debtor: `${each.debtor_type} ${each.debtor_id}` })

const reasons: Readonly<Record<MatchReason, string>> = {
  NUMBER: 'Matched by invoice number.',
  AMOUNT: 'Matched by amount.',
  RUN: 'Matched: together they owe exactly this.',
  OLDEST: 'Oldest due first.',
}

const isSeveral = ({ chosen }: Facts): boolean => chosen !== null && chosen.length > 1

/** Maximum number of changed invoices listed in a conflict. */
const maxListed = 3

/** What happened to an invoice; one that no longer owes anything may not be among the lines. */
function meanwhileOf({ number, outstanding_amount }: Invoice, now: Invoice | undefined): string {
  const was = `outstanding ${formatCents(outstanding_amount)} before`
  if (!now) return `${number} changed in the meantime: ${was}, no longer open now.`
  const same = now.outstanding_amount === outstanding_amount
  return `${number} changed in the meantime${same ? '' : `: ${was}, ${formatCents(now.outstanding_amount)} now`}.`
}

/** The invoices that the repayment is added to. */
const chosenOf = (one: Invoice, { open, chosen }: Facts): readonly Invoice[] =>
  chosen ? open.filter((each) => chosen.includes(each.id)) : [one]

/**
 * Allocates to this invoice what it owes, and the rest to the others, oldest due first: adding a repayment to an invoice means
 * that invoice.
 */
function hereFirst(one: Invoice, amount: number, takers: readonly Invoice[]) {
  const here = takers.filter(({ id }) => id === one.id)
  const first = allocate(amount, here)
  const { allocations } = allocate(
    first.unallocated_amount,
    takers.filter((each) => !here.includes(each)),
  )
  const hint =
    first.allocations.length === 0
      ? 'This invoice owes nothing: oldest due first.'
      : 'To this invoice, the rest oldest due first.'
  return { hint, shares: [...first.allocations, ...allocations] }
}

/**
 * The default allocation and its reason: to the invoices named in the bank's text, else to this one if it owes enough, else to
 * the suggested match, which starts with this one if it has the oldest due date. If several invoices are selected, only these
 * are matched, and the invoice of a negative repayment has to be chosen (docs/rules/money.md).
 */
function suggestion(one: Invoice, { amount, descriptor, repayment_date }: Partial<Params>, facts: Facts) {
  if (!amount) return { hint: '', shares: [] }
  const several = isSeveral(facts)
  if (several && amount < 0) return { hint: '', shares: [] }
  const takers = (facts.chosen ? chosenOf(one, facts) : facts.open).filter((each) => takesByItself(each.status))
  const { allocations, reason } = suggestMatch(
    { amount, descriptor: descriptor ?? null, date: repayment_date ?? one.as_of },
    takers,
  )
  const here = !several && reason !== 'NUMBER' && takesByItself(one.status) && amount <= payableAmountOf(one)
  if (amount < 0 || here) return { hint: 'To this invoice.', shares: [{ invoice_id: one.id, amount }] }
  if (!several && reason === 'OLDEST') return hereFirst(one, amount, takers)
  const named = numbersIn(descriptor ?? '')
  const isNamed = (id: number) =>
    takers.some((each) => each.id === id && [...numbersIn(each.number)].some((one) => named.has(one)))
  const rest = reason === 'NUMBER' && !allocations.every(({ invoice_id }) => isNamed(invoice_id))
  const words = several && reason === 'OLDEST' ? 'Oldest due of the selected first.' : reasons[reason]
  return { hint: rest ? 'Matched by invoice number, the rest oldest due first.' : words, shares: allocations }
}

/** The allocation that is sent and shown: as typed, else as suggested. */
const sharesOf = (one: Invoice, params: Partial<Params>, facts: Facts) =>
  params.allocations?.filter((each) => each.amount !== 0) ?? suggestion(one, params, facts).shares

/** Maximum number of invoices named in the confirmation. */
const maxNamed = 2

/** Where the money went, unless all of it went to the invoice that it was added to, and what stayed unallocated. */
function whereTo(one: Invoice, params: Params, facts: Facts): string {
  const shares = sharesOf(one, params, facts)
  const left = params.amount - sumOf(shares.map((each) => each.amount))
  const unallocated = left > 0 ? `, ${formatCents(left)} of it unallocated` : ''
  if (shares.every((each) => each.invoice_id === one.id)) return unallocated
  const named = facts.open.flatMap(({ id, number }) => {
    const share = shares.find((each) => each.invoice_id === id)
    return share ? [`${formatCents(share.amount)} to ${number}`] : []
  })
  const more = named.length - maxNamed
  return `: ${named.slice(0, maxNamed).join(', ')}${more > 0 ? ` and ${more} more` : ''}${unallocated}`
}

export default defineCommand<Invoice, typeof addRepayment, Params, Facts>({
  id: 'invoice.add-repayment',
  title: 'Add repayment',
  aliases: [
    'pay',
    'repay',
    'pay invoice',
    'manage repayments',
    'record payment',
    'record repayment',
    'post repayment',
    'enter repayment',
    'invoice paid',
    'negative repayment',
    'pmt',
  ],
  on: invoice,
  does: addRepayment,
  bulk: { together: validateOneDebtor },
  keys: [{ scope: 'row', chord: 'p' }],
  unavailable: (_, one) => one && canAddRepayment(one),
  facts: {
    read: async (one, read, _, together): Promise<Facts> => {
      const named = together && read(listInvoices, {}, { id: together.map(({ id }) => id).join(','), limit: '200' })
      const [{ open, waiting }, chosen] = await Promise.all([readDebtor(one, read), named])
      // The invoices that it is added to come first, whatever else their debtor owes; one that takes no repayment has no line.
      const first = chosen ? chosen.data.filter((each) => !canAddRepayment(each)).sort(oldestFirst) : [one]
      const others = open.filter((each) => !first.some(({ id }) => id === each.id))
      return { open: [...first, ...others], waiting, chosen: chosen ? first.map((each) => each.id) : null }
    },
    conflict: (params, was, now) => {
      const before = sharesOf(was.target, params, was.facts)
      const changed = was.facts.open.flatMap((each) => {
        const other = now.facts.open.find(({ id }) => id === each.id)
        if (other?.version === each.version || !before.some(({ invoice_id }) => invoice_id === each.id)) return []
        return [meanwhileOf(each, other)]
      })
      return changed.length ? fewOf(changed, maxListed) : null
    },
  },
  form: {
    schema: (_, one, together) =>
      one
        ? (together ? formOfSeveral : form).superRefine(({ repayment_date }, context) => {
            const early = validatePaidOn(repayment_date, one.as_of)
            if (early) context.addIssue({ code: 'custom', path: ['repayment_date'], message: early.sentence })
          })
        : form,
    start: (one) => (one ? { repayment_date: one.as_of } : {}),
    full: (one) => ({ amount: payableAmountOf(one) }),
    messages: (one, params, facts) => {
      const { amount, allocations = [] } = params
      if (!amount) return []
      const shares = sharesOf(one, params, facts)
      if (amount < 0 && isSeveral(facts) && !shares.length && chosenOf(one, facts).some((each) => overpaidOf(each) > 0))
        return [{ path: 'amount', message: 'Enter the negative amount on the line of the overpaid invoice.' }]
      const open = facts.open.map(withDebtor)
      const validate = (shares: typeof allocations) => validateNewRepayment({ amount, allocations: shares }, open)?.sentence
      const wrong = allocations.flatMap((each, at) => {
        const message = amount > 0 && each.amount !== 0 ? validate([each]) : undefined
        return message ? [{ path: `allocations.${at}.amount`, message }] : []
      })
      const message = wrong.length ? undefined : validate(shares)
      return message ? [{ path: params.allocations && amount > 0 ? 'allocations' : 'amount', message }] : wrong
    },
  },
  preview: {
    rows: (one, params, facts) => {
      const { open } = facts
      const shares = sharesOf(one, params, facts)
      const left = (params.amount ?? 0) - sumOf(shares.map((each) => each.amount))
      const touched = shares.flatMap(({ invoice_id, amount }): PreviewRow[] => {
        const each = open.find((other) => other.id === invoice_id)
        return each ? previewOf(each, { paid: amount }) : []
      })
      return left > 0 ? [...touched, ...amountRow('New repayment', 'unallocated', 0, left)] : touched
    },
    lines: (one, params, facts) => {
      const { shares: suggested, hint } = suggestion(one, params, facts)
      const shares = sharesOf(one, params, facts)
      const { chosen } = facts
      const selected = chosenOf(one, facts)
      const isChosen = (id: number) => selected.some((each) => each.id === id)
      const ofInvoice = (list: typeof shares, id: number) => list.find((each) => each.invoice_id === id)?.amount ?? 0
      return {
        ...sharedOut({
          lines: facts.open.map((each) => ({
            ...lineOf(each, { paid: ofInvoice(shares, each.id) }),
            ...duePart(each, each.outstanding_amount),
            suggested: ofInvoice(suggested, each.id),
            ...(chosen && !chosen.includes(each.id) ? { part: `Other open invoices of ${isolated(one.debtor_name)}` } : {}),
          })),
          whole: params.amount,
          waiting: facts.waiting,
          hint,
          elsewhere: sumOf(shares.map((each) => (isChosen(each.invoice_id) ? 0 : each.amount))),
        }),
        max: sumOf(selected.map((each) => Math.max(0, payableAmountOf(each)))),
      }
    },
    submitLabel: (one, { amount = 0 }) => `${formatCents(amount)}, ${isolated(one.debtor_name)}`,
    ownerLabel: (one) => isolated(one.debtor_name),
  },
  plan: (one, params, facts) => {
    const { open } = facts
    const shares = sharesOf(one, params, facts)
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
          reason: params.reason,
          allocations: shares,
          expected: Object.fromEntries(touched.map((each) => [each.id, each.version])),
        },
      ),
    ]
  },
  undo: {
    alternative: ({ amount }) =>
      amount < 0
        ? 'Add a repayment of the same amount instead.'
        : 'Correct the amount with Edit repayment, or where it went with Allocate repayment.',
  },
  done: (one, params, _, facts) =>
    `Added a repayment of ${formatCents(params.amount)} from ${isolated(one.debtor_name)}${facts ? whereTo(one, params, facts) : ''}`,
  failed: (one) => `Something went wrong adding the repayment of ${isolated(one.debtor_name)}`,
})
