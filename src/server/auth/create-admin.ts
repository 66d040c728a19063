import { sql } from 'kysely'
import { groups, superAdminGroup } from '#domain/permission-groups.ts'
import { invite } from '#server/auth/invitation.ts'
import type { AuthSettings } from '#server/auth/settings.ts'
import { CannotStart } from '#server/cannot-start.ts'
import type { Tx } from '#server/tables/database.ts'

/**
 * Creates an admin without a password and returns the link that sets one, valid once. The first is a super-admin; later ones need
 * a group. An admin who has not used the link yet gets a new one. Throws CannotStart with the remedy.
 */
export async function createAdmin(
  tx: Tx,
  { email: typed, name, group: named }: { email: string; name: string; group: string | undefined },
  settings: Pick<AuthSettings, 'portalAddress'>,
  now: Date,
): Promise<string> {
  const email = typed.toLowerCase()
  // Of two concurrent calls only one creates the first admin.
  await sql`lock table person_groups in share row exclusive mode`.execute(tx)
  const group = groups.find((candidate) => candidate.name === named)
  if (named !== undefined && !group)
    throw new CannotStart(`There is no group '${named}': use one of ${groups.map((one) => one.name).join(', ')}.`)
  const existing = await tx
    .selectFrom('people')
    .select(['id', 'status'])
    .where('email', '=', email)
    .where('status', '<>', 'DELETED')
    .executeTakeFirst()
  if (existing && existing.status !== 'ACTIVE') {
    await tx.updateTable('people').set({ status: 'INVITED' }).where('id', '=', existing.id).execute()
    return invite(tx, existing.id, settings, now)
  }
  if (existing) throw new CannotStart(`${email} signs in already: use another e-mail, or 'Forgot password' on the sign-in page.`)
  if (!group && (await hasSuperAdmin(tx)))
    throw new CannotStart(
      `There is a super-admin already: name the group of ${email} with --group (${groups.map((one) => one.name).join(', ')}).`,
    )
  const person = await tx
    .insertInto('people')
    .values({ kind: 'ADMIN', email, name, status: 'INVITED' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('person_groups')
    .values({ person_id: person.id, group_id: group?.id ?? superAdminGroup })
    .execute()
  return invite(tx, person.id, settings, now)
}

async function hasSuperAdmin(tx: Tx): Promise<boolean> {
  const row = await tx
    .selectFrom('person_groups')
    .innerJoin('people', 'people.id', 'person_groups.person_id')
    .select('people.id')
    .where('people.status', '<>', 'DELETED')
    .where('person_groups.group_id', '=', superAdminGroup)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
