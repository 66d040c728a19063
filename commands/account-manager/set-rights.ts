import { canChangeRights } from '#domain/staff.ts'
import { editAccountManagerWizard } from '#entities/forms/account-manager-wizard.ts'
import { rightsPhrases } from '#entities/forms/rights.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  ...editAccountManagerWizard,
  id: 'account-manager.set-rights',
  title: 'Change permissions of account manager',
  aliases: ['groups of account manager', 'rights of account manager', 'permission groups', 'grant access', 'grant permission'],
  sentence: { phrases: rightsPhrases },
  icon: 'key',
  form: { ...editAccountManagerWizard.form, firstStep: 'Groups' },
  unavailable: { rule: canChangeRights },
})
