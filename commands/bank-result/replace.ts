import type { z } from 'zod'
import { type BankResult, replaceByResult } from '#contract/bank-results.ts'
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

const form = replaceByResult.body.omit({ version: true, expected: true })

export default defineCommand<BankResult, typeof replaceByResult, z.infer<typeof form>, BankResultMoney>({
  id: 'bank-result.replace',
  title: 'Book instead of the return by hand',
  aliases: ['replace return by bank result', 'take return back'],
  icon: 'refresh',
  on: bankResult,
  suggestedFilter: { state: 'UNMATCHED' },
  does: replaceByResult,
  bulk: false,
  form,
  facts: { read: (one, read) => moneyOf(one, read), expects: (_, facts) => versionsOf(facts) },
  preview: {
    rows: (one, _, facts) => previewBooking(one, facts, true),
    lines: (one, _, facts) => linesOfBooking(one, facts, true),
    warning: (one) => `${dateOfBooking(one)}The return recorded by hand is taken back. This cannot be undone.`,
  },
  done: (one) => `Booked ${bankResult.title(one)} instead of the return by hand`,
})
