import { z } from 'zod'
import { type Admin, getAdmin, setAdminRights } from '#contract/admins.ts'
import { admin } from '#entities/admin.ts'
import { adminRights } from '#entities/forms/admin-wizard.ts'
import { rightsChange, rightsDone, rightsOf, rightsPhrases, rightsPreview, rightsValues } from '#entities/forms/rights.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'admin.set-rights',
  title: 'Change permissions of admin',
  aliases: ['edit admin', 'groups of admin', 'rights of admin', 'permission groups', 'grant permission'],
  sentence: { phrases: rightsPhrases },
  icon: 'key',
  on: admin,
  does: setAdminRights,
  form: { schema: z.object(adminRights), start: (one) => (one ? rightsValues(one) : {}) },
  facts: (one, read) => read(getAdmin, { id: one.id }),
  preview: { rows: (_, params, now: Admin) => rightsPreview(now, params), rights: (_, params, now) => rightsChange(now, params) },
  plan: (one, params) => [setAdminRights({ id: one.id }, { ...params, version: one.version })],
  undo: ({ before, after }: { before: Admin; after: Admin }) => {
    const { group_ids, permission_ids } = rightsOf(before)
    const held = { group_ids: [...group_ids], permission_ids: [...permission_ids] }
    return [setAdminRights({ id: after.id }, { ...held, version: after.version })]
  },
  done: (one, params) => rightsDone(admin.title(one), one, params),
  failed: () => 'Unable to edit Admin.',
})
