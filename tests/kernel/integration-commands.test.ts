import { afterAll, beforeAll, expect, test } from 'vitest'
import ofEmployer from '#commands/employer/add-integration.ts'
import remove from '#commands/integration/delete.ts'
import setVendor from '#commands/integration/set-vendor.ts'
import add from '#commands/organization/add-integration.ts'
import { permissionIds } from '#domain/permissions.ts'
import { changes } from '#kernel/command.ts'
import { formOf } from '#kernel/form.ts'
import { refusalOf, runOne, runSteps } from '#kernel/run.ts'
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

const get = async (path: string) => (await call(server, 'GET', path, admin)).body
const io = () =>
  runEnvironment(realClient(server, admin), admin, async (target) => get(`/integrations/${(target as { id: number }).id}`))
const listed = async () => (await get(`/integrations/search?organization-id=${organizationId}`)).integrations

test('[ERR-037] [ERR-038] integrations are added, get a vendor and are deleted by commands; refusals say why', async () => {
  const organization = await get(`/organizations/${organizationId}`)
  const typed = { channel: 'SFTP_INTERNAL', import_types: ['TIMEKEEPING'], incremental: false }
  const outside = runEnvironment(realClient(server, admin), admin)
  expect(await runOne(add, organization, typed, outside)).toMatchObject({ kind: 'done', sentence: 'Integration added' })
  expect(await runOne(add, organization, typed, outside)).toMatchObject({
    kind: 'refused',
    sentence: 'An integration with this import type already exists.',
  })
  const employer = await get(`/employers/${employerId}`)
  expect(await runOne(ofEmployer, employer, { ...typed, channel: 'CSV', vendor: 'PAYHARBOR' }, outside)).toMatchObject({
    kind: 'done',
  })
  const [whole, own] = await listed()
  expect([whole.sftp_type, own.type, own.vendor]).toEqual(['INTERNAL', 'CSV', 'PAYHARBOR'])
  const outcome = await runOne(setVendor, own, { vendor: 'SHIFTWELL' }, io())
  expect(outcome).toMatchObject({ kind: 'done', after: { vendor: 'SHIFTWELL', version: 2 } })
  if (!changes(setVendor) || outcome.kind !== 'done') throw new Error('It was not done.')
  const steps = setVendor.undo?.steps?.({ before: own, after: outcome.after, params: {}, answers: [] }) ?? []
  await runSteps(setVendor, steps, outcome.after, { title: 'Undo', sentence: () => 'Undone', undoneBy: 'session.undo' }, io())
  const [, back] = await listed()
  expect(back.vendor).toBe('PAYHARBOR')
  expect(await runOne(remove, back, {}, outside)).toMatchObject({ kind: 'done', sentence: 'Deleted Timekeeping by CSV' })
  const problem = { type: 'about:blank', title: 'Internal Server Error', status: 500, code: 'internal-error' as const }
  expect(refusalOf(remove, whole, problem).sentence).toBe('Integration could not be deleted.')
})

test('the form validates like the server', () => {
  const form = formOf(add, {} as never)
  const said = (typed: object) =>
    Object.fromEntries(
      (form?.safeParse({ incremental: false, ...typed }).error?.issues ?? []).map((issue) => [
        issue.path.join('.'),
        issue.message,
      ]),
    )
  expect(said({ channel: 'API', import_types: ['TIMEKEEPING'], product: 'PAYHARBOR_PAYROLL', url: 'api' })).toEqual({
    product: 'This product does not support timekeeping.',
    url: 'Enter a URL such as https://api.example.com',
  })
  expect(said({ channel: 'SFTP_EXTERNAL', import_types: ['TIMEKEEPING'], url: 'sftp://a.example', username: 'x' })).toEqual({
    password: 'An SSH key or a password must be filled',
  })
  expect(said({ channel: 'CSV', import_types: ['TIMEKEEPING'], incremental: true })).toEqual({
    terminated_values: 'This is a required field.',
  })
})
