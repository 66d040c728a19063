import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CodedProblem } from '#contract/problem-codes.ts'
import { problemOf, refusalOf } from '#server/http/problem-answer.ts'
import { createDatabase, type TestDatabase } from '#tests/support/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database.drop())

/** Every unique and foreign key of the schema, with the error that PostgreSQL raises on a violation. */
const keys = async () =>
  (
    await sql<{ name: string; relation: string; code: string }>`
      select index.relname as name, i.indrelid::regclass::text as relation, '23505' as code
      from pg_index i join pg_class index on index.oid = i.indexrelid
      where i.indisunique and index.relnamespace = 'public'::regnamespace
      union all
      select conname, conrelid::regclass::text, '23503' from pg_constraint
      where contype = 'f' and connamespace = 'public'::regnamespace`.execute(database.db)
  ).rows

test('a violated unique or foreign key is answered with 409, and names nothing of the schema', async () => {
  const all = await keys()
  expect(all.length).toBeGreaterThan(100)
  for (const { name, relation, code } of all) {
    const thrown = await sql`do ${sql.lit(`begin raise exception 'duplicate key value violates "${name}"'
      using errcode = '${code}', constraint = '${name}', table = '${relation}'; end`)}`
      .execute(database.db)
      .catch((error: unknown) => error)
    const { refused, unexpected } = refusalOf(thrown)
    const problem = CodedProblem.parse(problemOf(refused))
    expect([name, problem.status, unexpected]).toEqual([name, 409, true])
    expect(JSON.stringify(problem)).not.toContain(name)
  }
})

test('a missing value or a violated check is answered with 422', async () => {
  for (const statement of [
    sql`insert into people (kind, email, name) values ('ADMIN', 'someone@example.com', null)`,
    sql`insert into people (kind, email, name) values ('VISITOR', 'someone@example.com', 'Some One')`,
  ]) {
    const thrown = await statement.execute(database.db).catch((error: unknown) => error)
    expect(refusalOf(thrown).refused).toMatchObject({ status: 422, code: 'validation-failed' })
  }
})
