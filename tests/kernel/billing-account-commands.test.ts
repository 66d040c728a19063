import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import changeNumber from '#commands/billing-account/change-number.ts'
import remove from '#commands/billing-account/delete.ts'
import edit from '#commands/billing-account/edit.ts'
import add from '#commands/organization/add-billing-account.ts'
import addSeveral from '#commands/organization/add-billing-accounts.ts'
import { permissionIds } from '#domain/permissions.ts'
import { changes, type Command, undoable } from '#kernel/command.ts'
import { fieldsOf, formOf } from '#kernel/form.ts'
import { refusalOf, runOne, runSteps } from '#kernel/run.ts'
import { keptParams } from '#kernel/secrets.ts'
import { formKeys } from '#kernel/send.ts'
import { createCompany } from '#tests/support/company.ts'
import { call, createServer, type TestServer } from '#tests/support/server.ts'
import { personWith, type SignedIn } from '#tests/support/session.ts'
import { realClient, runEnvironment } from '#tests/kernel/real-client.ts'

let server: TestServer
let admin: SignedIn
let organization: { id: number; version: number; name: string }

beforeAll(async () => {
  server = await createServer()
  admin = await personWith(server, permissionIds)
})
afterAll(() => server.close())
beforeEach(async () => {
  const { organizationId } = await createCompany(server.db, 'Harbor', 2)
  organization = (await call(server, 'GET', `/organizations/${organizationId}`, admin)).body
})

const io = () => runEnvironment(realClient(server, admin), admin)
const run = (command: Command, target: unknown, params: object, more = {}) => runOne(command, target, { ...params }, io(), more)
const accounts = async () =>
  (await call(server, 'GET', `/billing-accounts?organization-id=${organization.id}&sort=id`, admin)).body.billing_accounts
const typed = {
  name: 'Harbor Foods',
  nickname: 'Payroll',
  scope: 'ORGANIZATION',
  routing_number: '121000248',
  account_number: '000123456789',
}

test('[ERR-043] [ERR-044] [ERR-045] an account is created, updated and deleted by commands, in the specified words', async () => {
  expect(await run(add, organization, typed)).toMatchObject({ kind: 'done', sentence: 'Billing account created' })
  const [made] = await accounts()
  const edited = await run(edit, made, { ...typed, nickname: 'Reserve', routing_number: undefined, account_number: undefined })
  expect(edited).toMatchObject({ kind: 'done', sentence: 'Billing account updated', after: { nickname: 'Reserve', version: 2 } })
  if (edited.kind !== 'done' || !changes(edit)) throw new Error('It was not done.')
  const steps = edit.undo?.steps?.({ before: edited.before, after: edited.after, params: {}, answers: edited.answers }) ?? []
  const about = { title: 'Undo', sentence: () => 'Undone', undoneBy: 'session.undo' }
  expect(await runSteps(edit, steps, edited.after, about, io())).toMatchObject({ after: { nickname: 'Payroll' } })
  const [now] = await accounts()
  expect(await run(changeNumber, now, { routing_number: '021000021', account_number: '55554321' })).toMatchObject({
    sentence: 'Billing account updated',
    after: { nickname: 'Payroll', routing_number: '021000021', account_number_last_four: '4321' },
  })
  expect([undoable(changeNumber), undoable(remove)]).toEqual([false, false])
  const [last] = await accounts()
  expect(await run(remove, last, {})).toMatchObject({ sentence: 'Billing account deleted', after: { status: 'DELETED' } })
})

test.each([add, addSeveral, edit, changeNumber, remove])('[ERR-046] $id reports an unexpected failure', (command) => {
  const problem = { type: 'about:blank', title: 'Internal Server Error', status: 500, code: 'internal-error' as const }
  expect(refusalOf(command, {}, problem).sentence).toBe('Something went wrong saving the billing account configuration')
})

test('[ERR-047] of several at once the valid ones are created, and the number of failures is shown', async () => {
  const lines = (...numbers: string[]) => numbers.map((number, at) => `No ${at + 1}\tHarbor\t121000248\t${number}`).join('\n')
  await run(add, organization, typed)
  const keys = formKeys(() => crypto.randomUUID())
  const first = await run(
    addSeveral,
    organization,
    { accounts: lines('1111', '000123456789', '3333'), scope: 'ORGANIZATION' },
    { keys },
  )
  expect(first).toMatchObject({
    kind: 'refused',
    sentence: 'Something went wrong with 1 of 3 accounts created',
    detail: 'No 2 …6789: This organization has this account already.',
  })
  expect((await accounts()).map((one: { nickname: string }) => one.nickname)).toEqual(['Payroll', 'No 1', 'No 3'])
  // A corrected second send does not create accounts twice.
  const again = await run(addSeveral, organization, { accounts: lines('1111', '2222', '3333'), scope: 'ORGANIZATION' }, { keys })
  expect(again).toMatchObject({ kind: 'done', sentence: '3 billing accounts created' })
  expect(await accounts()).toHaveLength(4)
})

test('the form of several reports an invalid line, and stores no account number', () => {
  const form = formOf(addSeveral, {} as never, organization)
  if (!form) throw new Error('It has no form.')
  const said = (text: string) => form.safeParse({ accounts: text, scope: 'ORGANIZATION' }).error?.issues[0]?.message
  expect(said('Payroll\tHarbor\t121000249\t1234')).toBe(
    'Line 1: The check digit does not fit: a digit of this routing number is wrong.',
  )
  expect(said('\n')).toBe('This is a required field.')
  expect(keptParams(addSeveral, { accounts: 'Payroll\tHarbor\t121000248\t1234', scope: 'ORGANIZATION' }, form)).toEqual({
    scope: 'ORGANIZATION',
  })
  expect(fieldsOf(form).find(({ name }) => name === 'employer_ids')).toMatchObject({
    kind: 'references',
    when: { field: 'scope', is: 'EMPLOYERS' },
    within: { 'organization-id': String(organization.id) },
  })
})
