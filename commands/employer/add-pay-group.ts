import { listPayGroups } from '#contract/pay-groups.ts'
import { all } from '#domain/permissions.ts'
import { employer } from '#entities/employer.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'employer.add-pay-group',
  title: 'Add pay group',
  aliases: ['create pay group', 'new pay group', 'payroll calendar'],
  on: employer,
  reads: listPayGroups,
  needs: all('write:paygroups'),
  keys: [{ scope: 'row', chord: 'i', tab: 'employer.payroll-group', toggles: 'employer.tab' }],
  act: (host, one) => host.open(`${employer.path}/${employer.id(one)}/pay-group`),
})
