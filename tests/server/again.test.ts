import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Actor } from '#server/access/actor.ts'
import { openTo } from '#server/access/scope.ts'
import { again, foundBy } from '#server/paging/reread-page.ts'
import { createCompany, createEmployee } from '#tests/support/company.ts'
import { createDatabase, type TestDatabase } from '#tests/support/database.ts'
import { createPerson } from '#tests/support/people.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database.drop())

test('[PERM-003] rows found for a page are re-read in page order, without those no longer accessible', async () => {
  const { db } = database
  const [harbor, laurel] = (await createCompany(db, 'Harbor', 2)).employerIds as [number, number]
  const ids: number[] = []
  for (const employerId of [harbor, laurel, harbor]) ids.push((await createEmployee(db, { employerId })).id)
  const manager = await createPerson(db, { kind: 'ACCOUNT_MANAGER', grants: [{ employerId: harbor }, { employerId: laurel }] })
  const actor = { kind: 'ACCOUNT_MANAGER', id: manager.id } as Actor
  const source = { from: sql`employees e`, open: openTo(actor, sql.ref('e.employer_id')) }
  const found = await foundBy(db as never, sql`select id, null as key from employees e order by id desc`)
  const read = async () =>
    (await sql<{ id: number }>`select id from (${again(found, source)}) chosen order by key`.execute(db)).rows.map(({ id }) => id)
  expect(await read()).toEqual([ids[2], ids[1], ids[0]])
  await db.deleteFrom('access_grants').where('employer_id', '=', laurel).execute()
  expect(await read()).toEqual([ids[2], ids[0]])
})

test('rows of partitioned tables are found by their day, whatever the order of the days', async () => {
  const { db } = database
  const employerId = (await createCompany(db, 'Laurel')).employerIds[0] as number
  const { id } = await createEmployee(db, { employerId })
  const days = [0, 45, 20].map((ago) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10))
  for (const day of days)
    await sql`insert into time_entries (employee_id, employer_id, work_date, minutes, earned_amount, status)
      values (${id}, ${employerId}, ${day}, 60, 1500, 'PENDING')`.execute(db)
  const source = { from: sql`time_entries e`, open: sql`true`, partitionedBy: { name: 'work_date', type: 'date' } } as const
  const found = await foundBy(
    db as never,
    sql`select e.id, e.work_date as part from time_entries e order by array_position(${days}::date[], e.work_date)`,
  )
  const { rows } = await sql<{ work_date: string }>`select work_date from (${again(found, source)}) chosen order by key`.execute(
    db,
  )
  expect(rows.map(({ work_date }) => work_date)).toEqual(days)
})
