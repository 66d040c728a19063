import { listPayGroups } from '#contract/pay-groups.ts'
import { all } from '#domain/permissions.ts'
import { payGroup } from '#entities/pay-group.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'paygroup.edit',
  title: 'Edit pay group',
  aliases: ['change pay group', 'pay dates', 'report dates'],
  on: payGroup,
  reads: listPayGroups,
  needs: all('write:paygroups'),
  keys: [{ scope: 'row', chord: 'e' }],
  unavailable: (_, one) => (one ? null : { sentence: 'Open the tab Payroll Group of an employer and choose a pay group.' }),
  act: (host, one) => host.open(`${payGroup.path}/${payGroup.id(one)}/edit`),
})
