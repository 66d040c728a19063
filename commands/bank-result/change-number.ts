import type { z } from 'zod'
import { type BankResult, changeNumberByNotice } from '#contract/bank-results.ts'
import { bankResultStates } from '#domain/bank-result.ts'
import { readNotice } from '#domain/notice-of-change.ts'
import { bankResult } from '#entities/bank-result.ts'
import { statusRow } from '#entities/forms/preview-rows.ts'
import { defineCommand } from '#kernel/command.ts'

const form = changeNumberByNotice.body.omit({ version: true, account_version: true })

/** Opens the account that a notice of change corrects, with the corrected data filled in. */
export default defineCommand<BankResult, typeof changeNumberByNotice, z.input<typeof form>>({
  id: 'bank-result.change-number',
  title: 'Change number by notice of change',
  button: 'Change number',
  aliases: ['apply notice of change', 'noc', 'corrected account number'],
  on: bankResult,
  suggestedFilter: { problem: 'NOTICE_OF_CHANGE' },
  does: changeNumberByNotice,
  keys: [{ scope: 'row', chord: 'u' }],
  form: {
    schema: form,
    start: (one) => {
      const { routing_number, ach_code } = one?.billing_account ?? {}
      const { data = {} } = (one && readNotice(one.code, one.addenda)) ?? {}
      return {
        ...(routing_number ? { routing_number } : {}),
        ...(ach_code ? { ach_code } : {}),
        ...(data.routing_number ? { routing_number: data.routing_number } : {}),
        ...(data.account_number ? { account_number: data.account_number } : {}),
        ...(data.transaction_code ? { ach_code: data.transaction_code } : {}),
      }
    },
  },
  plan: (one, params) => [
    changeNumberByNotice({ id: one.id }, { ...params, account_version: one.billing_account?.version ?? 0, version: one.version }),
  ],
  preview: {
    rows: (one) => statusRow(bankResult.title(one), bankResultStates, one.state, 'APPLIED'),
    warning: (one) => {
      const notice = readNotice(one.code, one.addenda)
      const account = one.billing_account
      const reading = notice
        ? notice.problem
        : `The bank sent '${one.addenda ?? ''}'. It cannot be read by itself, so enter the corrected values from it.`
      return [account && `Further debits of ${account.nickname} ••••${account.last_four} are made from the new number.`, reading]
        .filter(Boolean)
        .join(' ')
    },
  },
  done: () => 'Billing account updated',
  failed: () => 'Something went wrong saving the billing account configuration',
})
