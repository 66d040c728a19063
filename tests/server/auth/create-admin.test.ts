import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAdmin } from '#server/auth/create-admin.ts'
import { acceptInvitation } from '#server/auth/invitation.ts'
import { type TestDatabase, createDatabase } from '#tests/support/database.ts'
import { testAuth } from '#tests/support/people.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database.drop())

const now = new Date('2026-03-02T09:00:00Z')
const create = (email: string, group?: string) =>
  database.db.transaction().execute((tx) => createAdmin(tx, { email, name: 'Ada Admin', group }, testAuth, now))
const tokenOf = (link: string) => new URL(link).hash.replace('#token=', '')
const groupsOf = async (email: string) =>
  (
    await database.db
      .selectFrom('person_groups')
      .innerJoin('people', 'people.id', 'person_groups.person_id')
      .select('group_id')
      .where('email', '=', email)
      .execute()
  ).map((row) => row.group_id)

test('the first admin is a super-admin, also with two concurrent calls; others need a group', async () => {
  const results = await Promise.allSettled(['Ada@example.com', 'bea@example.com'].map((email) => create(email)))
  expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1)
  expect([...(await groupsOf('ada@example.com')), ...(await groupsOf('bea@example.com'))]).toEqual([1])
  await expect(create('carl@example.com')).rejects.toThrow(/name the group of carl@example\.com with --group/)
  await expect(create('carl@example.com', 'no-such-group')).rejects.toThrow(/There is no group 'no-such-group'/)
  await create('carl@example.com', 'payroll')
  expect(await groupsOf('carl@example.com')).toEqual([4])
})

test('an admin who lost the link gets another one, unless they have already signed in', async () => {
  const first = await create('dora@example.com', 'payroll')
  const second = await create('dora@example.com', 'payroll')
  const accept = (link: string) =>
    acceptInvitation(
      { db: database.db, auth: testAuth, now, caller: { address: '203.0.113.5', device: null } },
      { token: tokenOf(link), password: 'Chosen-Pass-2' },
    )
  await expect(accept(first)).rejects.toMatchObject({ code: 'link-invalid' })
  expect(await accept(second)).toEqual({ email: 'dora@example.com' })
  await expect(create('dora@example.com', 'payroll')).rejects.toThrow(/dora@example\.com signs in already/)
})
