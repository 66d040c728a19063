import { groups } from '#domain/permission-groups.ts'
import { hashPassword } from '#server/auth/password.ts'
import { passwordCost } from '#server/auth/settings.ts'
import type { Tx } from '#server/tables/database.ts'

/** The password of every demo account. */
export const demoPassword = 'Portal-Demo-1'

interface DemoPerson {
  kind?: 'ACCOUNT_MANAGER'
  email: string
  name: string
  /** Description of the account on the sign-in screen. */
  role: string
  groupIds?: number[]
  permissionIds?: number[]
  /** Base32; null demonstrates the set-up of an authenticator. */
  totpSecret: string | null
}

const groupId = (name: string): number => {
  const group = groups.find((candidate) => candidate.name === name)
  if (!group) throw new Error(`There is no permission group ${name}.`)
  return group.id
}

/** Their authenticator secrets are fixed, so that an app scanned once keeps working. */
const people: readonly DemoPerson[] = [
  {
    email: 'priya.raman@example.com',
    name: 'Priya Raman',
    role: 'Admin, may do everything',
    groupIds: [groupId('super-admin')],
    totpSecret: 'KBZGS6LBKJQW2YLOIRSW23ZRGIZTINJW',
  },
  {
    email: 'tom.berg@example.com',
    name: 'Tom Berg',
    role: 'Admin, HR, payroll and write-offs',
    groupIds: [groupId('human-resources'), groupId('payroll')],
    // Lets somebody else approve a write-off that one of the first two suggests.
    permissionIds: [1001, 1008],
    totpSecret: 'KRXW2QTFOJTUIZLNN4YTEMZUGU3DOOBZ',
  },
  {
    email: 'sam.okoye@example.com',
    name: 'Sam Okoye',
    role: 'Admin, support: reads only',
    permissionIds: [2, 3, 4],
    totpSecret: 'KNQW2T3LN54WKRDFNVXTCMRTGQ2TMNZY',
  },
  {
    kind: 'ACCOUNT_MANAGER',
    email: 'maya.lindt@example.com',
    name: 'Maya Lindt',
    role: 'Account manager of a few employers',
    groupIds: [groupId('human-resources')],
    permissionIds: [1009, 1011, 1013],
    totpSecret: 'JVQXSYKMNFXGI5CEMVWW6MJSGM2DKNRX',
  },
  {
    email: 'nadia.new@example.com',
    name: 'Nadia New',
    role: 'Admin, no authenticator yet',
    groupIds: [groupId('human-resources')],
    totpSecret: null,
  },
]

/** The people of the demo company. */
export const demoPeople = people.map((person, at) => ({
  ...person,
  id: `00000000-0000-4000-8000-${String(at + 1).padStart(12, '0')}`,
}))

/** Creates the demo accounts; the seed grants Maya's access. Returns their ids by e-mail. */
export async function createDemoPeople(tx: Tx): Promise<Record<string, string>> {
  const password_hash = await hashPassword(demoPassword, passwordCost)
  for (const { id, kind = 'ADMIN', email, name, totpSecret, groupIds = [], permissionIds = [] } of demoPeople) {
    await tx.insertInto('people').values({ id, kind, email, name, password_hash, totp_secret: totpSecret }).execute()
    for (const group_id of groupIds) await tx.insertInto('person_groups').values({ person_id: id, group_id }).execute()
    for (const permission_id of permissionIds)
      await tx.insertInto('person_permissions').values({ person_id: id, permission_id }).execute()
  }
  return Object.fromEntries(demoPeople.map(({ email, id }) => [email, id]))
}
