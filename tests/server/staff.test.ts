import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { permissionIds } from '#domain/permissions.ts'
import { createCompany } from '#tests/support/company.ts'
import { waitingForLocks } from '#tests/support/locks.ts'
import { createPerson } from '#tests/support/people.ts'
import { asking } from '#tests/support/asking.ts'
import { type Answer, createServer, type TestServer } from '#tests/support/server.ts'
import { personWith, type SignedIn } from '#tests/support/session.ts'
import { signInAs } from '#tests/support/sign-in.ts'

let server: TestServer
/** Holds every permission. */
let root: SignedIn
/** May change account managers and admins, and see employees; nothing else. */
let clerk: SignedIn
let organizationId: number
let employerIds: [number, number]
let people = 0

const { send, good } = asking(
  () => server,
  () => root,
)
const fieldErrors = ({ status, body }: Answer): Record<string, string> => {
  expect(status, JSON.stringify(body)).toBe(422)
  return Object.fromEntries(body.errors.map((each: { path: string; message: string }) => [each.path, each.message]))
}
const refused = ({ status, body }: Answer) => [status, body.code]
const mailTo = async (email: string) =>
  server.db.selectFrom('outbox').select(['subject', 'body']).where('recipient', '=', email).orderBy('id').execute()
const linkIn = (body: string | undefined) => /#token=(\S+)/.exec(body ?? '')?.[1]

const fresh = (more: Record<string, unknown> = {}) => {
  people += 1
  return { full_name: `Mara Lane ${people}`, email: `Mara.Lane.${people}@Example.com`, brand: 'DAYLINE', ...more }
}

beforeAll(async () => {
  server = await createServer()
  const person = await createPerson(server.db, { name: 'Root Super', groups: [1] })
  root = { ...person, headers: await signInAs(server, person) } as unknown as SignedIn
  clerk = await personWith(server, [2, 3, 4, 1017, 1018, 1019], 'Clerk Case')
  const company = await createCompany(server.db, 'Harbor', 2)
  organizationId = company.organizationId
  employerIds = company.employerIds as [number, number]
})
afterAll(() => server.close())

describe('account managers', () => {
  let one: { id: string; version: number }
  beforeEach(async () => {
    one = await good('POST', '/account-managers', fresh())
  })

  test('[API-020] [ENT-001] [ENT-002] [ENT-005] one is created with name, e-mail and brand, and invited by mail', async () => {
    const input = fresh({
      group_ids: [3],
      permission_ids: [1],
      organization_ids: [organizationId],
      employer_ids: [employerIds[0]],
    })
    const made = await good('POST', '/account-managers', input)
    expect(made).toMatchObject({
      name: input.full_name,
      email: input.email.toLowerCase(),
      brand: 'DAYLINE',
      status: 'INVITED',
      origin: 'ADMIN_PORTAL',
      groups: [{ id: 3, name: 'human-resources' }],
      permissions: [{ id: 1, short_name: 'read:billing' }],
      organizations: [{ id: organizationId, name: 'Harbor' }],
      employers: [{ id: employerIds[0], organization_name: 'Harbor' }],
      own: false,
      above: false,
    })
    const [mail, ...more] = await mailTo(made.email)
    expect(more).toEqual([])
    expect(linkIn(mail?.body)).toBeTruthy()
    const events = await good('GET', `/account-managers/${made.id}/history`)
    expect(events.events).toEqual([expect.objectContaining({ status: 'Created', actor: { id: root.id, name: 'Root Super' } })])
  })

  test('[ENT-006] [ENT-007] they sign in with the link, and have the assigned rights and grants', async () => {
    const input = fresh({ group_ids: [2], permission_ids: [3, 4], organization_ids: [organizationId] })
    const made = await good('POST', '/account-managers', input)
    const token = linkIn((await mailTo(made.email))[0]?.body)
    const application = await signInAs(server, await createPerson(server.db))
    const chosen = await send('POST', '/auth/invitation', { token, password: 'Right-Pass-1' }, { headers: application })
    expect(chosen.status, JSON.stringify(chosen.body)).toBeLessThan(300)
    const headers = await signInAs(server, { email: made.email, password: 'Right-Pass-1', totpSecret: null } as never)
    const seen = await good('GET', '/employers', undefined, { headers })
    expect(seen.employers.map((each: { id: number }) => each.id).sort()).toEqual([...employerIds].sort())
    expect((await send('GET', '/invoices', undefined, { headers })).status).toBe(403)
    expect(await good('GET', `/account-managers/${made.id}`)).toMatchObject({
      status: 'ACTIVE',
      groups: [{ id: 2, name: 'timekeeping-approvers' }],
      permissions: [
        { id: 3, short_name: 'read:employers' },
        { id: 4, short_name: 'read:organizations' },
      ],
    })
  })

  test('[ERR-011] an e-mail in use is refused beside the field, case-insensitively, and nothing is stored', async () => {
    const { email } = await good('GET', `/account-managers/${one.id}`)
    const before = await good('GET', '/account-managers/count')
    expect(fieldErrors(await send('POST', '/account-managers', fresh({ email: email.toUpperCase() })))).toEqual({
      email: 'Email address already used',
    })
    expect(await good('GET', '/account-managers/count')).toEqual(before)
    const other = await good('POST', '/account-managers', fresh())
    expect(fieldErrors(await send('PATCH', `/account-managers/${other.id}`, { email }))).toEqual({
      email: 'Email address already used',
    })
  })

  test('the same form sent concurrently by two people creates one', async () => {
    const input = fresh()
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => send('POST', '/account-managers', input)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422, 422])
  })

  test('[ERR-011] of concurrent creations and changes with one e-mail only one succeeds', async () => {
    const { id } = await good('POST', '/account-managers', fresh())
    for (let round = 0; round < 12; round += 1) {
      const input = fresh()
      const answers = await Promise.all([
        send('POST', '/account-managers', input),
        send('PATCH', `/account-managers/${id}`, { email: input.email }),
        send('POST', '/account-managers', input),
      ])
      const [got, ...refused] = answers.sort((one, other) => one.status - other.status)
      expect([200, 201]).toContain(got?.status)
      expect(refused.map(fieldErrors)).toEqual(Array(2).fill({ email: 'Email address already used' }))
    }
  })

  test.each([
    ['group_ids', { group_ids: [1] }, 'There is no such group.'],
    ['permission_ids', { permission_ids: [1018] }, 'There is no such permission.'],
    ['permission_ids', { permission_ids: [4711] }, 'There is no such permission.'],
    ['organization_ids', { organization_ids: [987654321] }, 'There is no such organization.'],
    ['employer_ids', { employer_ids: [987654321] }, 'There is no such employer.'],
  ])('%s that do not exist, or not for account managers, are refused beside the field', async (path, more, message) => {
    expect(fieldErrors(await send('POST', '/account-managers', fresh(more)))).toEqual({ [path]: message })
  })

  test('[API-022] [ERR-010] name and e-mail change; links mailed before become invalid', async () => {
    const { email } = await good('GET', `/account-managers/${one.id}`)
    const token = linkIn((await mailTo(email))[0]?.body)
    const next = `new.${people}@example.com`
    const changed = await good('PATCH', `/account-managers/${one.id}`, {
      full_name: 'Mara Stone',
      email: next,
      version: one.version,
    })
    expect(changed).toMatchObject({ name: 'Mara Stone', email: next, version: one.version + 1 })
    expect(await mailTo(next)).toHaveLength(1)
    expect((await send('POST', '/auth/invitation', { token, password: 'Right-Pass-1' })).status).toBe(410)
    expect(refused(await send('PATCH', `/account-managers/${one.id}`, { full_name: 'Late', version: one.version }))).toEqual([
      409,
      'stale-version',
    ])
  })

  test('[API-023] [ERR-008] a removed person loses access at once, and their e-mail can be used again', async () => {
    const person = await createPerson(server.db, { kind: 'ACCOUNT_MANAGER', permissions: [3, 4], grants: [{ organizationId }] })
    const headers = await signInAs(server, person)
    expect((await send('GET', '/employers', undefined, { headers })).status).toBe(200)
    await good('DELETE', `/account-managers/${person.id}`)
    expect((await send('GET', '/employers', undefined, { headers })).status).toBe(401)
    expect((await send('GET', `/account-managers/${person.id}`)).status).toBe(404)
    expect((await send('DELETE', `/account-managers/${person.id}`)).status).toBe(404)
    expect((await good('POST', '/account-managers', fresh({ email: person.email }))).email).toBe(person.email)
  })

  test('[API-025] [API-024] a save replaces groups and single permissions', async () => {
    await good('POST', `/account-managers/${one.id}/permissions`, { group_ids: [2, 4], permission_ids: [1] })
    expect(await good('GET', `/account-managers/${one.id}/permissions`)).toEqual({
      groups: [
        { id: 2, name: 'timekeeping-approvers' },
        { id: 4, name: 'payroll' },
      ],
      permissions: [{ id: 1, short_name: 'read:billing' }],
    })
    await good('POST', `/account-managers/${one.id}/permissions`, { group_ids: [4], permission_ids: [] })
    expect(await good('GET', `/account-managers/${one.id}/permissions`)).toEqual({
      groups: [{ id: 4, name: 'payroll' }],
      permissions: [],
    })
  })

  test('[API-026] the access list is replaced as a whole', async () => {
    const path = `/account-managers/${one.id}/access-control-list`
    await good('POST', path, { organization_ids: [organizationId], employer_ids: [] })
    const after = await good('POST', path, { organization_ids: [], employer_ids: [employerIds[1]] })
    expect(after).toMatchObject({ organizations: [], employers: [{ id: employerIds[1] }] })
  })

  test('a stale save replaces neither connections nor rights, and gets the current ones', async () => {
    const path = `/account-managers/${one.id}`
    const theirs = { organization_ids: [organizationId], employer_ids: [], version: one.version }
    const ours = { ...theirs, organization_ids: [], employer_ids: [employerIds[1]] }
    const now = await good('POST', `${path}/access-control-list`, theirs)
    const late = await send('POST', `${path}/access-control-list`, ours)
    expect(refused(late)).toEqual([409, 'stale-version'])
    expect(late.body.facts).toMatchObject({ version: now.version, organizations: [{ id: organizationId }], employers: [] })
    const rights = { group_ids: [4], permission_ids: [], version: one.version }
    expect(refused(await send('POST', `${path}/permissions`, rights))).toEqual([409, 'stale-version'])
    expect(await good('GET', path)).toEqual(now)
    // Of two at the same time, one is late.
    const both = await Promise.all(
      [theirs, ours].map((body) => send('POST', `${path}/access-control-list`, { ...body, version: now.version })),
    )
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  test('[API-015] [API-016] [API-017] [API-018] the list has cursor and filters', async () => {
    const other = await createCompany(server.db, `Cove ${people}`, 1)
    const whole = await good('POST', '/account-managers', fresh({ organization_ids: [other.organizationId] }))
    const single = await good('POST', '/account-managers', fresh({ employer_ids: [other.employerIds[0]] }))
    const idsOf = async (query: string) =>
      (await good('GET', `/account-managers?${query}`)).account_managers.map((each: { id: string }) => each.id).sort()
    expect(await idsOf(`account-manager-id=${whole.id},${one.id}`)).toEqual([whole.id, one.id].sort())
    expect(await idsOf(`employer-id=${other.employerIds[0]}`)).toEqual([whole.id, single.id].sort())
    expect(await idsOf(`organization-id=${other.organizationId}`)).toEqual([whole.id])
    // A short word matches beginnings of words only: it occurs in every address at example.com.
    expect(await idsOf('q=am')).toEqual([])
    expect(await idsOf('q=la%20ma')).toContain(whole.id)
    const { count } = await good('GET', '/account-managers/count')
    const walked: string[] = []
    let lek = ''
    do {
      const page = await good('GET', `/account-managers?limit=2${lek && `&lek=${encodeURIComponent(lek)}`}`)
      walked.push(...page.account_managers.map((each: { id: string }) => each.id))
      lek = page.lek ?? ''
    } while (lek)
    expect(walked).toHaveLength(count)
    expect(new Set(walked).size).toBe(count)
    const from = await good('GET', `/account-managers?limit=1&from-id=${walked[1]}`)
    expect(from.account_managers.map((each: { id: string }) => each.id)).toEqual([walked[1]])
  })

  test('[API-019] a row has the fields named in include, and no more', async () => {
    const row = async (query: string) =>
      Object.keys((await good('GET', `/account-managers?account-manager-id=${one.id}${query}`)).account_managers[0])
    const parts = ['groups', 'permissions', 'organizations', 'employers']
    const plain = await row('')
    expect(parts.filter((part) => plain.includes(part))).toEqual([])
    const held = await row('&include=permissions')
    expect(parts.filter((part) => held.includes(part))).toEqual(['groups', 'permissions'])
    const all = await row('&include=permissions,access-control-list')
    expect(parts.filter((part) => all.includes(part))).toEqual(parts)
  })

  test('[API-021] one is read by id, and says if it was created by an import', async () => {
    await server.db.updateTable('people').set({ origin: 'INGESTION' }).where('id', '=', one.id).execute()
    expect(await good('GET', `/account-managers/${one.id}`)).toMatchObject({ id: one.id, origin: 'INGESTION' })
    for (const id of ['00000000-0000-4000-8000-00000000dead', root.id])
      expect((await send('GET', `/account-managers/${id}`)).status).toBe(404)
  })

  test('[ERR-009] a reset password no longer works, and a link to choose another one is mailed', async () => {
    const person = await createPerson(server.db, { kind: 'ACCOUNT_MANAGER', permissions: [3] })
    const headers = await signInAs(server, person)
    await good('POST', `/account-managers/${person.id}/password-resets`, {})
    expect((await send('GET', '/me', undefined, { headers })).status).toBe(401)
    await expect(signInAs(server, person)).rejects.toThrow()
    const mails = await mailTo(person.email)
    expect(linkIn(mails.at(-1)?.body)).toBeTruthy()
    expect(refused(await send('POST', `/account-managers/${person.id}/password-resets`, {}))).toEqual([409, 'not-set-up'])
  })

  test('[ERR-009] the password of an admin is reset in the same way, by admins who may change admins', async () => {
    const person = await createPerson(server.db, { permissions: [3] })
    const headers = await signInAs(server, person)
    const path = `/admins/${person.id}/password-resets`
    const unable = { headers: await signInAs(server, await createPerson(server.db, { permissions: [1017, 1019] })) }
    expect((await send('POST', path, {}, unable)).status).toBe(403)
    await good('POST', path, {})
    expect((await send('GET', '/me', undefined, { headers })).status).toBe(401)
    await expect(signInAs(server, person)).rejects.toThrow()
    expect(linkIn((await mailTo(person.email)).at(-1)?.body)).toBeTruthy()
    expect(refused(await send('POST', path, {}))).toEqual([409, 'not-set-up'])
  })

  test('a pending person is invited again, and the first link becomes invalid', async () => {
    const { email } = await good('GET', `/account-managers/${one.id}`)
    await good('POST', `/account-managers/${one.id}/invitations`, {})
    const [first, second] = await mailTo(email)
    expect((await send('POST', '/auth/invitation', { token: linkIn(first?.body), password: 'Right-Pass-1' })).status).toBe(410)
    expect((await send('POST', '/auth/invitation', { token: linkIn(second?.body), password: 'Right-Pass-1' })).status).toBe(200)
    expect(refused(await send('POST', `/account-managers/${one.id}/invitations`, {}))).toEqual([409, 'already-active'])
  })
})

describe.each([
  ['/account-managers', () => fresh(), 'ACCOUNT_MANAGER', 1019],
  ['/admins', () => ({ ...fresh(), name: 'Ines Park', full_name: undefined, brand: undefined }), 'ADMIN', 1018],
] as const)('an invitation that is withdrawn: %s', (path, input, kind, right) => {
  let one: { id: string; email: string; version: number }
  let token: string | undefined
  const withdraw = (as: SignedIn = root, query = '') => send('DELETE', `${path}/${one.id}/invitations${query}`, undefined, as)
  const accept = (link = token) => send('POST', '/auth/invitation', { token: link, password: 'Right-Pass-1' })
  const read = () => good('GET', `${path}/${one.id}`)
  beforeEach(async () => {
    one = await good('POST', path, input())
    token = linkIn((await mailTo(one.email)).at(-1)?.body)
  })

  test('leaves the person, and the link says what happened', async () => {
    expect((await read()).invitation_until).toBeTruthy()
    const answer = await withdraw(root, `?version=${one.version}`)
    expect(answer.body, JSON.stringify(answer.body)).toMatchObject({
      id: one.id,
      status: 'WITHDRAWN',
      invitation_until: null,
      version: one.version + 1,
    })
    expect(await read()).toEqual(answer.body)
    expect((await good('GET', `${path}?status=WITHDRAWN&limit=200`))[path.slice(1).replace('-', '_')]).toContainEqual(
      expect.objectContaining({ id: one.id }),
    )
    const dead = await accept()
    expect([...refused(dead), dead.body.detail]).toEqual([
      410,
      'link-invalid',
      'This invitation was withdrawn. Ask the person who invited you for a new one.',
    ])
    const [event] = (await good('GET', `${path}/${one.id}/history`)).events
    expect(event).toMatchObject({ status: 'Invitation withdrawn', actor: { id: root.id } })
    // Mails not yet sent are dropped.
    expect(await mailTo(one.email)).toEqual([])
  })

  test('also blocks a password reset, and is the reason given for missing access', async () => {
    await withdraw()
    await send('POST', '/auth/forgot-password', { email: one.email }, { headers: server.application })
    expect(await mailTo(one.email)).toEqual([])
    expect(await good('GET', `${path}/${one.id}/access?calls=${encodeURIComponent('GET /employees')}`)).toMatchObject({
      reason: 'account',
      sentence: expect.stringMatching(/^The invitation of .* was withdrawn: they can do nothing until they are invited again\.$/),
      gives: kind === 'ADMIN' ? 'admin.invite' : 'account-manager.invite',
    })
  })

  test('is withdrawn once: a second or stale call gets a conflict', async () => {
    const answers = await Promise.all([withdraw(), withdraw()])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    const late = answers.find(({ status }) => status === 409)
    expect([late?.body.code, late?.body.detail]).toEqual(['already-withdrawn', 'The invitation was withdrawn already.'])
    const stale = await withdraw(root, `?version=${one.version}`)
    expect([...refused(stale), stale.body.detail]).toEqual([409, 'stale-version', 'The invitation was withdrawn already.'])
    expect(stale.body.facts).toMatchObject({ id: one.id, status: 'WITHDRAWN' })
  })

  test('a new one lets the person in', async () => {
    await withdraw()
    const again = await good('POST', `${path}/${one.id}/invitations`, {})
    expect(again).toMatchObject({ status: 'INVITED', invitation_until: expect.any(String) })
    expect((await accept()).status).toBe(410)
    expect((await accept(linkIn((await mailTo(one.email)).at(-1)?.body))).status).toBe(200)
    expect(await read()).toMatchObject({ status: 'ACTIVE', invitation_until: null })
  })

  test('does not exist for people who set up their account or whose link expired', async () => {
    await server.db
      .updateTable('invitations')
      .set({ expires_at: new Date(Date.now() - 1000) })
      .where('person_id', '=', one.id)
      .execute()
    expect(await read()).toMatchObject({ status: 'INVITED', invitation_until: null })
    expect(refused(await withdraw())).toEqual([409, 'nothing-to-withdraw'])
    await good('POST', `${path}/${one.id}/invitations`, {})
    expect((await accept(linkIn((await mailTo(one.email)).at(-1)?.body))).status).toBe(200)
    const late = await withdraw()
    expect([...refused(late), late.body.detail]).toEqual([409, 'already-active', 'This person has set up their account already.'])
  })

  test.each(['withdraws', 'accepts'] as const)(
    'withdrawing and accepting concurrently, %s first: the first wins, the other is refused',
    async (first) => {
      const acts = { withdraws: () => withdraw(), accepts: () => accept() }
      const second = first === 'withdraws' ? 'accepts' : 'withdraws'
      // Both wait for the lock of the person, in the order of the calls.
      const [ahead, behind] = await server.owner
        .transaction()
        .execute(async (tx) => {
          await tx.selectFrom('people').select('id').where('id', '=', one.id).forUpdate().execute()
          const ahead = acts[first]()
          await expect.poll(() => waitingForLocks(server)).toBe(1)
          const behind = acts[second]()
          await expect.poll(() => waitingForLocks(server)).toBe(2)
          return [ahead, behind]
        })
        .then((both) => Promise.all(both))
      expect(ahead?.status, JSON.stringify(ahead?.body)).toBe(200)
      expect(refused(behind as Answer)).toEqual(first === 'accepts' ? [409, 'already-active'] : [410, 'link-invalid'])
      expect((await read()).status).toBe(first === 'accepts' ? 'ACTIVE' : 'WITHDRAWN')
    },
  )

  test('needs the right to invite, and at least the rights of the person', async () => {
    const reader = await personWith(server, [3, 4, 1017])
    expect((await withdraw(reader)).status).toBe(403)
    await good('POST', `${path}/${one.id}/permissions`, { group_ids: [], permission_ids: [1, 2] })
    expect(refused(await withdraw(clerk))).toEqual([409, 'holds-more'])
    const holder = await personWith(server, [1, 2, 3, 4, 1017, right])
    expect((await withdraw(holder)).status).toBe(200)
  })

  test('a new e-mail of a person with a withdrawn invitation sends no invitation', async () => {
    await withdraw()
    if (kind === 'ADMIN') return expect((await send('PATCH', `${path}/${one.id}`, { email: 'x@example.com' })).status).toBe(405)
    const email = `moved.${people}@example.com`
    expect(await good('PATCH', `${path}/${one.id}`, { email })).toMatchObject({ status: 'WITHDRAWN', email })
    return expect(await mailTo(email)).toEqual([])
  })
})

describe('nobody gives what they do not hold', () => {
  test('neither by group or permission, nor by removing one', async () => {
    expect(fieldErrors(await send('POST', '/account-managers', fresh({ permission_ids: [1] }), clerk))).toEqual({
      permission_ids: 'You can give and take only what you hold yourself. You do not hold: See billing.',
    })
    expect(fieldErrors(await send('POST', '/account-managers', fresh({ group_ids: [2] }), clerk)).group_ids).toMatch(
      /timekeeping/,
    )
    const made = await good('POST', '/account-managers', fresh({ permission_ids: [2] }), clerk)
    expect(made.permissions).toEqual([{ id: 2, short_name: 'read:employees' }])
  })

  test('a person with more rights cannot be changed, renamed or removed', async () => {
    const above = await good('POST', '/account-managers', fresh({ permission_ids: [1, 2] }))
    const path = `/account-managers/${above.id}`
    expect((await good('GET', path, undefined, clerk)).above).toBe(true)
    for (const [method, where, body] of [
      ['PATCH', path, { email: 'taken.over@example.com' }],
      ['DELETE', path, undefined],
      ['POST', `${path}/permissions`, { group_ids: [], permission_ids: [2] }],
      ['POST', `${path}/access-control-list`, { organization_ids: [], employer_ids: [] }],
      ['POST', `${path}/invitations`, {}],
    ] as const)
      expect(refused(await send(method, where, body, clerk)), where).toEqual([409, 'holds-more'])
  })

  test('nor one with more connections, since their e-mail would give access to them', async () => {
    const beyond = await createCompany(server.db, 'Sable', 2)
    const near = await createPerson(server.db, {
      kind: 'ACCOUNT_MANAGER',
      permissions: [2, 3, 4, 1019],
      grants: [{ employerId: employerIds[0] }],
    })
    const who = { ...near, headers: await signInAs(server, near) } as unknown as SignedIn
    for (const further of [{ employer_ids: [employerIds[0], beyond.employerIds[0]] }, { organization_ids: [organizationId] }]) {
      const one = await good('POST', '/account-managers', fresh({ permission_ids: [2], ...further }))
      const path = `/account-managers/${one.id}`
      expect(await good('GET', path, undefined, who)).toMatchObject({ above: false, further: true })
      expect(await good('GET', path)).toMatchObject({ further: false })
      for (const [method, where, body] of [
        ['PATCH', path, { email: 'taken.over@example.com' }],
        ['DELETE', path, undefined],
        ['POST', `${path}/permissions`, { group_ids: [], permission_ids: [2, 3] }],
        ['POST', `${path}/invitations`, {}],
        ['DELETE', `${path}/invitations`, undefined],
      ] as const)
        expect(refused(await send(method, where, body, who)), where).toEqual([409, 'reaches-further'])
      await sql`update people set status = 'ACTIVE' where id = ${one.id}`.execute(server.owner)
      expect(refused(await send('POST', `${path}/password-resets`, {}, who))).toEqual([409, 'reaches-further'])
      // Shared connections can be changed; those that they cannot see stay.
      await good('POST', `${path}/access-control-list`, { organization_ids: [], employer_ids: [employerIds[0]] }, who)
      const after = await good('GET', path)
      expect([...after.organizations, ...after.employers].map(({ id }: { id: number }) => id)).toEqual(
        expect.arrayContaining([...(further.organization_ids ?? []), ...(further.employer_ids ?? [])]),
      )
    }
    const equal = await good('POST', '/account-managers', fresh({ permission_ids: [2], employer_ids: [employerIds[0]] }))
    await good('PATCH', `/account-managers/${equal.id}`, { full_name: 'Mara Equal' }, who)
  })

  test('nor the group super-admin without being in it, since it is more than its permissions', async () => {
    const all = await personWith(server, permissionIds, 'Zed Everything')
    const words = { group_ids: 'Only a super-admin can make somebody a super-admin, or take it from them.' }
    const admin = () => {
      const { full_name: name, email } = fresh()
      return { name, email }
    }
    expect(fieldErrors(await send('POST', '/admins', { ...admin(), group_ids: [1] }, all))).toEqual(words)
    const made = await good('POST', '/admins', { ...admin(), permission_ids: [2] }, all)
    expect(
      fieldErrors(await send('POST', `/admins/${made.id}/permissions`, { group_ids: [1], permission_ids: [] }, all)),
    ).toEqual(words)
    const above = await good('POST', '/admins', { ...admin(), group_ids: [1] })
    expect((await good('GET', `/admins/${above.id}`, undefined, all)).above).toBe(true)
    for (const [method, where, body] of [
      ['DELETE', `/admins/${above.id}`, undefined],
      ['POST', `/admins/${above.id}/permissions`, { group_ids: [], permission_ids: [2] }],
      ['POST', `/admins/${above.id}/invitations`, {}],
    ] as const)
      expect(refused(await send(method, where, body, all)), where).toEqual([409, 'holds-more'])
  })

  test('nor can they change their own rights', async () => {
    const path = `/admins/${clerk.id}`
    expect(refused(await send('POST', `${path}/permissions`, { group_ids: [], permission_ids: [2] }, clerk))).toEqual([
      409,
      'own-account',
    ])
    expect(refused(await send('DELETE', path, undefined, clerk))).toEqual([409, 'own-account'])
  })

  test('everybody may read their own rights, but only by the call for their kind', async () => {
    const one = await personWith(server, [2])
    const manager = await personWith(server, [], 'Noor Case', 'ACCOUNT_MANAGER')
    const own = async (path: string, who: SignedIn) => (await send('GET', `${path}/${who.id}/permissions`, undefined, who)).body
    expect(await own('/admins', one)).toEqual({ groups: [], permissions: [{ id: 2, short_name: 'read:employees' }] })
    expect(await own('/account-managers', manager)).toEqual({ groups: [], permissions: [] })
    for (const [path, who] of [
      [`/admins/${root.id}`, one],
      [`/admins/${manager.id}`, manager],
      [`/account-managers/${one.id}`, one],
      [`/account-managers/${one.id}`, manager],
    ] as const)
      expect((await send('GET', `${path}/permissions`, undefined, who)).status, path).toBe(403)
  })

  test('everything needs its right', async () => {
    const nobody = await personWith(server, [2])
    for (const path of ['/account-managers', '/admins', '/permissions', `/admins/${root.id}`])
      expect((await send('GET', path, undefined, nobody)).status, path).toBe(403)
    const reader = await personWith(server, [3])
    expect((await send('GET', '/account-managers', undefined, reader)).status).toBe(200)
    expect((await send('POST', '/account-managers', fresh(), reader)).status).toBe(403)
  })
})

describe('admins', () => {
  const named = (more: Record<string, unknown> = {}) => {
    people += 1
    return { name: `Ines Park ${people}`, email: `ines.park.${people}@example.com`, phone_number: '+1 415 555 0134', ...more }
  }

  test('[API-009] [API-010] [ENT-008] [ENT-009] one is created with e-mail, name, phone, groups and permissions', async () => {
    const input = named({ group_ids: [4], permission_ids: [1017] })
    const made = await good('POST', '/admins', input)
    expect(made).toMatchObject({
      name: input.name,
      email: input.email,
      phone_number: '+1 415 555 0134',
      groups: [{ id: 4, name: 'payroll' }],
      permissions: [{ id: 1017, short_name: 'read:admins' }],
      status: 'INVITED',
    })
    expect(await good('GET', `/admins/${made.id}`)).toEqual(made)
    expect(await mailTo(made.email)).toHaveLength(1)
  })

  test('[ERR-014] an e-mail in use is refused beside the field', async () => {
    const made = await good('POST', '/admins', named())
    expect(fieldErrors(await send('POST', '/admins', named({ email: made.email })))).toEqual({
      email: 'Email address already used',
    })
  })

  test('[API-008] the list has all admins and nobody else', async () => {
    const manager = await good('POST', '/account-managers', fresh())
    const { admins } = await good('GET', '/admins?limit=200')
    const ids = admins.map((each: { id: string }) => each.id)
    expect(ids).toContain(root.id)
    expect(ids).not.toContain(manager.id)
    expect(await good('GET', '/admins/count')).toEqual({ count: admins.length, exact: true })
  })

  test('[API-012] [API-013] [PERM-001] [ENT-029] permissions are replaced by group ids and permission ids', async () => {
    const made = await good('POST', '/admins', named({ group_ids: [2] }))
    await good('POST', `/admins/${made.id}/permissions`, { group_ids: [3], permission_ids: [98] })
    expect(await good('GET', `/admins/${made.id}/permissions`)).toEqual({
      groups: [{ id: 3, name: 'human-resources' }],
      permissions: [{ id: 98, short_name: 'read:compensations' }],
    })
  })

  test('[API-011] [ERR-013] one is removed, and their session ends', async () => {
    const person = await personWith(server, [2])
    await good('DELETE', `/admins/${person.id}`)
    expect((await send('GET', '/employees', undefined, person)).status).toBe(401)
    expect((await send('GET', `/admins/${person.id}`)).status).toBe(404)
  })

  test('the last super-admin can be neither removed nor reduced, also concurrently', async () => {
    const second = await createPerson(server.db, { groups: [1] })
    const headers = await signInAs(server, second)
    const superAdmins = async () =>
      server.db
        .selectFrom('person_groups')
        .innerJoin('people', 'people.id', 'person_groups.person_id')
        .where('group_id', '=', 1)
        .where('status', '=', 'ACTIVE')
        .select('people.id')
        .execute()
    const less = { group_ids: [], permission_ids: [2] }
    // Both requests were made as super-admin, before either is executed.
    const taken = await server.db.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(hashtext('staff'))`.execute(tx)
      const both = [
        send('POST', `/admins/${root.id}/permissions`, less, { headers }),
        send('POST', `/admins/${second.id}/permissions`, less),
      ]
      await expect.poll(() => waitingForLocks(server)).toBe(2)
      return both
    })
    const answers = await Promise.all(taken)
    const [one, ...more] = await superAdmins()
    expect(more, JSON.stringify(answers.map(refused))).toEqual([])
    // The later one was a super-admin at the request, but no longer when it is executed.
    const [late, ...others] = answers.filter(({ status }) => status !== 200) as [Answer]
    expect(others).toEqual([])
    expect(refused(late)).toEqual([403, 'permission-denied'])
    const lost = one?.id === root.id ? second.id : root.id
    await server.db.insertInto('person_groups').values({ person_id: lost, group_id: 1 }).execute()

    const both = await Promise.all([
      send('DELETE', `/admins/${root.id}`, undefined, { headers }),
      send('DELETE', `/admins/${second.id}`),
    ])
    expect(await superAdmins(), JSON.stringify(both.map(refused))).toHaveLength(1)
    // The remaining one is the root of the following tests.
    await server.db.updateTable('people').set({ status: 'ACTIVE' }).where('id', '=', root.id).execute()
    await server.db.updateTable('people').set({ status: 'DELETED' }).where('id', '=', second.id).execute()
    root = { ...root, headers: await signInAs(server, root as never) }
    const holder = await personWith(
      server,
      (await good('GET', '/permissions')).permissions.map((each: { id: number }) => each.id),
    )
    const body = { group_ids: [], permission_ids: [] }
    expect(refused(await send('DELETE', `/admins/${root.id}`, undefined, holder))).toEqual([409, 'last-super-admin'])
    // Only a super-admin can take that from somebody; holding every permission is not enough.
    expect(refused(await send('POST', `/admins/${root.id}/permissions`, body, holder))).toEqual([409, 'holds-more'])
  })

  test('people removed or reduced after their request give nothing any more', async () => {
    const asker = await createPerson(server.db, { groups: [1] })
    const headers = await signInAs(server, asker)
    const made = fresh()
    const { full_name: name, email } = made
    for (const [change, late] of [
      [
        () => send('POST', `/admins/${asker.id}/permissions`, { group_ids: [], permission_ids: [1018] }),
        [422, 'validation-failed'],
      ],
      [() => send('DELETE', `/admins/${asker.id}`), [401, 'session-expired']],
    ] as const) {
      const asked = await server.db.transaction().execute(async (tx) => {
        await sql`select pg_advisory_xact_lock(hashtext('staff'))`.execute(tx)
        const first = change()
        await expect.poll(() => waitingForLocks(server)).toBe(1)
        const second = send('POST', '/admins', { name, email, group_ids: [1] }, { headers })
        await expect.poll(() => waitingForLocks(server)).toBe(2)
        return [first, second]
      })
      const [first, second] = (await Promise.all(asked)) as [Answer, Answer]
      expect(first.status).toBe(200)
      expect(refused(second)).toEqual(late)
    }
    expect(await server.db.selectFrom('people').select('id').where('email', '=', email.toLowerCase()).execute()).toEqual([])
  })

  test('a request refused because the session ended can be repeated under its key after sign-in', async () => {
    const asker = await createPerson(server.db, { groups: [1] })
    const headers = await signInAs(server, asker)
    const { full_name: name, email } = fresh()
    const key = { 'idempotency-key': 'the-same' }
    const asked = await server.db.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(hashtext('staff'))`.execute(tx)
      const sent = send('POST', '/admins', { name, email }, { headers: { ...headers, ...key } })
      await expect.poll(() => waitingForLocks(server)).toBe(1)
      await sql`update sessions set ended_at = now(), ended_reason = 'ENDED_ELSEWHERE' where person_id = ${asker.id}`.execute(
        server.db,
      )
      return [sent]
    })
    expect(refused((await asked[0]) as Answer)).toEqual([401, 'session-ended'])
    const again = await signInAs(server, asker)
    expect((await send('POST', '/admins', { name, email }, { headers: { ...again, ...key } })).status).toBe(201)
  })

  test('a queued mail to a removed person is not sent', async () => {
    const { full_name: name, email } = fresh()
    const { id } = await good('POST', '/admins', { name, email })
    expect(await mailTo(email.toLowerCase())).toHaveLength(1)
    await good('DELETE', `/admins/${id}`)
    expect(await mailTo(email.toLowerCase())).toEqual([])
  })

  test('[API-014] [ENT-030] assignable rights are listed for admins and for account managers', async () => {
    const admins = await good('GET', '/permissions?entity=ADMIN')
    const managers = await good('GET', '/permissions?entity=ACCOUNT_MANAGER')
    expect(admins.groups.map((each: { name: string }) => each.name)).toEqual([
      'super-admin',
      'timekeeping-approvers',
      'human-resources',
      'payroll',
    ])
    expect(managers.groups.map((each: { name: string }) => each.name)).toEqual([
      'timekeeping-approvers',
      'human-resources',
      'payroll',
    ])
    expect(admins.permissions).toContainEqual({ id: 1018, short_name: 'write:admins' })
    expect(managers.permissions).not.toContainEqual({ id: 1018, short_name: 'write:admins' })
    expect(await good('GET', '/permissions')).toEqual(admins)
  })

  test('an account manager manages no admins, whatever rights the database has for them', async () => {
    const manager = await personWith(server, [1017, 1018, 1019], 'Mona Manager', 'ACCOUNT_MANAGER')
    await server.db.insertInto('person_groups').values({ person_id: manager.id, group_id: 1 }).execute()
    const { full_name: name, email } = fresh()
    const rights = { group_ids: [1], permission_ids: [] }
    for (const [method, path, body] of [
      ['GET', '/admins', undefined],
      ['GET', `/admins/${root.id}/permissions`, undefined],
      ['POST', '/admins', { name, email, group_ids: [1] }],
      ['POST', `/admins/${root.id}/permissions`, rights],
      ['POST', `/admins/${manager.id}/permissions`, rights],
      ['POST', `/admins/${root.id}/invitations`, {}],
      ['POST', `/admins/${root.id}/authenticator-resets`, { reason: 'Lost phone' }],
      ['DELETE', `/admins/${root.id}`, undefined],
    ] as const)
      expect(refused(await send(method, path, body, manager)), `${method} ${path}`).toEqual([403, 'permission-denied'])
    const me = await good('GET', '/me', undefined, manager)
    expect(me.groups).toEqual([])
    expect(me.permissions.map(({ id }: { id: number }) => id)).toEqual([1019])
  })

  test('[PERM-026] reading admins and their rights needs the read permission', async () => {
    const writer = await personWith(server, [1018])
    for (const path of ['/admins', `/admins/${root.id}`, `/admins/${root.id}/permissions`, `/admins/${root.id}/history`])
      expect((await send('GET', path, undefined, writer)).status, path).toBe(403)
    const reader = await personWith(server, [1017])
    for (const path of ['/admins', `/admins/${root.id}`, `/admins/${root.id}/permissions`, `/admins/${root.id}/history`])
      expect((await send('GET', path, undefined, reader)).status, path).toBe(200)
  })
})

describe('resetting an authenticator', () => {
  /** A signed-in person with a session and an authenticator. */
  const member = async (kind: 'ADMIN' | 'ACCOUNT_MANAGER', rights: readonly number[] = []) => {
    const person = await createPerson(server.db, { kind, permissions: rights, totpSecret: null })
    return { ...person, headers: await signInAs(server, person) }
  }
  const pathOf = (kind: 'ADMIN' | 'ACCOUNT_MANAGER') => (kind === 'ADMIN' ? '/admins' : '/account-managers')

  test.each(['ADMIN', 'ACCOUNT_MANAGER'] as const)('works for a person of kind %s, with a reason', async (kind) => {
    const person = await member(kind)
    const path = `${pathOf(kind)}/${person.id}`
    expect(await good('GET', path)).toMatchObject({ authenticator: true })
    await good('POST', `${path}/authenticator-resets`, { reason: 'Lost phone' })
    expect(await good('GET', path)).toMatchObject({ authenticator: false })
    expect(refused(await send('GET', '/me', undefined, { headers: person.headers }))).toEqual([401, 'session-expired'])
    expect(await server.db.selectFrom('recovery_codes').select('person_id').where('person_id', '=', person.id).execute()).toEqual(
      [],
    )
    const [mail] = (await mailTo(person.email)).filter(({ subject }) => subject === 'Your authenticator was reset')
    expect(mail?.body).toContain('Root Super reset the authenticator of your account')
    expect(mail?.body).toContain('Lost phone')
    const { events } = await good('GET', `${path}/history`)
    expect(events[0]).toMatchObject({ status: 'Authenticator reset', text: 'Lost phone', actor: { name: 'Root Super' } })
    // The next sign-in sets up a new one.
    expect(await signInAs(server, person)).toHaveProperty('authorization')
    expect(await good('GET', path)).toMatchObject({ authenticator: true })
  })

  test('is refused without a reason, for oneself, and without an authenticator', async () => {
    const person = await member('ADMIN')
    const path = `/admins/${person.id}/authenticator-resets`
    expect(fieldErrors(await send('POST', path, {}))).toHaveProperty('reason')
    expect(refused(await send('POST', `/admins/${root.id}/authenticator-resets`, { reason: 'New phone' }))).toEqual([
      409,
      'own-account',
    ])
    await good('POST', path, { reason: 'New phone' })
    expect(refused(await send('POST', path, { reason: 'New phone' }))).toEqual([409, 'no-authenticator'])
  })

  test('is refused for a person with more rights, and without the permission', async () => {
    const above = await member('ADMIN', [1])
    const path = `/admins/${above.id}/authenticator-resets`
    expect(refused(await send('POST', path, { reason: 'Lost phone' }, clerk))).toEqual([409, 'holds-more'])
    const reader = await personWith(server, [1, 1017])
    expect(refused(await send('POST', path, { reason: 'Lost phone' }, reader))).toEqual([403, 'permission-denied'])
    expect(await good('GET', `/admins/${above.id}`)).toMatchObject({ authenticator: true })
  })
})

/** Copied from section 3. */
const specified = [
  ['ENT-018', 5, 'read:reports'],
  ['ENT-019', 6, 'read:timekeeping'],
  ['ENT-020', 7, 'read:transactions'],
  ['ENT-021', 8, 'read:wages'],
  ['ENT-022', 9, 'write:employees'],
  ['ENT-023', 10, 'write:timekeeping'],
  ['ENT-024', 15, 'read:work-period-balances'],
  ['ENT-025', 16, 'write:work-period-balances'],
  ['ENT-026', 17, 'read:off-cycle-payments'],
  ['ENT-027', 18, 'write:off-cycle-payments'],
  ['ENT-028', 98, 'read:compensations'],
] as const

test.each(specified)('[%s] permission %i is %s: it can be offered, assigned and held', async (_, id, name) => {
  const catalogue = await good('GET', '/permissions')
  expect(catalogue.permissions).toContainEqual({ id, short_name: name })
  const made = await good('POST', '/account-managers', fresh({ permission_ids: [id] }))
  expect(made.permissions).toEqual([{ id, short_name: name }])
})

describe('what one account manager sees of another', () => {
  test('people whom they create get one of their connections, so that they stay visible', async () => {
    const maker = await personWith(server, [2, 3, 1019], 'Mira Maker', 'ACCOUNT_MANAGER')
    await sql`insert into access_grants (person_id, employer_id) values (${maker.id}, ${employerIds[0]})`.execute(server.db)
    expect(fieldErrors(await send('POST', '/account-managers', fresh(), maker))).toEqual({
      organization_ids: 'Choose at least one organization or employer of yours: you could not see them otherwise.',
    })
    const made = await good('POST', '/account-managers', fresh({ employer_ids: [employerIds[0]] }), maker)
    expect(made).toMatchObject({ shared: true })
    expect(await good('GET', `/account-managers/${made.id}`)).not.toHaveProperty('shared')
  })

  test('only people with a shared connection, and only the shared ones', async () => {
    const mine = await createCompany(server.db, `Mine ${people}`, 2)
    const other = await createCompany(server.db, `Other ${people}`, 1)
    const me = await createPerson(server.db, {
      kind: 'ACCOUNT_MANAGER',
      permissions: [2, 3, 4, 1019],
      grants: [{ employerId: mine.employerIds[0] as number }],
    })
    const headers = await signInAs(server, me)
    const near = await good(
      'POST',
      '/account-managers',
      fresh({ permission_ids: [2], organization_ids: [other.organizationId], employer_ids: [mine.employerIds[0]] }),
    )
    const far = await good('POST', '/account-managers', fresh({ organization_ids: [other.organizationId] }))
    const listed = await good('GET', '/account-managers?include=access-control-list&limit=200', undefined, { headers })
    const ids = listed.account_managers.map((each: { id: string }) => each.id)
    expect(ids.sort()).toEqual([me.id, near.id].sort())
    expect(await good('GET', '/account-managers/count', undefined, { headers })).toEqual({ count: 2, exact: true })
    expect((await send('GET', `/account-managers/${far.id}`, undefined, { headers })).status).toBe(404)
    const colleague = await good('GET', `/account-managers/${near.id}`, undefined, { headers })
    expect(colleague).toMatchObject({ organizations: [], employers: [{ id: mine.employerIds[0] }] })
    expect(JSON.stringify(await good('GET', `/account-managers/${near.id}/history`, undefined, { headers }))).not.toContain(
      'Other',
    )
    // Their filters reveal nothing of others either.
    const asked = await good('GET', `/account-managers?organization-id=${other.organizationId}`, undefined, { headers })
    expect(asked.account_managers).toEqual([])
    // Other connections stay as they are, and cannot be given.
    const path = `/account-managers/${near.id}/access-control-list`
    await good('POST', path, { organization_ids: [], employer_ids: [mine.employerIds[0]] }, { headers })
    expect(
      fieldErrors(await send('POST', path, { organization_ids: [other.organizationId], employer_ids: [] }, { headers })),
    ).toEqual({
      organization_ids: 'There is no such organization.',
    })
    expect((await good('GET', `/account-managers/${near.id}`)).organizations).toMatchObject([{ id: other.organizationId }])
  })
})

test('staff are found by a permission, held individually or by a group', async () => {
  const held = (kind: 'ADMIN' | 'ACCOUNT_MANAGER', name: string, groups: number[], permissions: number[]) =>
    createPerson(server.db, { kind, name: `Holder ${name}`, groups, permissions })
  for (const kind of ['ADMIN', 'ACCOUNT_MANAGER'] as const) {
    await held(kind, 'Single', [], [1008])
    await held(kind, 'Group', [4], [])
    await held(kind, 'Both', [4], [1008])
    await held(kind, 'Neither', [3], [2])
    await held(kind, 'Super', [1], [])
  }
  const names = async (path: string, query: string) => {
    const { admins, account_managers = admins } = await good('GET', `${path}?q=holder&limit=100&${query}`)
    return account_managers.map(({ name }: { name: string }) => name.replace('Holder ', ''))
  }
  expect(await names('/admins', 'permission=approve:write-offs')).toEqual(['Both', 'Single', 'Super'])
  expect(await names('/admins', 'permission=read:billing')).toEqual(['Both', 'Group', 'Super'])
  expect(await names('/admins', 'permission=read:billing,approve:write-offs')).toEqual(['Both', 'Group', 'Single', 'Super'])
  expect(await names('/admins', 'permission-not=approve:write-offs')).toEqual(['Group', 'Neither'])
  // An account manager holds no more than can be given to one, whatever is stored.
  expect(await names('/account-managers', 'permission=approve:write-offs')).toEqual(['Both', 'Single'])
  expect(await names('/account-managers', 'permission-not=read:employees')).toEqual(['Single', 'Super'])
  expect(refused(await send('GET', '/account-managers?permission=read:admins'))[0]).toBe(422)
})
