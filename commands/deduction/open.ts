import { listDeductions } from '#contract/deductions.ts'
import { deduction } from '#entities/deduction.ts'
import { defineCommand } from '#kernel/command.ts'
import { pathOf } from '#kernel/entity.ts'

export default defineCommand({
  id: 'deduction.open',
  title: 'Jump to deduction',
  aliases: ['go to deduction', 'find deduction', 'open deduction'],
  icon: 'deduction',
  on: deduction,
  reads: listDeductions,
  act: (desk, one) => desk.open(pathOf(deduction, deduction.id(one))),
})
