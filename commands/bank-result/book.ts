import type { z } from 'zod'
import { type BankResult, bookResult } from '#contract/bank-results.ts'
import { familyOf } from '#domain/ach-codes.ts'
import { bankResult } from '#entities/bank-result.ts'
import {
  type BankResultMoney,
  dateOfBooking,
  linesOfBooking,
  moneyOf,
  previewBooking,
  versionsOf,
} from '#entities/forms/bank-result-preview.ts'
import { defineCommand } from '#kernel/command.ts'
import { Refusal } from '#kernel/api-client.ts'

const form = bookResult.body.omit({ version: true, expected: true })
const known = form.omit({ repayment_id: true })

export default defineCommand<BankResult, typeof bookResult, z.input<typeof form>, BankResultMoney>({
  id: 'bank-result.book',
  title: 'Book bank result',
  aliases: ['accept bank result', 'match bank result'],
  on: bankResult,
  suggestedFilter: { state: 'UNMATCHED' },
  does: bookResult,
  bulk: false,
  keys: [{ scope: 'row', chord: 'p' }],
  form: (_, one) => (one?.repayment_id ? known : form),
  facts: {
    read: async (one, read, { repayment_id: named }) => {
      try {
        return await moneyOf(one, read, one.repayment_id ?? named ?? null)
      } catch (error) {
        // The server reports errors in the chosen repayment.
        if (error instanceof Refusal && error.problem.status === 404) return moneyOf(one, read, null)
        throw error
      }
    },
    by: ({ repayment_id: named }) => String(named ?? ''),
    expects: (_, facts) => versionsOf(facts),
  },
  preview: {
    rows: (one, _, facts) => previewBooking(one, facts, false),
    lines: (one, _, facts) => linesOfBooking(one, facts, false),
    warning: (one) => `${dateOfBooking(one)}${effectOf(one)} This cannot be undone.`,
  },
  done: (one) => `Booked ${bankResult.title(one)}`,
})

/** Further effects of a booking besides the figures of the preview. */
const effectOf = ({ code }: BankResult): string => {
  switch (familyOf(code)) {
    case 'DISHONORED':
      return 'The return is dishonored: its money is back with the debit.'
    case 'CONTESTED':
      return 'The dishonor is contested: the money goes back again.'
    default:
      return 'It is booked in addition to what is booked already.'
  }
}
