import { listBankResults } from '#contract/bank-results.ts'
import { bankResult } from '#entities/bank-result.ts'
import { defineCommand } from '#kernel/command.ts'
import { pathOf } from '#kernel/entity.ts'

export default defineCommand({
  id: 'bank-result.open',
  title: 'Jump to bank result',
  aliases: ['go to bank result', 'open bank result'],
  icon: 'repayment',
  on: bankResult,
  reads: listBankResults,
  act: (desk, one) => desk.open(pathOf(bankResult, bankResult.id(one))),
})
