import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import type { AnyEndpoint } from '#contract/define.ts'
import { permissionIds } from '#domain/permissions.ts'
import { PreparingClient } from '#server/postgres/prepared.ts'
import { seedDemo } from '#server/seed/demo.ts'
import { maxWords, searchWords } from '#server/tables/employee-search.ts'
import { call, createServer, type TestServer } from '#tests/support/server.ts'
import { type SignedIn, personWith } from '#tests/support/session.ts'

let server: TestServer
let priya: SignedIn

beforeAll(async () => {
  server = await createServer()
  await seedDemo(server.owner, { employees: 300, today: '2026-06-15' })
  priya = await personWith(server, permissionIds)
  // The first call also notes that the session is used.
  await call(server, 'GET', '/me', priya)
})
afterAll(() => server.close())

const isSearchable = ({ method, path, query }: AnyEndpoint) => method === 'GET' && 'q' in query.shape && !path.includes('{')

const wordsOf = (count: number): string => Array.from({ length: count }, (_, at) => 'aeiou'[at % 5]).join(' ')

/** Number of values that a search sends to the database, in all its statements. */
async function valuesOf(path: string, q: string): Promise<number> {
  const query = vi.spyOn(PreparingClient.prototype, 'query')
  onTestFinished(() => query.mockRestore())
  query.mockClear()
  const { status, body } = await call(server, 'GET', `${path}?q=${encodeURIComponent(q)}`, priya)
  expect([path, status, body?.detail]).toEqual([path, 200, undefined])
  // A word is a value, or an element of one.
  return query.mock.calls.flatMap(([first, values]: unknown[]) => {
    const { values: own } = (typeof first === 'object' ? first : {}) as { values?: unknown[] }
    return ((values ?? own ?? []) as unknown[]).flat()
  }).length
}

test('no list compares its rows with more than six words, however many a search has', async () => {
  const paths = server.services.routes.endpoints.filter(isSearchable).map(({ path }) => path)
  expect(paths.length).toBeGreaterThan(30)
  for (const path of paths)
    expect([path, await valuesOf(path, wordsOf(100))]).toEqual([path, await valuesOf(path, wordsOf(maxWords))])
})

test('further words of a search are ignored', async () => {
  expect(searchWords('Barnes, Sadia of the First Street Bank')).toEqual(['barnes', 'sadia', 'of', 'the', 'first', 'street'])
  const { body } = await call(server, 'GET', '/write-offs?limit=1', priya)
  const { employee_name: name } = body.write_offs[0]
  const six = Array(maxWords).fill(name.split(' ')[0]).join(' ')
  const found = async (q: string) => (await call(server, 'GET', `/write-offs/count?q=${encodeURIComponent(q)}`, priya)).body.count
  expect(await found(six)).toBeGreaterThan(0)
  expect(await found(`${six} nobody has this name`)).toBe(await found(six))
  expect(await found('nobody')).toBe(0)
})
