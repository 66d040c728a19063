import { z } from 'zod'
import { confirmPayGroup, payGroupValuesOf } from '#contract/pay-groups.ts'
import { payGroup } from '#entities/pay-group.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'paygroup.confirm',
  title: 'Confirm pay group',
  aliases: ['derived pay group'],
  on: payGroup,
  does: confirmPayGroup,
  form: z.object({}),
  keys: [{ scope: 'row', chord: 'c' }],
  unavailable: (_, one) => (one ? null : { sentence: 'Open the tab Payroll Group of an employer and choose a pay group.' }),
  preview: {
    warning: () => 'Its periods are generated a year ahead, by the dates that its invoices had. Edit it where these are wrong.',
  },
  plan: (one) => [confirmPayGroup({ id: one.id }, { ...payGroupValuesOf(one), version: one.version })],
  done: (one) => `Confirmed the pay group ${payGroup.title(one)}`,
})
