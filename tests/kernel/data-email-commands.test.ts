import { afterAll, beforeAll, expect, test } from 'vitest'
import remove from '#commands/data-email/delete.ts'
import ofEmployer from '#commands/employer/add-data-emails.ts'
import add from '#commands/organization/add-data-emails.ts'
import { permissionIds } from '#domain/permissions.ts'
import { changes } from '#kernel/command.ts'
import { refusalOf, runOne, runSteps } from '#kernel/run.ts'
import { createCompany } from '#tests/support/company.ts'
import { call, createServer, type TestServer } from '#tests/support/server.ts'
import { personWith, type SignedIn } from '#tests/support/session.ts'
import { realWire, sendingOver } from '#tests/kernel/real-wire.ts'

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

const io = () => sendingOver(realWire(server, admin), admin)
const get = async (path: string) => (await call(server, 'GET', path, admin)).body
const listed = async () => (await get(`/data-emails?organization-id=${organizationId}`)).data_emails

test('data e-mails are added to an organization or an employer, and one that was deleted comes back', async () => {
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
    const steps = remove.undo?.({ before: one, after: one, params: {}, answers: [] }) ?? []
    const about = { title: 'Undo', sentence: () => 'Undone', undoneBy: 'session.undo' }
    expect(await runSteps(remove, steps, one, about, io())).toMatchObject({ kind: 'done' })
  }
  const now = await listed()
  expect(now.map(({ email, level }: { email: string; level: string }) => [level, email])).toEqual(
    before.map(({ email, level }: { email: string; level: string }) => [level, email]),
  )
})

test.each([add, ofEmployer])('[ERR-039] $id says what went wrong unexpectedly', (command) => {
  const problem = { type: 'about:blank', title: 'Internal Server Error', status: 500, code: 'internal-error' as const }
  expect(refusalOf(command, {}, problem).sentence).toBe('Could not create Data Emails')
})
