import type { Kysely } from 'kysely'
import { demoPassword, demoPeople } from '#server/auth/demo-people.ts'
import { settingsFrom } from '#server/boot/settings.ts'
import { codeOfStep, stepAt } from '#server/auth/totp.ts'
import type { Database } from '#server/tables/database.ts'
import type { TestPerson } from '#tests/support/people.ts'

/** What a sign-in needs of a running server: `http://127.0.0.1:12345` without `/api`, and its database. */
export interface ServerToSignIn {
  origin: string
  db: Kysely<Database>
  publicApplicationKey?: string
}

export type Headers = Record<string, string>

/** The headers of an anonymous call: the application key, fetched like the portal does. */
export async function applicationHeaders(server: Pick<ServerToSignIn, 'origin' | 'publicApplicationKey'>): Promise<Headers> {
  const key = server.publicApplicationKey ?? settingsFrom({}).publicApplicationKey
  const names = { 'application-name': 'ADMIN_PORTAL' }
  const reply = await fetch(`${server.origin}/api/credentials`, { headers: { ...names, 'application-key': key } })
  if (!reply.ok) throw new Error(`GET credentials answered ${reply.status}: ${await reply.text()}`)
  const { application_key } = (await reply.json()) as { application_key: string }
  return { ...names, 'application-key': application_key }
}

/**
 * Signs in for real (credentials, password, code) and returns the headers for that person's calls. Takes a person of
 * `createPerson`, or the e-mail of a demo account. A person may sign in again at once: the used time step is first cleared in the
 * database, as if half a minute had passed. `more` are headers of the sign-in only.
 */
export async function signInAs(server: ServerToSignIn, who: TestPerson | string, more: Headers = {}): Promise<Headers> {
  const { email, password, totpSecret } = typeof who === 'string' ? { ...demoPerson(who), password: demoPassword } : who
  const headers = await applicationHeaders(server)
  const post = async (path: string, body: unknown) => {
    const reply = await fetch(`${server.origin}/api${path}`, {
      method: 'POST',
      headers: { ...headers, ...more, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!reply.ok) throw new Error(`POST ${path} answered ${reply.status}: ${await reply.text()}`)
    return (await reply.json()) as Record<string, string>
  }
  await server.db.updateTable('people').set({ totp_last_step: null }).where('email', '=', email).execute()
  const challenge = await post('/auth', { email, password })
  const setUp = challenge.challenge === 'MFA_SETUP'
  const token = await post(`/${challenge.user_id}/mfa`, {
    step: setUp ? 'VERIFY_SOFTWARE_TOKEN' : 'SOFTWARE_TOKEN_MFA',
    session: challenge.session,
    code: codeOfStep((setUp ? challenge.secret : totpSecret) as string, stepAt(new Date())),
  })
  return { ...headers, authorization: `Bearer ${token.access_token}` }
}

/** A person of the demo company; throws if there is no such account. */
export function demoPerson(email: string): (typeof demoPeople)[number] {
  const person = demoPeople.find((one) => one.email === email)
  if (!person) throw new Error(`There is no demo account ${email}.`)
  return person
}
