import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import { hashPassword } from '#server/auth/password.ts'
import { sealingKeyOf } from '#server/auth/sealing.ts'
import { type AuthSettings, authSettingsOf } from '#server/auth/settings.ts'
import { settingsFrom } from '#server/boot/settings.ts'
import { newTotpSecret } from '#server/auth/totp.ts'
import type { Database } from '#server/tables/database.ts'

/** The real sign-in, but with cheap hashes. */
export const testAuth: AuthSettings = {
  ...authSettingsOf(settingsFrom({}), false),
  passwordCost: { memory: 64, passes: 1 },
  sealingKey: sealingKeyOf('what tests seal with'),
}

export interface TestPerson {
  id: string
  name: string
  email: string
  password: string
  /** Base32; null while no authenticator is set up. */
  totpSecret: string | null
}

interface PersonInput {
  kind?: 'ADMIN' | 'ACCOUNT_MANAGER'
  name?: string
  email?: string
  groups?: readonly number[]
  permissions?: readonly number[]
  grants?: readonly ({ organizationId: number } | { employerId: number })[]
  password?: string
  totpSecret?: string | null
}

/** Creates a person who can sign in, with exactly these rights. */
export async function createPerson(db: Kysely<Database>, input: PersonInput = {}): Promise<TestPerson> {
  const id = randomUUID()
  const person = {
    id,
    name: input.name ?? 'Robin Test',
    email: input.email ?? `person-${id.slice(0, 8)}@example.com`,
    password: input.password ?? 'Right-Pass-1',
    totpSecret: input.totpSecret === undefined ? newTotpSecret() : input.totpSecret,
  }
  await db
    .insertInto('people')
    .values({
      id,
      kind: input.kind ?? 'ADMIN',
      name: person.name,
      email: person.email,
      password_hash: await hashPassword(person.password, testAuth.passwordCost),
      totp_secret: person.totpSecret,
    })
    .execute()
  for (const group of input.groups ?? [])
    await db.insertInto('person_groups').values({ person_id: id, group_id: group }).execute()
  for (const permission of input.permissions ?? [])
    await db.insertInto('person_permissions').values({ person_id: id, permission_id: permission }).execute()
  for (const grant of input.grants ?? [])
    await db
      .insertInto('access_grants')
      .values({
        person_id: id,
        organization_id: 'organizationId' in grant ? grant.organizationId : null,
        employer_id: 'employerId' in grant ? grant.employerId : null,
      })
      .execute()
  return person
}
