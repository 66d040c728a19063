import { listDeductionConfigurations } from '#contract/deduction-configurations.ts'
import { all } from '#domain/permissions.ts'
import { employer } from '#entities/employer.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'employer.configure-deductions',
  title: 'Edit deduction configuration of an employer',
  aliases: ['rollover percentage', 'deduction settings'],
  on: employer,
  reads: listDeductionConfigurations,
  needs: all('write:billing'),
  button: 'Edit deductions',
  act: (host, one) => host.open(`${employer.path}/${employer.id(one)}/deductions`),
})
