import { listAdmins } from '#contract/admins.ts'
import { admin } from '#entities/admin.ts'
import { defineCommand } from '#kernel/command.ts'
import { pathOf } from '#kernel/entity.ts'

export default defineCommand({
  id: 'admin.open',
  title: 'Jump to admin',
  aliases: ['go to admin', 'find admin', 'open admin'],
  icon: 'shield',
  on: admin,
  reads: listAdmins,
  act: (desk, one) => desk.open(pathOf(admin, admin.id(one))),
})
