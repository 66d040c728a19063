import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { permissionIds } from '#domain/permissions.ts'
import { importFiles } from '#server/jobs/imports/import-files.ts'
import { receive } from '#server/jobs/imports/receive.ts'
import { asking } from '#tests/support/asking.ts'
import { createCompany } from '#tests/support/company.ts'
import { createPerson } from '#tests/support/people.ts'
import { createServer, type TestServer } from '#tests/support/server.ts'
import { personWith, type SignedIn } from '#tests/support/session.ts'
import { signInAs } from '#tests/support/sign-in.ts'

let server: TestServer
let admin: SignedIn
let organizationId: number
let own: number
let sister: number
let third: number
let codes: Record<number, string>
let companies = 0

const { send, good } = asking(
  () => server,
  () => admin,
)

beforeAll(async () => {
  server = await createServer()
  admin = await personWith(server, permissionIds, 'Ada Admin')
})
afterAll(() => server.close())
beforeEach(async () => {
  const company = await createCompany(server.db, `Several ${++companies}`, 3)
  organizationId = company.organizationId
  ;[own, sister, third] = company.employerIds as [number, number, number]
  await sql`insert into configurations (organization_id, withdraw_limit_type, withdraw_limit_amount) values (${organizationId}, 'PERCENTAGE', 5000)`.execute(
    server.db,
  )
  const employers = await server.db
    .selectFrom('employers')
    .select(['id', 'external_code'])
    .where('organization_id', '=', organizationId)
    .execute()
  codes = Object.fromEntries(employers.map(({ id, external_code }) => [id, external_code]))
  const fields = ['employer_code', 'employee_code', 'first_name', 'last_name', 'status']
  await good('POST', '/mappings/employees', {
    employer_id: own,
    file_name: 'all_ee.csv',
    columns: fields.map((field) => ({ header: field, field })),
  })
})

const header = 'employer_code,employee_code,first_name,last_name,status'
const line = (employer: number | string, code: string) =>
  `${typeof employer === 'number' ? codes[employer] : employer},${code},Ann,Lee ${code},Active`
const fileOf = (...lines: string[]) => `${[header, ...lines].join('\n')}\n`

async function upload(text: string, who = admin): Promise<{ id: number; status: string }> {
  const body = { employer_id: own, file: { name: 'all_ee.csv', content: Buffer.from(text).toString('base64') } }
  const answer = await send('POST', '/imports', body, who)
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  await importFiles(server.services, () => false)
  return answer.body
}

const read = (id: number, who = admin) => good('GET', `/imports/${id}`, undefined, who)
const partsOf = async (id: number) =>
  (
    await sql<{ id: number; employer_id: number; status: string; message: string | null }>`
    select id, employer_id, status, message from imports where part_of = ${id} order by employer_id`.execute(server.db)
  ).rows
const staffOf = async (employer: number) =>
  (
    await server.db
      .selectFrom('employees')
      .select(['employee_code', 'status'])
      .where('employer_id', '=', employer)
      .orderBy('employee_code')
      .execute()
  ).map(({ employee_code, status }) => `${employee_code} ${status}`)

test('[MAP-014] a file with lines of several employers is imported for each of them by code', async () => {
  await upload(fileOf(line(own, 'A1'), line(own, 'A2'), line(sister, 'A1'), line('NOBODY', 'A9')))
  const [whole] = (await good('GET', `/imports?employer-id=${own}`)).imports
  expect(whole).toMatchObject({ status: 'SUCCESS', lines: 3, accepted: 2, created: 2, rejected: 1, part_of: null })
  expect(whole.read_as.notes).toContain('One line is about another employer of the organization, and imported apart.')
  const faults = (await good('GET', `/imports/${whole.id}/rejected-lines`)).rejected_lines
  expect(faults.map(({ line: at, message }: { line: number; message: string }) => [at, message])).toEqual([
    [5, 'No employer of the organization has the code NOBODY.'],
  ])
  const [part, ...more] = await partsOf(whole.id)
  expect(more).toEqual([])
  expect(await read(part?.id as number)).toMatchObject({
    employer_id: sister,
    status: 'SUCCESS',
    lines: 1,
    created: 1,
    rejected: 0,
    part_of: whole.id,
    file_name: 'all_ee.csv',
  })
  expect([await staffOf(own), await staffOf(sister), await staffOf(third)]).toEqual([
    ['A1 ELIGIBLE', 'A2 ELIGIBLE'],
    ['A1 ELIGIBLE'],
    [],
  ])
})

test('people are ended only by lines of their employer, and an employer without lines keeps all', async () => {
  const everybody = (employer: number) => Array.from({ length: 12 }, (_, at) => line(employer, `P${at + 10}`))
  await upload(fileOf(...everybody(own), ...everybody(sister), ...everybody(third)))
  // P10 leaves the sister alone, while the same code stays at the first employer.
  await upload(fileOf(...everybody(own), ...everybody(sister).slice(1)))
  expect((await staffOf(sister))[0]).toBe('P10 INELIGIBLE')
  expect((await staffOf(own))[0]).toBe('P10 ELIGIBLE')
  expect((await staffOf(third)).filter((one) => one.endsWith('INELIGIBLE'))).toEqual([])
  const { id } = await upload(fileOf(...everybody(sister)))
  expect(await read(id)).toMatchObject({
    status: 'SUCCESS',
    message: 'The file has no line about this employer. Nothing was changed for it.',
    changed: 0,
  })
  expect((await staffOf(own)).filter((one) => one.endsWith('INELIGIBLE'))).toEqual([])
  expect((await staffOf(sister))[0]).toBe('P10 ELIGIBLE')
})

test('a line with a wrong or missing employer code is rejected, and ends nobody anywhere', async () => {
  const everybody = (employer: number) => Array.from({ length: 12 }, (_, at) => line(employer, `${employer}-${at + 10}`))
  await upload(fileOf(...everybody(own), ...everybody(sister), ...everybody(third)))
  const damaged = [line('', `${sister}-10`), line('NOBODY', `${third}-10`)]
  const { id } = await upload(fileOf(...everybody(own), ...everybody(sister).slice(1), ...everybody(third).slice(1), ...damaged))
  expect(await read(id)).toMatchObject({ status: 'SUCCESS', created: 0, rejected: 2 })
  const faults = (await good('GET', `/imports/${id}/rejected-lines`)).rejected_lines
  expect(faults.map(({ column, message }: { column: string; message: string }) => [column, message])).toEqual([
    ['Employer code', 'The employer code is missing, and the file is read for several employers.'],
    ['Employer code', 'No employer of the organization has the code NOBODY.'],
  ])
  const all = [...(await staffOf(own)), ...(await staffOf(sister)), ...(await staffOf(third))]
  expect(all).toHaveLength(36)
  expect(all.filter((one) => !one.endsWith(' ELIGIBLE'))).toEqual([])
})

test("[PERM-003] an account manager's upload neither changes nor names people at other employers", async () => {
  const person = await createPerson(server.db, {
    kind: 'ACCOUNT_MANAGER',
    permissions: permissionIds.filter((id) => id !== 1018),
    grants: [{ employerId: own }],
  })
  const manager = { headers: await signInAs(server, person), id: person.id, name: person.name }
  const { id } = await upload(fileOf(line(own, 'A1'), line(sister, 'B1'), line('NOBODY', 'C1')), manager)
  expect(await staffOf(sister)).toEqual([])
  expect(await partsOf(id)).toEqual([])
  const { rejected_lines: lines } = await good('GET', `/imports/${id}/rejected-lines`, undefined, manager)
  // A sister's code and an unknown code look the same.
  expect(new Set(lines.map(({ message }: { message: string }) => message)).size).toBe(1)
  expect(JSON.stringify([lines, await read(id, manager)])).not.toContain(codes[sister])
})

test('a file from a location of one employer is imported for no other', async () => {
  const content = Buffer.from(fileOf(line(own, 'A1'), line(sister, 'B1')))
  const arriving = (employer_id: number | null) =>
    server.db.transaction().execute((tx) =>
      receive(
        tx,
        {
          organization_id: organizationId,
          employer_id,
          source: 'SFTP',
          file_name: 'all_ee.csv',
          by: { id: 'sftp', name: 'several' },
          content: () => [content],
        },
        new Date(),
      ),
    )
  const one = await arriving(own)
  await importFiles(server.services, () => false)
  expect(await partsOf(one)).toEqual([])
  expect(await read(one)).toMatchObject({ accepted: 1, rejected: 1 })
  expect(await staffOf(sister)).toEqual([])
  const all = await arriving(null)
  await importFiles(server.services, () => false)
  expect(await partsOf(all)).toMatchObject([{ employer_id: sister, status: 'SUCCESS' }])
  expect(await staffOf(sister)).toEqual(['B1 ELIGIBLE'])
})

test('rejected lines of a part are corrected separately, for its employer', async () => {
  const bad = `${codes[sister]},B2,Ann,Lee,`
  const { id } = await upload(fileOf(line(own, 'A1'), line(sister, 'B1'), bad))
  const [part] = await partsOf(id)
  expect(await read(part?.id as number)).toMatchObject({ lines: 2, created: 1, rejected: 1 })
  const file = { name: 'corrected.csv', content: Buffer.from(fileOf(line(sister, 'B2'))).toString('base64') }
  const path = `/imports/${part?.id}/mended`
  const answer = await send('POST', path, { file })
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  await importFiles(server.services, () => false)
  expect(await read(answer.body.id)).toMatchObject({ employer_id: sister, status: 'SUCCESS', created: 1 })
  expect([await staffOf(own), await staffOf(sister)]).toEqual([['A1 ELIGIBLE'], ['B1 ELIGIBLE', 'B2 ELIGIBLE']])
})
