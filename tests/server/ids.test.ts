import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPerson } from '#tests/support/people.ts'
import { call, createServer, type TestServer } from '#tests/support/server.ts'
import { type Headers, signInAs } from '#tests/support/sign-in.ts'

let server: TestServer
let headers: Headers
beforeAll(async () => {
  server = await createServer()
  headers = await signInAs(server, await createPerson(server.db, { groups: [1] }))
})
afterAll(() => server.close())

test.each(['1e3', '0x10', '1.0', '-1', '0', '٣', '99999999999999999999'])(
  '%s is not a valid id, in a path and in a filter',
  async (id) => {
    for (const path of [`/employees/${id}`, `/employees?id=${id}`, `/employees?employer-id=${id}`])
      expect((await call(server, 'GET', encodeURI(decodeURI(path)), { headers })).status).toBe(422)
  },
)

test('an invalid field is reported with a message of the product', async () => {
  const answer = await call(server, 'GET', '/employees?misspelt=1&direction=sideways', { headers })
  expect(answer.status).toBe(422)
  const said = JSON.stringify(answer.body)
  expect(said).toContain('There is no such field or parameter.')
  expect(said).toContain('Must be one of: after, before')
  expect(said).not.toMatch(/Invalid input|Invalid option|Unrecognized/)
})
