import { listings } from '#contract/listings.ts'
import { user } from '#entities/user.ts'
import { defineCommand } from '#kernel/command.ts'
import { pathOf } from '#kernel/entity.ts'

export default defineCommand({
  id: 'user.open',
  title: 'Jump to user',
  aliases: ['go to user', 'find user', 'open user'],
  icon: 'user',
  on: user,
  reads: listings.users,
  act: (desk, one) => desk.open(pathOf(user, user.id(one))),
})
