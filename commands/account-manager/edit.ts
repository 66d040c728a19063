import { canChangeStaff } from '#domain/staff.ts'
import { editAccountManagerWizard } from '#entities/forms/account-manager-wizard.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  ...editAccountManagerWizard,
  id: 'account-manager.edit',
  title: 'Edit account manager',
  aliases: ['rename account manager', 'change e-mail of account manager'],
  keys: [{ scope: 'row', chord: 'e' }],
  unavailable: { rule: canChangeStaff },
})
