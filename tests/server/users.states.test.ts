import { afterAll, beforeAll, expect, test } from 'vitest'
import { kycStatuses, userStatuses } from '#domain/user.ts'
import { createCompany, createEmployee } from '#tests/support/company.ts'
import { createPerson } from '#tests/support/people.ts'
import { call, createServer, type TestServer } from '#tests/support/server.ts'
import { type Headers, signInAs } from '#tests/support/sign-in.ts'

let server: TestServer
let headers: Headers
let employerId: number

beforeAll(async () => {
  server = await createServer()
  employerId = (await createCompany(server.db, 'States')).employerIds[0] as number
  headers = await signInAs(server, await createPerson(server.db, { groups: [1] }))
})
afterAll(() => server.close())

/** The employees that a filter of the list finds, with their users. */
async function found(query: string): Promise<{ id: number; user: { status: string; kyc_status: string | null } }[]> {
  const answer = await call(server, 'GET', `/employees?include=user&${query}`, { headers })
  expect(answer.status).toBe(200)
  return (answer.body as { employees: never[] }).employees
}

const words: Record<string, string> = {
  ACTIVE: 'Active',
  CONFIRMATION_PENDING: 'Confirmation pending',
  DELETED: 'Deleted',
  PENDING_EMAIL_UPDATE: 'E-mail update pending',
  APPROVED: 'Approved',
  DENIED: 'Denied',
  UNDER_REVIEW: 'Under review',
}

const userRows = [
  ['ENUM-001', 'ACTIVE'],
  ['ENUM-002', 'CONFIRMATION_PENDING'],
  ['ENUM-003', 'DELETED'],
  ['ENUM-004', 'PENDING_EMAIL_UPDATE'],
] as const

test.each(userRows)('[%s] a user may be %s: stored, returned, filtered, and named', async (_, status) => {
  const { id, userId } = await createEmployee(server.db, { employerId, linked: {} })
  await server.db.updateTable('users').set({ status }).where('id', '=', userId).execute()
  const rows = await found(`user-status=${status}`)
  expect(rows.find((row) => row.id === id)?.user.status).toBe(status)
  expect(rows.every((row) => row.user.status === status)).toBe(true)
  expect(userStatuses.values).toContain(status)
  expect(userStatuses.label(status)).toBe(words[status])
})

const kycRows = [
  ['ENUM-005', 'APPROVED'],
  ['ENUM-006', 'DENIED'],
  ['ENUM-007', 'UNDER_REVIEW'],
] as const

test.each(kycRows)('[%s] an identity check may be %s: stored, returned, filtered, and named', async (_, kyc) => {
  const { id } = await createEmployee(server.db, { employerId, linked: { kyc } })
  const rows = await found(`kyc=${kyc}`)
  expect(rows.find((row) => row.id === id)?.user.kyc_status).toBe(kyc)
  expect(rows.every((row) => row.user.kyc_status === kyc)).toBe(true)
  expect(kycStatuses.values).toContain(kyc)
  expect(kycStatuses.label(kyc)).toBe(words[kyc])
})
