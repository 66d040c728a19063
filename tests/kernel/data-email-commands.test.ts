import { afterAll, beforeAll, expect, test } from 'vitest'
import remove from '#commands/data-email/delete.ts'
import ofEmployer from '#commands/employer/add-data-emails.ts'
import add from '#commands/organization/add-data-emails.ts'
import { permissionIds } from '#domain/permissions.ts'
import { changes } from '#kernel/command.ts'
import { formOf } from '#kernel/form.ts'
import { refusalOf, runOne, runSteps } from '#kernel/run.ts'
import { formKeys } from '#kernel/send.ts'
import type { CommandContext } from '#kernel/command-context.ts'
import { createCompany } from '#tests/support/company.ts'
import { call, createServer, type TestServer } from '#tests/support/server.ts'
import { personWith, type SignedIn } from '#tests/support/session.ts'
import { realClient, runEnvironment } from '#tests/kernel/real-client.ts'

let server: TestServer
let admin: SignedIn
let organizationId: number
let employerId: number

beforeAll(async () => {
  server = await createServer()
  admin = await personWith(server, permissionIds)
  const company = await createCompany(server.db, 'Harbor')
  organizationId = company.organizationId
  employerId = company.employerIds[0] as number
})
afterAll(() => server.close())

const io = () => runEnvironment(realClient(server, admin), admin)
const get = async (path: string) => (await call(server, 'GET', path, admin)).body
const listed = async () => (await get(`/data-emails?organization-id=${organizationId}`)).data_emails

test('data e-mails are added to an organization or employer, and a deleted one is restored', async () => {
  const organization = await get(`/organizations/${organizationId}`)
  const typed = { types: ['TIMEKEEPING'], timekeeping_email: 'hours@harbor.example' }
  expect(await runOne(add, organization, typed, io())).toMatchObject({ kind: 'done', sentence: 'Data e-mail added' })
  expect(await runOne(add, organization, { ...typed, employer_id: employerId }, io())).toMatchObject({ kind: 'done' })
  const employer = await get(`/employers/${employerId}`)
  const people = { types: ['ELIGIBLE_EMPLOYEE'], eligible_employee_email: 'people@harbor.example' }
  expect(await runOne(ofEmployer, employer, people, io())).toMatchObject({ kind: 'done' })
  const before = await listed()
  expect(before.map((one: { level: string; email: string }) => [one.level, one.email])).toEqual([
    ['ORGANIZATION', 'hours@harbor.example'],
    ['EMPLOYER', 'hours@harbor.example'],
    ['EMPLOYER', 'people@harbor.example'],
  ])
  for (const one of before) {
    const outcome = await runOne(remove, one, {}, io())
    expect(outcome).toMatchObject({ kind: 'done', sentence: `Deleted ${one.email}` })
    if (!changes(remove) || outcome.kind !== 'done') throw new Error('It was not done.')
    const steps = remove.undo?.steps?.({ before: one, after: one, params: {}, answers: [] }) ?? []
    const about = { title: 'Undo', sentence: () => 'Undone', undoneBy: 'session.undo' }
    expect(await runSteps(remove, steps, one, about, io())).toMatchObject({ kind: 'done' })
  }
  const now = await listed()
  expect(now.map(({ email, level }: { email: string; level: string }) => [level, email])).toEqual(
    before.map(({ email, level }: { email: string; level: string }) => [level, email]),
  )
})

test.each([add, ofEmployer])(
  '[DEM-002] [DEM-005] [DEM-006] the form of $id needs an address for each selected type, all different',
  (command) => {
    const form = formOf(command, {} as CommandContext)
    const faults = (typed: object) =>
      form?.safeParse(typed).error?.issues.map(({ path, message }) => `${path.join()}: ${message}`) ?? []
    const both = ['ELIGIBLE_EMPLOYEE', 'TIMEKEEPING']
    expect(faults({ types: both })).toEqual([
      'eligible_employee_email: This is a required field.',
      'timekeeping_email: This is a required field.',
    ])
    expect(faults({ types: ['TIMEKEEPING'] })).toEqual(['timekeeping_email: This is a required field.'])
    expect(faults({ types: ['ELIGIBLE_EMPLOYEE'] })).toEqual(['eligible_employee_email: This is a required field.'])
    expect(faults({ types: [] })).toEqual(['types: This is a required field.'])
    const one = { types: both, eligible_employee_email: 'one@harbor.example', timekeeping_email: 'ONE@harbor.example' }
    expect(faults(one)).toEqual(['timekeeping_email: This is the eligible employee e-mail. Use another one.'])
    expect(faults({ ...one, timekeeping_email: 'two@harbor.example' })).toEqual([])
    expect(faults({ ...one, timekeeping_email: '007@harbor.example' })).toEqual([
      'timekeeping_email: email number must not start with zero',
    ])
  },
)

test('[API-100] a refused address is shown beside the field of its type; the first is not added twice', async () => {
  const organization = await get(`/organizations/${organizationId}`)
  const typed = {
    types: ['ELIGIBLE_EMPLOYEE', 'TIMEKEEPING'],
    eligible_employee_email: 'new@harbor.example',
    timekeeping_email: 'hours@harbor.example',
  }
  const keys = formKeys(() => crypto.randomUUID())
  const refused = await runOne(add, organization, typed, io(), { keys })
  expect(refused).toMatchObject({
    kind: 'refused',
    problem: { errors: [{ path: 'timekeeping_email', message: 'This timekeeping e-mail exists already.' }] },
  })
  const corrected = { ...typed, timekeeping_email: 'later@harbor.example' }
  expect(await runOne(add, organization, corrected, io(), { keys })).toMatchObject({ kind: 'done' })
  const added = (await listed()).map(({ email }: { email: string }) => email)
  expect(added.filter((email: string) => /^(new|later)@/.test(email))).toEqual(['later@harbor.example', 'new@harbor.example'])
})

test.each([add, ofEmployer])('[ERR-039] $id reports an unexpected failure', (command) => {
  const problem = { type: 'about:blank', title: 'Internal Server Error', status: 500, code: 'internal-error' as const }
  expect(refusalOf(command, {}, problem).sentence).toBe('Could not create Data Emails')
})
