import { z } from 'zod'
import { type Admin, createAdmin } from '#contract/admins.ts'
import { email, text } from '#contract/fields.ts'
import { admin } from '#entities/admin.ts'
import { adminRights } from '#entities/forms/admin-wizard.ts'
import { rightsChange } from '#entities/forms/rights.ts'
import { defineCommand } from '#kernel/command.ts'
import { pathOf } from '#kernel/entity.ts'

const create = { step: 'Create' }

const form = z.object({
  name: text('Name', 200, create),
  email: email('E-mail', create),
  phone_number: text('Phone', 40, create).optional(),
  ...adminRights,
})

export default defineCommand({
  id: 'admin.create',
  title: 'Create admin',
  aliases: ['add admin', 'new admin', 'invite', 'invite admin', 'invite user'],
  does: createAdmin,
  form,
  preview: { rights: (_, params) => rightsChange({}, params) },
  plan: (_, params) => [createAdmin({}, params)],
  done: {
    message: (_, { name }) => `Created ${name}. The invitation is on its way`,
    opens: ({ after }: { after: Admin }) => pathOf(admin, admin.id(after)),
  },
  failed: () => 'Creation failed, please try again.',
})
