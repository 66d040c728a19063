import { globSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { withList } from '#entities/with-list.ts'
import { guard } from '#kernel/availability.ts'
import { callsOf, commandsOn } from '#kernel/calls-of.ts'
import { changes, type Command, filterOf } from '#kernel/command.ts'
import { openCommand } from '#kernel/entity.ts'
import type { AnyPageForm } from '#kernel/page-form.ts'
import { commandsChanged } from '#kernel/rights-change.ts'
import { groupsOfRules, isEnough } from '#tests/support/needed.ts'
import { createPerson } from '#tests/support/people.ts'
import { call, createServer, type TestServer } from '#tests/support/server.ts'
import { personWith } from '#tests/support/session.ts'
import { permissionIds, permissionNames } from '#domain/permissions.ts'

const idOf = (name: string): number | undefined => permissionIds.find((id) => permissionNames[id] === name)
/** `call` is the name of a permission, or a call whose required permissions are checked. */
const mayCall = (call: string, held: ReadonlySet<number>): boolean => {
  const id = idOf(call)
  return id === undefined ? isEnough(call, held) : held.has(id)
}
/** The permission to read each noun, which also covers its notes. */
const readers: Readonly<Record<string, number>> = {
  ...{ employee: 2, user: 2, employer: 3, organization: 4 },
  ...{ invoice: 1, repayment: 1, 'write-off': 1, deduction: 1 },
}
const mayRun = (command: Command, held: ReadonlySet<number>): boolean =>
  command.id.startsWith('note.') && command.on && command.id !== 'note.delete'
    ? held.has(readers[command.on.name] ?? Number.NaN)
    : callsOf(command).every((call) => mayCall(call, held))

let server: TestServer
beforeAll(async () => {
  server = await createServer()
})
afterAll(() => server.close())

const modules: { default: Command | Command[] }[] = await Promise.all(
  globSync('commands/*/!(*.page).ts').map((path) => import(new URL(`../../${path}`, import.meta.url).href)),
)
const commands = modules.flatMap((module) => module.default)

test.each(Object.entries(groupsOfRules))(
  'with group %s a command is locked exactly where the rules refuse one of its calls',
  (_, holds) => {
    const held = new Set<number>(holds === 'everything' ? permissionIds : holds)
    for (const rights of [held, new Set<number>()]) {
      const validated = commands.filter((command) => !filterOf(command))
      const locked = validated.filter((command) => guard(command, rights).verdict === 'no').map(({ id }) => id)
      const refused = validated.filter((command) => !mayRun(command, rights)).map(({ id }) => id)
      expect(locked.sort()).toEqual(refused.sort())
      expect(refused.length).toBeLessThan(commands.length)
    }
  },
)

test('the access check of the API agrees with the palette for every command on every noun', async () => {
  const { headers } = await personWith(server, permissionIds)
  const { id } = await createPerson(server.db, { kind: 'ADMIN', permissions: [2] })
  const odd: string[] = []
  let asked = 0
  for (const noun of [undefined, ...withList.map(({ name }) => name)])
    for (const command of commandsOn(noun, commands)) {
      asked += 1
      const path = `/admins/${id}/access?${new URLSearchParams({ calls: callsOf(command).join() })}`
      const { status, body } = await call(server, 'GET', path, { headers })
      const { verdict } = guard(command, new Set([2]))
      if (status !== 200 || (verdict === 'no') !== (body.reason === 'permission'))
        odd.push(`${command.id}: ${verdict}, ${status} ${body.reason}`)
    }
  expect(odd).toEqual([])
  expect(asked).toBeGreaterThan(150)
})

test('commands gained or lost with permissions are named: those that change data, and pages', () => {
  const [none, payroll] = [new Set<number>(), new Set<number>(groupsOfRules[4] as readonly number[])]
  const { gained, lost } = commandsChanged(commands, { before: none, after: new Set([2, 9, 1013]) })
  expect(gained).toEqual(expect.arrayContaining(['Open employees', 'Pause employee', 'Resume employee']))
  expect(gained).not.toContain('Terminate employee off-cycle')
  // A long list is truncated: commands that change data come before pages.
  const places = gained.map((title) => title.startsWith('Open '))
  expect(places).toEqual([...places].sort((a, b) => Number(a) - Number(b)))
  expect(lost).toEqual([])
  const less = commandsChanged(commands, { before: payroll, after: new Set([2]) })
  expect(less.lost).toEqual(expect.arrayContaining(['Open invoices', 'Terminate employee off-cycle']))
  expect(less.gained).toEqual([])
  expect(commandsChanged(commands, { before: payroll, after: payroll })).toEqual({ gained: [], lost: [] })
})

test('every link to a record requires its list call: an API may have no call for one record', () => {
  const ways = commands.filter(({ id, on }) => on && id === openCommand(on))
  expect(ways.map(({ on }) => on?.name).sort()).toEqual(withList.map(({ name }) => name).sort())
  expect(ways.filter((way) => !('reads' in way) || way.reads.path !== way.on?.list.path).map(({ id }) => id)).toEqual([])
})

test('every write of section 7 is made by a command, or by signing in', async () => {
  const pages: { default: AnyPageForm }[] = await Promise.all(
    globSync('commands/*/*.page.ts').map((path) => import(new URL(`../../${path}`, import.meta.url).href)),
  )
  const written = readFileSync('docs/checklist.tsv', 'utf8')
    .split('\n')
    .flatMap((line) => /^API-\d+\t7\t[^\t]*\t((?:POST|PUT|PATCH|DELETE) [^\s:,]+)/.exec(line)?.[1] ?? [])
  const unnamed = (call: string) => call.replace(/\{\w+\}/g, '{}')
  const made = new Set(
    [...commands, ...pages.map((page) => page.default.command)]
      .flatMap((command) => (changes(command) ? command.does : []))
      .map(({ endpoint }) => unnamed(`${endpoint.method} ${endpoint.path.slice(1)}`)),
  )
  expect(written.length).toBeGreaterThan(45)
  const signIn = ['POST auth', 'POST {userId}/mfa']
  expect(written.filter((each) => !made.has(unnamed(each)) && !signIn.includes(each))).toEqual([])
})

test('[CARD-002] every command that changes data has its parameters as a zod object, or has none', () => {
  const changing = commands.filter(changes)
  const odd = changing.filter(({ form, does }) => {
    const schema = form?.schema
    const schemas = typeof schema === 'function' ? [] : schema ? [schema] : does.map(({ body }) => body)
    return !schemas.every((schema) => schema instanceof z.ZodObject)
  })
  expect(odd.map(({ id }) => id)).toEqual([])
  // A form that depends on its target is created by a function, whose type ensures a zod object.
  expect(changing.filter(({ form }) => typeof form?.schema !== 'function').length).toBeGreaterThan(60)
})
