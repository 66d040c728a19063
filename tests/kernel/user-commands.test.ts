import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import approve from '#commands/user/approve-identity-check.ts'
import changeEmail from '#commands/user/change-email.ts'
import changeNames from '#commands/user/change-names.ts'
import clearPhone from '#commands/user/clear-phone.ts'
import remove from '#commands/user/delete.ts'
import deny from '#commands/user/deny-identity-check.ts'
import reopen from '#commands/user/reopen-identity-check.ts'
import requestDocuments from '#commands/user/request-documents.ts'
import { permissionIds } from '#domain/permissions.ts'
import { availability } from '#kernel/availability.ts'
import { changes, type Command, isIrreversible, undoable } from '#kernel/command.ts'
import { fieldsOf, formOf } from '#kernel/form.ts'
import { runOne, runSteps } from '#kernel/run.ts'
import type { CommandContext } from '#kernel/command-context.ts'
import { createCompany, createEmployee, createUser } from '#tests/support/company.ts'
import { call, createServer, type TestServer } from '#tests/support/server.ts'
import { personWith, type SignedIn } from '#tests/support/session.ts'
import { realClient, runEnvironment } from '#tests/kernel/real-client.ts'

let server: TestServer
let admin: SignedIn
let employerId: number

beforeAll(async () => {
  server = await createServer()
  employerId = (await createCompany(server.db, 'Harbor')).employerIds[0] as number
  admin = await personWith(server, permissionIds)
})
afterAll(() => server.close())

type Thing = Record<string, unknown> & { id: number; version: number }
const read = async (path: string): Promise<Thing> => (await call(server, 'GET', path, admin)).body
const context = (held: readonly number[] = permissionIds): CommandContext =>
  ({ signedIn: true, held: new Set(held), supports: () => true, selection: null, pane: null, open: null }) as never
const why = (command: Command, target: unknown, held?: readonly number[]) => {
  const now = availability(command, context(held), target)
  return 'sentence' in now ? now.sentence : now.state
}

/** The user and the linked employee, as loaded by each record of the portal. */
async function linked(kyc: string | null = 'UNDER_REVIEW') {
  const { id, userId } = await createEmployee(server.db, { employerId, linked: { kyc } })
  return { user: () => read(`/users/${userId}`), employee: () => read(`/employees/${id}`) }
}

const rows: readonly (readonly [name: string, commands: Command[], params: object, after: object, undone: object | null])[] = [
  [
    'names',
    changeNames,
    { first_name: 'Ada', last_name: 'Byron' },
    { first_name: 'Ada' },
    { first_name: 'Mia', last_name: 'Torres' },
  ],
  [
    'e-mail',
    changeEmail,
    { email: 'ada@example.com' },
    { pending_email: 'ada@example.com', status: 'PENDING_EMAIL_UPDATE' },
    { pending_email: null, status: 'ACTIVE' },
  ],
  ['phone', clearPhone, {}, { phone_number: null }, null],
  ['documents', requestDocuments, { document_types: ['ID_CARD'] }, { document_types: ['ID_CARD'] }, null],
  ['approval', approve, {}, { kyc_status: 'APPROVED' }, { kyc_status: 'UNDER_REVIEW' }],
  ['denial', deny, { reason: 'Blurred' }, { kyc_status: 'DENIED', kyc_reason: 'Blurred' }, { kyc_status: 'UNDER_REVIEW' }],
]

describe.each(['user', 'employee'] as const)('on the record of the %s', (on) => {
  test.each(rows)('%s is changed by a command, and undone where possible', async (_, commands, params, after, undone) => {
    const command = commands.find((each) => each.on?.name === on) as Command
    const people = await linked()
    const before = await people[on]()
    expect(why(command, before)).toBe('ready')
    expect(undoable(command, before)).toBe(undone !== null)
    const form = formOf(command, context(), before)
    expect(form ? fieldsOf(form).map(({ name }) => name) : []).toEqual(Object.keys(params))
    const io = runEnvironment(realClient(server, admin), admin, people[on])
    const outcome = await runOne(command, before, { ...params }, io)
    expect(outcome).toMatchObject({ kind: 'done' })
    expect(await people.user()).toMatchObject({ ...after, version: 2 })
    if (!changes(command) || outcome.kind !== 'done') throw new Error('It was not done.')
    const steps = command.undo?.steps?.({ before, after: outcome.after, params: { ...params }, answers: outcome.answers }) ?? null
    expect(steps !== null).toBe(undone !== null)
    if (!steps) return
    const again = await runSteps(
      command,
      steps,
      outcome.after,
      { title: 'Undo', sentence: () => 'Undone', undoneBy: 'session.undo' },
      io,
    )
    expect(again).toMatchObject({ kind: 'done' })
    expect(await people.user()).toMatchObject({ ...undone, version: 3 })
  })

  test('[EMP-014] [ERR-026] deleting is irreversible, says so, and is refused while an employee is linked', async () => {
    const command = remove.find((each) => each.on?.name === on) as Command
    const people = await linked()
    const target = await people[on]()
    expect(why(command, target)).toBe('A linked user can not be deleted.')
    expect(why(command, target, [2])).toBe("You don't have permission to take this action.")
    if (!changes(command)) throw new Error('It changes nothing.')
    expect(isIrreversible(command)).toBe(true)
    expect(command.preview?.warning?.(target)).toBe(
      'The person can no longer sign in and cannot be linked again. The history stays.',
    )
    expect(undoable(command, target)).toBe(false)
    // A stale page gets the refusal from the server.
    const stale = on === 'user' ? { ...target, employee_id: null } : target
    const outcome = await runOne(command, stale, {}, runEnvironment(realClient(server, admin), admin))
    expect(outcome).toMatchObject({ kind: 'refused', sentence: 'A linked user can not be deleted.' })
  })
})

test('[ERR-025] [PERM-035] deleting a user without a linked employee needs 1015, and reports failures', async () => {
  const [command] = remove as [Command]
  const { id } = await createUser(server.db)
  const one = await read(`/users/${id}`)
  expect(why(command, one)).toBe('ready')
  expect(
    why(
      command,
      one,
      permissionIds.filter((each) => each !== 1015),
    ),
  ).toBe("You don't have permission to take this action.")
  const failing = runEnvironment(realClient(server, admin, Array(8).fill('failed')), admin)
  expect(await runOne(command, one, {}, failing)).toMatchObject({ kind: 'failed', sentence: 'User could not be deleted.' })
  const outcome = await runOne(command, one, {}, runEnvironment(realClient(server, admin), admin))
  expect(outcome).toMatchObject({ kind: 'done', sentence: 'Deleted Mia Torres', after: { status: 'DELETED' } })
  for (const [first] of [changeNames, changeEmail, clearPhone, requestDocuments, approve, deny, reopen, remove])
    expect([first?.id, why(first as Command, await read(`/users/${id}`))]).toEqual([
      first?.id,
      'Actions unavailable when in Deleted.',
    ])
})

test('commands on a missing user, an unstarted check and a decided one say why not', async () => {
  const { id } = await createEmployee(server.db, { employerId })
  const alone = await read(`/employees/${id}`)
  for (const commands of [changeNames, changeEmail, clearPhone, requestDocuments, approve, deny, reopen, remove])
    expect(why(commands[1] as Command, alone)).toBe('This employee is not linked to a user.')
  const none = await (await linked(null)).user()
  for (const [first] of [requestDocuments, approve, deny, reopen])
    expect(why(first as Command, none)).toBe('The identity check of this user has not started.')
  const denied = await (await linked('DENIED')).user()
  expect(why(deny[0] as Command, denied)).toBe('The identity check is denied already.')
  expect(why(approve[0] as Command, denied)).toBe('ready')
  expect(why(reopen[0] as Command, denied)).toBe('ready')
})

test('a call whose answer was lost is retried with the same key, and happens once', async () => {
  const people = await linked()
  const apiClient = realClient(server, admin, ['lost'])
  const command = changeNames[0] as Command
  const outcome = await runOne(
    command,
    await people.user(),
    { first_name: 'Ada', last_name: 'Byron' },
    runEnvironment(apiClient, admin),
  )
  expect(outcome).toMatchObject({ kind: 'done' })
  expect(new Set(apiClient.keys).size).toBe(1)
  expect(await people.user()).toMatchObject({ first_name: 'Ada', version: 2 })
})
