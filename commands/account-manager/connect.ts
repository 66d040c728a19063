import { canConnect } from '#domain/staff.ts'
import { editAccountManagerWizard } from '#entities/forms/account-manager-wizard.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  ...editAccountManagerWizard,
  id: 'account-manager.connect',
  title: 'Change connections of account manager',
  aliases: [
    'link account manager',
    'unlink account manager',
    'assign account manager',
    'connect account manager',
    'connect organizations',
    'connect employers',
    'access list',
    'grant access',
    'give access',
    'remove access',
    'revoke access',
  ],
  icon: 'link',
  form: { ...editAccountManagerWizard.form, firstStep: 'Connections' },
  unavailable: { rule: canConnect },
})
