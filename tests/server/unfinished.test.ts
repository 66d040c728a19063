import { afterAll, beforeAll, expect, test } from 'vitest'
import { leaveIndexes, stepsLeft } from '#server/tables/later-steps.ts'
import { putSetting } from '#server/tables/setting.ts'
import { createDatabase, type TestDatabase } from '#tests/support/database.ts'
import { startProcess } from '#tests/support/process.ts'

let database: TestDatabase
const index = 'CREATE INDEX employees_by_zip ON public.employees USING btree (zip, id)'

beforeAll(async () => {
  database = await createDatabase()
  await leaveIndexes(database.owner, [index])
})
afterAll(() => database.drop())

/** The output of a server from its start to its end. */
async function outputOf(settings: Record<string, string>, ready: () => Promise<unknown>): Promise<string> {
  const server = startProcess({ DATABASE_URL: database.url, SEED: 'none', LOG_LEVEL: 'error', ...settings })
  await server.ready
  await ready()
  server.child.kill('SIGTERM')
  const { code, out, complaint } = await server.ended
  expect({ code, complaint }).toEqual({ code: 0, complaint: '' })
  return out
}

test('a server without the role of the owner says how to take the later steps, and leaves them', async () => {
  const out = await outputOf({}, async () => undefined)
  expect(out).toContain('run `npm run migrate -- --finish` with MIGRATION_DATABASE_URL')
  expect(out).not.toContain('Indexes are still being made')
  expect(await stepsLeft(database.owner)).toEqual([{ index }])
})

test('a server with it takes them, and says so', async () => {
  const done = () => expect.poll(() => stepsLeft(database.owner)).toEqual([])
  const out = await outputOf({ MIGRATION_DATABASE_URL: database.ownerUrl }, done)
  expect(out).toContain('Indexes are still being made')
  expect(out).not.toContain('migrate -- --finish')
})

test('where old rows may lack a required value, nothing is served before they have it', async () => {
  const steps = [{ require: 'employees', column: 'organization_id' }, { index: index.replaceAll('zip', 'pay_code') }]
  await putSetting(database.owner, 'later-steps', JSON.stringify(steps))
  const without = startProcess({ DATABASE_URL: database.url, SEED: 'none', LOG_LEVEL: 'error' })
  await expect(without.ready).rejects.toThrow()
  const { complaint } = await without.ended
  expect(complaint).toContain('not complete yet: run `npm run migrate -- --finish`')
  expect(await stepsLeft(database.owner)).toEqual(steps)
  const filled = async () => expect(JSON.stringify(await stepsLeft(database.owner))).not.toContain('require')
  const out = await outputOf({ MIGRATION_DATABASE_URL: database.ownerUrl }, filled)
  expect(out).toContain('completed before anything is served')
})
