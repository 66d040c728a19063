import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import { answerChallenge, AuthReply, signIn, signInEmail, sixDigits, typedPassword } from '#contract/authentication.ts'
import type { AnyEndpoint } from '#contract/define.ts'
import { signOut } from '#contract/session.ts'
import { Refusal } from '#kernel/api-client.ts'
import { asJson } from '#kernel/capabilities.ts'
import { Config } from '#portal/api/config.ts'
import { openClient } from '#terminal/client.ts'
import { connect } from '#terminal/connection.ts'
import { forgetChange } from '#terminal/last-change.ts'
import { asAddress, type StoredSession, storedSession, storedSessions, storeSession } from '#terminal/session-file.ts'
import { Stop, stopBy } from '#terminal/stop.ts'
import type { Streams } from '#terminal/streams.ts'

/** The API of an address: a portal names it in its configuration; any other address is that of the API itself. */
async function apiAt(address: string, givenKey: string | undefined): Promise<{ api: string; public_key: string }> {
  const response = await fetch(`${address}/config.json`, { signal: AbortSignal.timeout(20_000) }).catch(() => null)
  if (!response) throw new Stop('unreachable', `${address} did not answer.`, 'Check the address and the network.')
  const config = response.ok ? Config.safeParse(asJson(await response.text())).data : undefined
  if (config) return { api: new URL(config.api, `${address}/`).href.replace(/\/$/, ''), public_key: config.application_key }
  if (!givenKey)
    throw new Stop(
      'usage',
      `${address} is not a portal.`,
      'For the address of an API, give its public key in PORTAL_APPLICATION_KEY.',
    )
  return { api: address, public_key: givenKey }
}

/** A value of the environment, or the answer to a question; validated as in the sign-in form. */
async function valueFrom(
  { isInteractive, ask, askHidden }: Streams,
  { variable, question, schema, hidden }: { variable: string; question: string; schema: z.ZodType<string>; hidden?: boolean },
): Promise<string> {
  const given = process.env[variable]
  if (given === undefined && !isInteractive) throw new Stop('usage', `${question} is missing.`, `Set ${variable}.`)
  const parsed = schema.safeParse(given ?? (await (hidden ? askHidden : ask)(`${question}: `)))
  if (!parsed.success) throw new Stop('usage', `${question}: ${parsed.error.issues[0]?.message}`)
  return parsed.data
}

/** Signs in at an address by password and code, and stores the session. */
export async function signInAt(typed: string | undefined, streams: Streams): Promise<void> {
  const given = typed ?? process.env['PORTAL_ADDRESS'] ?? storedSessions(streams.note)[0]?.address
  if (!given) throw new Stop('usage', 'Which address? Give it: npm run portal -- sign-in https://portal.example.com')
  const address = asAddress(given)
  const before = storedSession(address, streams.note)
  const session: StoredSession = {
    ...{ address, application_key: '', token: null, person: null, used: Date.now() },
    device: before?.device ?? randomUUID(),
    ...(await apiAt(address, process.env['PORTAL_APPLICATION_KEY'] ?? before?.public_key)),
  }
  try {
    const client = await openClient(session, () => {})
    const post = async (endpoint: AnyEndpoint, at: Record<string, string>, json: unknown) =>
      AuthReply.parse(await client.request(endpoint, at, { json, headers: { 'device-id': session.device } }))
    const email = await valueFrom(streams, { variable: 'PORTAL_EMAIL', question: 'E-mail', schema: signInEmail })
    const password = await valueFrom(streams, {
      variable: 'PORTAL_PASSWORD',
      question: 'Password',
      schema: typedPassword,
      hidden: true,
    })
    let reply = await post(signIn, {}, { step: 'SIGN_IN', email, password })
    let userId = email
    if ('challenge' in reply) {
      if (reply.challenge !== 'SOFTWARE_TOKEN_MFA')
        throw new Stop(
          'signedOut',
          'This account has no authenticator yet.',
          `Sign in at ${address} once to set it up, then here.`,
        )
      userId = reply.user_id
      const code = await valueFrom(streams, { variable: 'PORTAL_CODE', question: 'Code', schema: sixDigits })
      reply = await post(answerChallenge, { userId }, { step: 'SOFTWARE_TOKEN_MFA', session: reply.session, code })
    }
    if ('challenge' in reply) throw new Stop('signedOut', 'Something went wrong. Try again later.')
    session.token = reply.access_token
    session.device = reply.device ?? session.device
    session.person = { id: userId, email }
    storeSession(session)
  } catch (error) {
    if (error instanceof Refusal && error.problem.status < 500) throw refusedSignIn(error, address)
    throw stopBy(error, `${address} did not answer.`)
  }
  const { me } = await connect(address, streams)
  streams.note(`Signed in as ${me.person.name} at ${address}.`)
}

/** Why nobody was signed in. An account that strangers guess at needs the link that only a browser can open. */
function refusedSignIn(error: Refusal, address: string): Stop {
  const { code, detail } = error.problem
  const next = code === 'link-needed' ? `Sign in at ${address}, where you can have a link mailed.` : null
  return new Stop('signedOut', detail ?? 'Something went wrong. Try again later.', next, code)
}

/** Ends the session on the server and removes its token. Without an answer the token is removed all the same. */
export async function signOutAt(at: string | undefined, streams: Streams): Promise<void> {
  const session = at ? storedSession(asAddress(at), streams.note) : storedSessions(streams.note).find(({ token }) => token)
  if (!session?.token) return streams.note('Nobody is signed in.')
  storeSession({ ...session, token: null, application_key: '' })
  forgetChange(session.address)
  const ended = await openClient(session, () => {})
    .then((client) => (client.supports(signOut) ? client.post(signOut, {}, {}) : null))
    .then(() => true)
    .catch((error: unknown) => error instanceof Refusal)
  streams.note(
    ended
      ? `Signed out of ${session.address}.`
      : `Signed out of ${session.address} here. The server did not answer: the session ends there by itself.`,
  )
}

/** Prints the addresses that have been signed in at; the first one is used if none is given. */
export function printAddresses({ print, note }: Streams, json: boolean): void {
  const sessions = storedSessions(note).map(({ address, person, token }) => ({
    address,
    email: person?.email ?? null,
    signed_in: token !== null,
  }))
  if (json) print(JSON.stringify(sessions, null, 2))
  else for (const { address, email, signed_in } of sessions) print(`${address}  ${signed_in ? email : 'signed out'}`)
}
