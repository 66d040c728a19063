import { cancelPasswordChange, forcePasswordChange, setForcePasswordChange } from '#contract/password-changes.ts'
import type { Actor } from '#server/access/actor.ts'
import { change, on } from '#server/http/route.ts'
import type { Tx } from '#server/tables/database.ts'
import { type EmployeeRow, lockEmployeeOfUser } from '#server/tables/employees.ts'
import { type UserRow, saveUser, toLinkedUser } from '#server/tables/users.ts'

/** The employee whom a user is linked to decides who may, and is locked with the user. */
type Linked = EmployeeRow & { user: UserRow }

const set = async (force: boolean, { tx, actor, subject, now }: { tx: Tx; actor: Actor; subject: Linked; now: Date }) => {
  const user = await saveUser(tx, subject.user, { force_password_change: force }, actor.id, now)
  return { after: { ...subject, user }, answer: toLinkedUser(user) }
}

export const routes = [
  change<typeof setForcePasswordChange, Linked>(setForcePasswordChange, {
    subject: async ({ tx, actor, params }) => {
      const employee = await lockEmployeeOfUser(tx, actor, params.id)
      return employee?.user ? (employee as Linked) : null
    },
    target: ({ user }) => ({ entity: 'user', id: String(user.id), version: user.version }),
    snapshot: ({ user }) => ({ force_password_change: user.force_password_change }),
    facts: async ({ subject }) => toLinkedUser(subject.user),
    intents: [
      on<typeof forcePasswordChange, Linked>(forcePasswordChange, (context) => set(true, context)),
      on<typeof cancelPasswordChange, Linked>(cancelPasswordChange, (context) => set(false, context)),
    ],
  }),
]
