import { listAccountManagers } from '#contract/account-managers.ts'
import { accountManager } from '#entities/account-manager.ts'
import { defineCommand } from '#kernel/command.ts'
import { pathOf } from '#kernel/entity.ts'

export default defineCommand({
  id: 'account-manager.open',
  title: 'Jump to account manager',
  aliases: ['go to account manager', 'find account manager', 'open account manager'],
  icon: 'user',
  on: accountManager,
  reads: listAccountManagers,
  act: (desk, one) => desk.open(pathOf(accountManager, accountManager.id(one))),
})
