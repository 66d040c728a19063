import { groups } from '#domain/permission-groups.ts'
import { hashPassword } from '#server/auth/password.ts'
import { authDefaults } from '#server/auth/settings.ts'
import type { Tx } from '#server/tables/database.ts'

/** The password of every demo account. */
export const demoPassword = 'Portal-Demo-1'

interface DemoPerson {
  id: string
  kind: 'ADMIN' | 'ACCOUNT_MANAGER'
  email: string
  name: string
  /** Description of the account on the sign-in screen. */
  role: string
  groupIds: number[]
  permissionIds: number[]
  /** Base32; null demonstrates the set-up of an authenticator. */
  totpSecret: string | null
}

const groupId = (name: string): number => {
  const group = groups.find((candidate) => candidate.name === name)
  if (!group) throw new Error(`There is no permission group ${name}.`)
  return group.id
}

/** The people of the demo company; their authenticator secrets are fixed, so that an app scanned once keeps working. */
export const demoPeople: readonly DemoPerson[] = [
  {
    id: '00000000-0000-4000-8000-000000000001',
    kind: 'ADMIN',
    email: 'priya.raman@example.com',
    name: 'Priya Raman',
    role: 'Admin, may do everything',
    groupIds: [groupId('super-admin')],
    permissionIds: [],
    totpSecret: 'KBZGS6LBKJQW2YLOIRSW23ZRGIZTINJW',
  },
  {
    id: '00000000-0000-4000-8000-000000000002',
    kind: 'ADMIN',
    email: 'tom.berg@example.com',
    name: 'Tom Berg',
    role: 'Admin, HR, payroll and write-offs',
    groupIds: [groupId('human-resources'), groupId('payroll')],
    // Lets somebody else approve a write-off that one of the first two suggests.
    permissionIds: [1001, 1008],
    totpSecret: 'KRXW2QTFOJTUIZLNN4YTEMZUGU3DOOBZ',
  },
  {
    id: '00000000-0000-4000-8000-000000000003',
    kind: 'ADMIN',
    email: 'sam.okoye@example.com',
    name: 'Sam Okoye',
    role: 'Admin, support: reads only',
    groupIds: [],
    permissionIds: [2, 3, 4],
    totpSecret: 'KNQW2T3LN54WKRDFNVXTCMRTGQ2TMNZY',
  },
  {
    id: '00000000-0000-4000-8000-000000000004',
    kind: 'ACCOUNT_MANAGER',
    email: 'maya.lindt@example.com',
    name: 'Maya Lindt',
    role: 'Account manager of a few employers',
    groupIds: [groupId('human-resources')],
    permissionIds: [1009, 1011, 1013],
    totpSecret: 'JVQXSYKMNFXGI5CEMVWW6MJSGM2DKNRX',
  },
  {
    id: '00000000-0000-4000-8000-000000000005',
    kind: 'ADMIN',
    email: 'nadia.new@example.com',
    name: 'Nadia New',
    role: 'Admin, no authenticator yet',
    groupIds: [groupId('human-resources')],
    permissionIds: [],
    totpSecret: null,
  },
]

/** Creates the demo accounts; the seed grants Maya's access. Returns their ids by e-mail. */
export async function createDemoPeople(tx: Tx): Promise<Record<string, string>> {
  const passwordHash = await hashPassword(demoPassword, authDefaults.passwordCost)
  for (const person of demoPeople) {
    await tx
      .insertInto('people')
      .values({
        id: person.id,
        kind: person.kind,
        email: person.email,
        name: person.name,
        password_hash: passwordHash,
        totp_secret: person.totpSecret,
      })
      .execute()
    await setRights(tx, person.id, person.groupIds, person.permissionIds)
  }
  return Object.fromEntries(demoPeople.map((person) => [person.email, person.id]))
}

async function setRights(tx: Tx, personId: string, groupIds: readonly number[], permissionIds: readonly number[]): Promise<void> {
  if (groupIds.length)
    await tx
      .insertInto('person_groups')
      .values(groupIds.map((id) => ({ person_id: personId, group_id: id })))
      .execute()
  if (permissionIds.length)
    await tx
      .insertInto('person_permissions')
      .values(permissionIds.map((id) => ({ person_id: personId, permission_id: id })))
      .execute()
}
