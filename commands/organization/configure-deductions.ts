import { listDeductionConfigurations } from '#contract/deduction-configurations.ts'
import { all } from '#domain/permissions.ts'
import { organization } from '#entities/organization.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'organization.configure-deductions',
  title: 'Edit deduction configuration of an organization',
  aliases: ['rollover percentage', 'deduction settings'],
  on: organization,
  reads: listDeductionConfigurations,
  needs: all('write:billing'),
  button: 'Edit deductions',
  act: (host, one) => host.open(`${organization.path}/${organization.id(one)}/deductions`),
})
