import { cancelPasswordChange, forcePasswordChange } from '#contract/password-changes.ts'
import type { Actor } from '#server/access/actor.ts'
import { type ChangeOf, changing } from '#server/http/route.ts'
import type { Tx } from '#server/tables/database.ts'
import { type EmployeeRow, lockEmployeeOfUser } from '#server/tables/employees.ts'
import { lockUser, type UserRow, saveUser, toLinkedUser } from '#server/tables/users.ts'
import type { LinkedUser } from '#contract/employees.ts'

/** A user with a linked employee, who decides about access and is locked with the user. */
type Linked = EmployeeRow & { user: UserRow }
/** A user without a linked employee: the rules refuse it, for people who may see it. */
type Unlinked = Pick<EmployeeRow, 'status' | 'user_id' | 'flow'> & { user: UserRow }
type Subject = Linked | Unlinked

async function lock(tx: Tx, actor: Actor, id: number): Promise<Subject | null> {
  const employee = await lockEmployeeOfUser(tx, actor, id)
  if (employee?.user) return employee as Linked
  const user = await lockUser(tx, actor, id)
  return user && user.employee_id === null ? { status: null, user_id: null, flow: 'PAYROLL', user } : null
}

const change = changing<Subject, LinkedUser>({
  subject: ({ tx, actor, params }) => lock(tx, actor, params.id),
  target: ({ user }) => ({ entity: 'user', id: String(user.id), version: user.version }),
  snapshot: ({ user }) => ({ force_password_change: user.force_password_change }),
  answer: ({ user }) => toLinkedUser(user),
})

const set = async (force: boolean, { tx, actor, subject, now }: ChangeOf<Subject>) => {
  const user = await saveUser(tx, subject.user, { force_password_change: force }, actor.id, now)
  return { after: { ...subject, user } }
}

export const routes = [
  change(forcePasswordChange, (context) => set(true, context)),
  change(cancelPasswordChange, (context) => set(false, context)),
]
