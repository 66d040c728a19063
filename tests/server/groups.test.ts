import { afterAll, beforeAll, expect, test } from 'vitest'
import { permissionIds } from '#domain/permissions.ts'
import { startSession } from '#server/auth/session.ts'
import { nameOf } from '#server/http/route-table.ts'
import { groupsOfRules, isEnough, neededFor } from '#tests/support/needed.ts'
import { createPerson } from '#tests/support/people.ts'
import { call, createServer, type TestServer } from '#tests/support/server.ts'
import { personWith } from '#tests/support/session.ts'

let server: TestServer
beforeAll(async () => {
  server = await createServer()
})
afterAll(() => server.close())

/** The asking person and their permissions by the rules. */
interface TestCaller {
  who: string
  held: ReadonlySet<number>
  headers: Record<string, string>
}

const everything = new Set<number>(permissionIds)
const callerWith = async (who: string, held: Iterable<number>): Promise<TestCaller> => {
  const all = new Set(held)
  return { who, held: all, headers: (await personWith(server, [...all])).headers }
}
async function inGroup(id: number): Promise<TestCaller> {
  const holds = groupsOfRules[id] ?? []
  const person = await createPerson(server.db, { groups: [id] })
  const { token } = await server.db
    .transaction()
    .execute((tx) => startSession(tx, person.id, { address: '127.0.0.1', device: null }, server.services.auth, new Date()))
  return {
    who: `group ${id}`,
    held: holds === 'everything' ? everything : new Set(holds),
    headers: { ...server.application, authorization: `Bearer ${token}` },
  }
}

/** Every call: its name in the rules, its path with the id of a missing record, and a minimal body. */
function everyCall() {
  return server.services.routes.routes.flatMap(({ endpoint, change, intents, params }) => {
    const uuid = '00000000-0000-4000-8000-0000000fffff'
    const id = Object.keys(params.shape).every((name) => params.shape[name]?.safeParse(uuid).success) ? uuid : '987654321'
    const asked = { method: endpoint.method, path: endpoint.path.replace(/\{\w+\}/g, id) }
    // Signing out would end the session of the asking person.
    if (endpoint.path === '/auth/logout') return []
    if (change) return intents.map(({ intent }) => ({ ...asked, name: intent.id, body: intent.fixed as object | undefined }))
    return [{ ...asked, name: nameOf(endpoint), body: endpoint.method === 'GET' ? undefined : {} }]
  })
}

test('each call is refused exactly to people who lack the permissions of the rules', async () => {
  const calls = everyCall()
  const groups = await Promise.all(Object.keys(groupsOfRules).map((id) => inGroup(Number(id))))
  const people = [await callerWith('nobody', []), ...groups]
  const known = new Map<string, TestCaller>()
  const asHolder = async (held: readonly number[]): Promise<TestCaller> => {
    const who = held.length > 15 ? `all but ${permissionIds.filter((id) => !held.includes(id))}` : `only ${held}`
    const one = known.get(who) ?? (await callerWith(who, held))
    known.set(who, one)
    return one
  }
  const questions: { asked: (typeof calls)[number]; asker: TestCaller }[] = []
  for (const asked of calls) {
    const least = neededFor(asked.name).filter((every) => every.length > 0)
    // Without one permission of each set a call is refused, whatever else a person holds.
    const lacking = [0, -1].map((at) => new Set(least.map((every) => every.at(at))))
    const short = least.length > 0 ? lacking.map((lacks) => permissionIds.filter((id) => !lacks.has(id))) : []
    const holders: TestCaller[] = []
    for (const held of new Map([...least, ...short].map((ids) => [ids.join(), ids])).values()) holders.push(await asHolder(held))
    questions.push(...[...people, ...holders].map((asker) => ({ asked, asker })))
  }
  const wrong: string[] = []
  const counted = { refused: 0, let: 0 }
  const lane = async () => {
    for (let next = questions.shift(); next; next = questions.shift()) {
      const { asked, asker } = next
      const { status, body } = await call(server, asked.method, asked.path, { headers: asker.headers, body: asked.body })
      const refused = status === 403 && body?.code === 'permission-denied'
      counted[refused ? 'refused' : 'let'] += 1
      if (refused === isEnough(asked.name, asker.held)) wrong.push(`${asked.name} by ${asker.who}: ${status} ${body?.code ?? ''}`)
    }
  }
  await Promise.all(Array.from({ length: 8 }, lane))
  expect(wrong).toEqual([])
  expect(calls.length).toBeGreaterThan(250)
  expect(Math.min(counted.refused, counted.let)).toBeGreaterThan(700)
})
