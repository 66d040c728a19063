import { createServer } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { acceptInvitation, checkInvitation, invite, inviteByMail, withdrawInvitation } from '#server/auth/invitation.ts'
import { deliverMail } from '#server/auth/mail.ts'
import { type SignIn, answerPassword } from '#server/auth/sign-in.ts'
import { type TestDatabase, createDatabase } from '#tests/support/database.ts'
import { createPerson, testAuth } from '#tests/support/people.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database.drop())

const start = new Date('2026-03-02T09:00:00Z')
const later = (hours: number) => new Date(start.getTime() + hours * 3_600_000)
const from = (now = start): SignIn => ({ db: database.db, auth: testAuth, now, caller: { address: '203.0.113.5', device: null } })
const invited = async () => {
  const person = await createPerson(database.db, { totpSecret: null })
  await database.db.updateTable('people').set({ password_hash: null, status: 'INVITED' }).where('id', '=', person.id).execute()
  const address = await database.db.transaction().execute((tx) => invite(tx, person.id, testAuth, start))
  return { person, address, token: new URL(address).hash.replace('#token=', '') }
}
const dead = { status: 410, code: 'link-invalid' }
const password = 'Chosen-Pass-2'

test('a set-up link sets the first password once; then the authenticator is set up', async () => {
  const { person, address, token } = await invited()
  expect(address).toMatch(/^http:\/\/127\.0\.0\.1:3000\/welcome#token=[\w-]{43}$/)
  const results = await Promise.allSettled([1, 2, 3].map(() => acceptInvitation(from(), { token, password })))
  expect(results.filter((result) => result.status === 'fulfilled')).toEqual([
    { status: 'fulfilled', value: { email: person.email } },
  ])
  expect(await answerPassword(from(), { email: person.email, password })).toMatchObject({ challenge: 'MFA_SETUP' })
  await expect(acceptInvitation(from(), { token, password: 'Other-Pass-3' })).rejects.toMatchObject(dead)
})

test('a set-up link is valid for 72 hours, and until a newer one is made', async () => {
  const first = await invited()
  await expect(acceptInvitation(from(later(72)), { token: first.token, password })).rejects.toMatchObject(dead)
  await database.db.transaction().execute((tx) => invite(tx, first.person.id, testAuth, start))
  await expect(acceptInvitation(from(), { token: first.token, password })).rejects.toMatchObject(dead)
  await expect(acceptInvitation(from(), { token: 'a'.repeat(43), password })).rejects.toMatchObject(dead)
})

test('a valid set-up link names its person, however often it is read; an invalid one says why', async () => {
  const { person, token } = await invited()
  for (const _ of [1, 2]) expect(await checkInvitation(from(later(71)), token)).toEqual({ email: person.email })
  await expect(checkInvitation(from(later(72)), token)).rejects.toMatchObject(dead)
  await expect(checkInvitation(from(), 'a'.repeat(43))).rejects.toMatchObject(dead)
  await acceptInvitation(from(), { token, password })
  await expect(checkInvitation(from(), token)).rejects.toMatchObject(dead)

  const other = await invited()
  await database.db.transaction().execute((tx) => withdrawInvitation(tx, other.person, start))
  const withdrawn = 'This invitation was withdrawn. Ask the person who invited you for a new one.'
  await expect(checkInvitation(from(), other.token)).rejects.toMatchObject({ ...dead, message: withdrawn })

  const gone = await invited()
  await database.db.updateTable('people').set({ status: 'DELETED' }).where('id', '=', gone.person.id).execute()
  await expect(checkInvitation(from(), gone.token)).rejects.toMatchObject(dead)
  await expect(acceptInvitation(from(), { token: gone.token, password })).rejects.toMatchObject(dead)
})

test('mail waits in the outbox without an SMTP server, is retried on failure, and is sent once', async () => {
  const { person } = await invited()
  await database.db.transaction().execute((tx) => inviteByMail(tx, person, testAuth, start))
  expect(await deliverMail(database.db, testAuth, start)).toBe(0)

  const away = { ...testAuth, smtpUrl: 'smtp://127.0.0.1:1' }
  expect(await deliverMail(database.db, away, start)).toBe(0)

  const received: string[] = []
  const smtp = createServer((socket) => {
    let data = false
    socket.write('220 test\r\n')
    socket.on('data', (chunk) => {
      const text = String(chunk)
      if (data) {
        received.push(text)
        if (text.includes('\r\n.\r\n')) {
          data = false
          socket.write('250 kept\r\n')
        }
        return
      }
      data = /^DATA/i.test(text)
      if (/^QUIT/i.test(text)) socket.end('221 bye\r\n')
      else socket.write(data ? '354 go on\r\n' : '250 fine\r\n')
    })
  })
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve))
  const there = { ...testAuth, smtpUrl: `smtp://127.0.0.1:${(smtp.address() as { port: number }).port}` }
  expect(await deliverMail(database.db, there, start)).toBe(0)
  const sent = await Promise.all([1, 2].map(() => deliverMail(database.db, there, later(1))))
  expect(sent.sort()).toEqual([0, 1])
  expect(received.join('')).toContain(`To: ${person.email}`)
  expect(received.join('').replace(/=\r\n/g, '')).toContain('/welcome#token=')
  expect(await deliverMail(database.db, there, later(2))).toBe(0)
  await new Promise((resolve) => smtp.close(resolve))
})
