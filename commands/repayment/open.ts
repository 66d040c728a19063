import { listRepayments } from '#contract/repayments.ts'
import { repayment } from '#entities/repayment.ts'
import { defineCommand } from '#kernel/command.ts'
import { pathOf } from '#kernel/entity.ts'

export default defineCommand({
  id: 'repayment.open',
  title: 'Jump to repayment',
  aliases: ['go to repayment', 'find repayment', 'open repayment'],
  icon: 'repayment',
  on: repayment,
  reads: listRepayments,
  act: (desk, one) => desk.open(pathOf(repayment, repayment.id(one))),
})
