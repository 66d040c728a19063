import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { auditKindNames } from '#domain/audit.ts'
import { permissionIds } from '#domain/permissions.ts'
import { writeExport } from '#server/jobs/write-export.ts'
import { recordEvent } from '#server/tables/audit.ts'
import { createCompany, createEmployee } from '#tests/support/company.ts'
import { createInvoice } from '#tests/support/money.ts'
import { createPerson, type TestPerson } from '#tests/support/people.ts'
import { asking } from '#tests/support/asking.ts'
import { unreadable } from '#tests/support/history.ts'
import { createServer, type TestServer } from '#tests/support/server.ts'
import { signInAs } from '#tests/support/sign-in.ts'

interface Who {
  headers: Record<string, string>
  person: TestPerson
}
interface ListedEvent {
  id: number
  at: string
  entity: string
  entity_id: string
  entity_name: string | null
  status: string
  intent: string | null
  command: string | null
  text: string | null
  actor: { id: string; name: string }
  changes: { field: string; before: unknown; after: unknown }[]
}

let server: TestServer
let root: Who
/** May see one employer of Harbor. */
let hana: Who
/** May see all of Quarry, present and future. */
let quinn: Who
let harbor: { organizationId: number; employerIds: number[] }
let quarry: { organizationId: number; employerIds: number[] }
let mine: { id: number; userId: number | null }
let theirs: { id: number; userId: number | null }

const { send, good } = asking(
  () => server,
  () => root,
)
const enter = async (input: Parameters<typeof createPerson>[1]): Promise<Who> => {
  const person = await createPerson(server.db, input)
  return { person, headers: await signInAs(server, person) }
}
const employeeOf = async (employerId: number, lastName: string) => {
  const { id } = await createEmployee(server.db, { employerId, lastName, status: 'ACTIVE', linked: {} })
  const { user_id } = await server.db.selectFrom('employees').select('user_id').where('id', '=', id).executeTakeFirstOrThrow()
  return { id, userId: user_id }
}
const list = async (query = '', as = root): Promise<ListedEvent[]> =>
  (await good('GET', `/audit-events?${query}`, undefined, as)).audit_events
const count = async (query = '', as = root): Promise<number> =>
  (await good('GET', `/audit-events/count?${query}`, undefined, as)).count
const about = async (kind: string, id: unknown, as = root) => list(`kind=${kind}&record=${id}`, as)
const pause = async (id: number, as = root) => {
  const { version } = await good('GET', `/employees/${id}`)
  const headers = { ...as.headers, command: 'employee.pause' }
  await good('PATCH', `/employees/${id}`, { status: 'PAUSED', reason: 'Hours under review', version }, { headers })
}

beforeAll(async () => {
  server = await createServer()
  root = await enter({ groups: [1], name: 'Root Super' })
  harbor = await createCompany(server.db, 'Harbor', 2)
  quarry = await createCompany(server.db, 'Quarry', 2)
  const permissions = permissionIds
  hana = await enter({
    kind: 'ACCOUNT_MANAGER',
    name: 'Hana Harbor',
    permissions,
    grants: [{ employerId: harbor.employerIds[0] as number }],
  })
  quinn = await enter({
    kind: 'ACCOUNT_MANAGER',
    name: 'Quinn Quarry',
    permissions,
    grants: [{ organizationId: quarry.organizationId }],
  })
  mine = await employeeOf(harbor.employerIds[0] as number, 'Mine')
  theirs = await employeeOf(quarry.employerIds[1] as number, 'Theirs')
  await pause(mine.id)
  await pause(theirs.id, quinn)
  const { name, lookup_name, brand, source_code, status, version } = await good('GET', `/organizations/${quarry.organizationId}`)
  const notes = 'Asked for files on Monday'
  await good('PUT', `/organizations/${quarry.organizationId}`, { name, lookup_name, brand, source_code, status, notes, version })
})
afterAll(() => server.close())

test('an event has actor, time, command, record, and the values before and after', async () => {
  const [event] = await about('employee', mine.id)
  expect(event).toMatchObject({
    entity: 'employee',
    entity_id: String(mine.id),
    entity_name: null,
    status: 'Paused',
    intent: 'employee.pause',
    command: 'employee.pause',
    text: 'Hours under review',
    actor: { id: root.person.id, name: 'Root Super' },
  })
  expect(event?.changes).toContainEqual({ field: 'status', before: 'ACTIVE', after: 'PAUSED' })
  expect(Math.abs(Date.now() - Date.parse(event?.at ?? ''))).toBeLessThan(60_000)
  expect(await good('GET', `/audit-events/${event?.id}`)).toEqual(event)
})

test('filters by person, record, command and day, and searches name and id; the count agrees', async () => {
  const found = async (query: string) => {
    const events = await list(query)
    expect([query, await count(query)]).toEqual([query, events.length])
    return events.map(({ entity_id, status }) => `${status} ${entity_id}`)
  }
  const [first, second] = [`Paused ${mine.id}`, `Paused ${theirs.id}`]
  expect(await found(`account-manager-id=${quinn.person.id}&kind=employee`)).toEqual([second])
  expect(await found(`admin-id=${root.person.id}&kind=employee`)).toEqual([first])
  expect(await found(`kind=employee&record=${mine.id}`)).toEqual([first])
  for (const words of ['employee.pause', 'Pause%20employee', 'pause', 'employee%20pau'])
    expect([words, await found(`command=${words}`)]).toEqual([words, [second, first]])
  expect(await found('command=resume')).toEqual([])
  expect(await found(`q=quinn&kind=employee`)).toEqual([second])
  expect(await found(`q=${mine.id}`)).toEqual([first])
  const today = await good('GET', '/me').then((me) => me.business_date as string)
  const before = new Date(Date.parse(today) - 86_400_000).toISOString().slice(0, 10)
  expect(await found(`kind=employee&date-from=${before}&date-to=${today}`)).toEqual([second, first])
  expect(await found(`kind=employee&date-on=${today}`)).toEqual([second, first])
  expect(await found(`kind=employee&date-on=${before}`)).toEqual([])
  expect(await found(`kind=employee&date-from=2020-01-01&date-to=${before}`)).toEqual([])
})

test('pages continue in both directions, also between events of the same moment', async () => {
  await server.db.transaction().execute(async (tx) => {
    for (let n = 0; n < 7; n += 1)
      await recordEvent(tx, {
        actor: { id: 'service', name: 'System' },
        intent: 'user.kyc',
        command: null,
        entity: 'user',
        entityId: String(mine.userId),
        status: 'KYC Details Changed',
        text: String(n),
        before: null,
        after: null,
        version: n,
        idempotencyKey: null,
      })
    await sql`select 1`.execute(tx)
  })
  for (const as of [root, hana]) {
    const seen: string[] = []
    let from: string | null = ''
    while (from !== null) {
      const page = await good(
        'GET',
        `/audit-events?kind=user&record=${mine.userId}&limit=2${from && `&lek=${from}`}`,
        undefined,
        as,
      )
      seen.push(...page.audit_events.map(({ text }: ListedEvent) => text))
      from = page.lek
    }
    expect(seen).toEqual(['6', '5', '4', '3', '2', '1', '0'])
    const back = await good('GET', `/audit-events?kind=user&record=${mine.userId}&limit=3&direction=before`, undefined, as)
    expect(back.audit_events.map(({ text }: ListedEvent) => text)).toEqual(['2', '1', '0'])
  }
})

test('an account manager sees only events of accessible records, by every filter and search', async () => {
  const [event] = await about('employee', theirs.id)
  const own = await list('', hana)
  expect(own.length).toBeGreaterThan(0)
  expect(own.map(({ entity, entity_id }) => `${entity} ${entity_id}`)).toEqual(
    expect.arrayContaining([`employee ${mine.id}`, `person ${hana.person.id}`]),
  )
  expect(JSON.stringify(own)).not.toMatch(/Quinn|Quarry|Monday/)
  expect(own.some(({ entity_id }) => entity_id === String(theirs.id))).toBe(false)
  for (const query of [
    `record=${theirs.id}`,
    `q=${theirs.id}`,
    'q=quinn',
    `account-manager-id=${quinn.person.id}`,
    'kind=organization',
    'command=organization',
    `id=${event?.id}`,
  ]) {
    expect([query, await list(query, hana)]).toEqual([query, []])
    expect([query, await count(query, hana)]).toEqual([query, 0])
  }
  expect((await send('GET', `/audit-events/${event?.id}`, undefined, hana)).status).toBe(404)
  expect(await list(`from-id=${event?.id}`, hana)).toEqual([])
  expect(await about('employee', theirs.id, quinn)).toHaveLength(1)
  // Quinn has the organization as a whole; at Harbor, Hana has one employer only.
  expect(await about('organization', quarry.organizationId, quinn)).toHaveLength(1)
  expect(await about('employee', mine.id, quinn)).toEqual([])
  const { lek } = await good('GET', '/audit-events?limit=1', undefined, quinn)
  if (lek) expect((await send('GET', `/audit-events?limit=1&lek=${lek}`, undefined, hana)).body.code).toBe('cursor-invalid')
})

test('events disappear when the grant is revoked or the user leaves the employer', async () => {
  const kyc = `kind=user&record=${mine.userId}`
  expect(await count(kyc, hana)).toBe(7)
  const linkedTo = (user_id: number | null) =>
    server.db.updateTable('employees').set({ user_id }).where('id', '=', mine.id).execute()
  await linkedTo(null)
  expect(await list(kyc, hana)).toEqual([])
  expect(await count(kyc, hana)).toBe(0)
  await linkedTo(mine.userId)
  expect(await count(kyc, hana)).toBe(7)
  const rest = await list('kind=employee', hana)
  await server.db.deleteFrom('access_grants').where('person_id', '=', hana.person.id).execute()
  expect(rest.length).toBeGreaterThan(0)
  expect(await list('kind=employee', hana)).toEqual([])
  await server.db
    .insertInto('access_grants')
    .values({ person_id: hana.person.id, organization_id: null, employer_id: harbor.employerIds[0] as number })
    .execute()
})

test('events of each kind of record need the right to read that kind', async () => {
  const kinds = async (as: Who) => [...new Set((await list('limit=200', as)).map(({ entity }) => entity))].sort()
  const nobody = await enter({ name: 'Nora Nothing' })
  expect(await kinds(nobody)).toEqual(['person'])
  expect((await list('', nobody)).every(({ entity_id }) => entity_id === nobody.person.id)).toBe(true)
  const reader = await enter({ name: 'Rita Reader', permissions: [2] })
  expect(await kinds(reader)).toEqual(['employee', 'person', 'user'])
  expect(await list('kind=organization', reader)).toEqual([])
  // Sign-ins of other people need the right to see admins.
  expect(await about('person', root.person.id, reader)).toEqual([])
  const auditor = await enter({ name: 'Ada Auditor', permissions: [1017] })
  expect((await about('person', root.person.id, auditor)).map(({ status }) => status)).toContain('Signed in')
})

test('neither the event nor a filter reveals a masked off-cycle payment', async () => {
  const id = String(theirs.id)
  await sql`insert into audit_events (actor_id, actor_name, intent, command, entity, entity_id, status, text, before, after, version)
    values ('x', 'Somebody', 'employee.terminate-off-cycle', 'employee.terminate-off-cycle', 'employee', ${id}, 'Off-cycle paid', 'By cheque',
      '{"status": "ACTIVE"}', '{"status": "OFFCYCLE_PAID"}', 9)`.execute(server.db)
  const blind = await enter({ permissions: permissionIds.filter((each) => each !== 17), name: 'Bea Blind' })
  const [seen] = await about('employee', id)
  expect(seen).toMatchObject({ status: 'Off-cycle paid', command: 'employee.terminate-off-cycle' })
  const [masked] = await about('employee', id, blind)
  expect(masked).toMatchObject({ id: seen?.id, status: 'Restricted', intent: null, command: null, text: null })
  expect(JSON.stringify(masked)).not.toMatch(/off.?cycle|cheque/i)
  for (const words of ['off-cycle', 'terminate', 'employee']) {
    const found = await list(`command=${words}`, blind)
    expect([words, found.some((one) => one.id === seen?.id)]).toEqual([words, false])
    expect([words, await count(`command=${words}`, blind)]).toEqual([words, found.length])
  }
})

test('invoices and repayments are named and found by their numbers', async () => {
  const invoice = await createInvoice(server.db, { employerId: harbor.employerIds[0] as number, original: 50_00 })
  for (const [entity, number] of [
    ['invoice', `INV-${invoice.id}`],
    ['repayment', 'REP-70123'],
  ] as const) {
    const id = number.slice(4)
    await sql`insert into audit_events (actor_id, actor_name, intent, entity, entity_id, status, version)
      values ('service', 'System', ${`${entity}.x`}, ${entity}, ${id}, 'Changed', 1)`.execute(server.owner)
    for (const query of [`kind=${entity}&record=${number}`, `kind=${entity}&q=${number}`])
      expect(await list(query)).toMatchObject([{ entity, entity_id: id, entity_name: number }])
  }
})

test('employers and organizations are named only to people who may read them', async () => {
  const names = { employer: 'Quarry Stone 2', organization: 'Quarry Group' }
  const employerId = quarry.employerIds[1] as number
  await server.db.updateTable('employers').set({ internal_name: names.employer }).where('id', '=', employerId).execute()
  await server.db.updateTable('organizations').set({ name: names.organization }).where('id', '=', quarry.organizationId).execute()
  await sql`insert into audit_events (actor_id, actor_name, intent, entity, entity_id, status, version)
    values ('service', 'System', 'employer.x', 'employer', ${String(employerId)}, 'Changed', 1)`.execute(server.owner)
  for (const as of [root, quinn]) {
    expect((await about('employer', employerId, as))[0]?.entity_name).toBe(names.employer)
    expect((await about('organization', quarry.organizationId, as))[0]?.entity_name).toBe(names.organization)
  }
  for (const [kind, id] of [
    ['employer', employerId],
    ['organization', quarry.organizationId],
  ] as const)
    expect(await about(kind, id, hana)).toEqual([])
  const made = await good('POST', '/exports', { kind: 'audit-events', filter: { kind: 'employer' } }, root)
  await writeExport(server.services, made.id, () => false)
  const file = await fetch(`${server.origin}/api/exports/${made.id}/file`, { headers: root.headers })
  expect(await file.text()).toContain(`Employer,${names.employer},${employerId}`)
})

test('every record is found by the words of its title, by people who may read it', async () => {
  const found = async (words: string, as = root) => {
    const query = `q=${encodeURIComponent(words)}`
    const events = await list(`${query}&limit=200`, as)
    expect([words, await count(query, as)]).toEqual([words, events.length])
    return [...new Set(events.map(({ entity, entity_id }) => `${entity} ${entity_id}`))].sort()
  }
  const [own, sister] = harbor.employerIds as [number, number]
  const rename = async (id: number, internal_name: string) =>
    server.db.updateTable('employers').set({ internal_name }).where('id', '=', id).execute()
  await rename(own, 'Sycamore Security 4')
  await rename(sister, 'Sycamore Bakery 5')
  await server.db.updateTable('organizations').set({ name: 'Sycamore Union' }).where('id', '=', harbor.organizationId).execute()
  const changed = [
    ['employer', String(own)],
    ['employer', String(sister)],
    ['organization', String(harbor.organizationId)],
    ['account-manager', quinn.person.id],
    ['views', quinn.person.id],
  ] as const
  for (const [entity, id] of changed)
    await sql`insert into audit_events (actor_id, actor_name, intent, entity, entity_id, status, version)
      values ('service', 'System', ${`${entity}.y`}, ${entity}, ${id}, 'Changed', 1)`.execute(server.owner)
  const [ofOwn, ofSister, ofUnion, ofQuinn] = changed.map((each) => each.join(' ')) as [string, string, string, string, string]
  expect(await found('sycamore')).toEqual([ofOwn, ofSister, ofUnion].sort())
  expect(await found('security SYC')).toEqual([ofOwn])
  expect(await found('sycamore quarry')).toEqual([])
  expect(await found('quinn')).toContain(ofQuinn)
  // A name that the person may not read matches nothing, also in the count.
  expect(await found('sycamore', hana)).toEqual([ofOwn])
  expect(await found('bakery', hana)).toEqual([])
  expect(await found('union', hana)).toEqual([])
  expect(await found('quinn', hana)).toEqual([])
  expect(await found('sycamore', quinn)).toEqual([])
  await rename(own, 'Maple Security 4')
  expect(await found('sycamore')).toEqual([ofSister, ofUnion].sort())
  expect(await found('maple', await enter({ name: 'Nele None', permissions: [2] }))).toEqual([])
})

test('an export uses the filter of the list, and is served only while rights and access last', async () => {
  const file = async (exportId: string, as: Who) =>
    fetch(`${server.origin}/api/exports/${exportId}/file`, { headers: as.headers })
  const made = await good('POST', '/exports', { kind: 'audit-events', filter: { kind: 'employee' } }, hana)
  await writeExport(server.services, made.id, () => false)
  const text = await (await file(made.id, hana)).text()
  expect(text).toContain('Paused')
  expect(text).toContain(`Employee,${mine.id},${mine.id}`)
  expect(text).toMatch(/status: ACTIVE/)
  expect(text).not.toContain(String(theirs.id))
  expect((await send('GET', `/exports/${made.id}`, undefined, quinn)).status).toBe(404)
  await server.db
    .deleteFrom('person_permissions')
    .where('person_id', '=', hana.person.id)
    .where('permission_id', '=', 17)
    .execute()
  expect((await file(made.id, hana)).status).toBe(403)
  await server.db.insertInto('person_permissions').values({ person_id: hana.person.id, permission_id: 17 }).execute()
  expect((await file(made.id, hana)).status).toBe(200)
  await server.db.deleteFrom('access_grants').where('person_id', '=', hana.person.id).execute()
  expect((await file(made.id, hana)).status).toBe(403)
  expect((await send('POST', '/exports', { kind: 'audit-events', filter: { nothing: '1' } }, hana)).status).toBe(422)
})

test('every noun with a history has a kind in the audit, with its owner known to the database', async () => {
  const histories = server.services.routes.routes.flatMap(
    ({ endpoint }) => /^\/([a-z-]+)\/\{id\}\/(history|events)$/.exec(endpoint.path)?.[1] ?? [],
  )
  expect(histories.length).toBeGreaterThan(8)
  const nouns = auditKindNames.map((name) => `${name.replace(/y$/, 'ie')}s`)
  expect(
    histories.map((noun) => (noun === 'timekeeping' ? 'time-entries' : noun)).filter((noun) => !nouns.includes(noun)),
    'auditKinds of src/domain/audit.ts',
  ).toEqual([])
  const { rows } = await sql<{ prosrc: string }>`select prosrc from pg_proc where proname = 'audit_belongs_to'`.execute(server.db)
  expect(
    auditKindNames.filter((name) => !rows[0]?.prosrc.includes(`'${name}'`)),
    'A new migration writes `audit_belongs_to` with it',
  ).toEqual([])
})

/** Parts of another record, which has the event for them. */
const parts = [
  ...['bank-account', 'billing-account', 'card', 'communication', 'configuration', 'data-email', 'deduction-configuration'],
  ...['integration', 'mapping', 'note', 'paygroup', 'session'],
]

test('the record that an intent changes has a kind in the audit, or is part of one that has', () => {
  const nouns = server.services.routes.routes.flatMap(({ intents }) =>
    intents.map(({ intent }) => intent.id.split('.')[0] as string),
  )
  const others = [...new Set(nouns)].filter((noun) => !auditKindNames.some((name) => name === noun))
  expect(
    others.filter((noun) => !parts.includes(noun)),
    'auditKinds of src/domain/audit.ts',
  ).toEqual([])
})

test('codes, brackets and field names in a history are detected at any depth', () => {
  const faults = (entity: string, field: string, after: unknown) =>
    unreadable([{ entity, changes: [{ field, before: after, after }] }])
  expect(faults('invoice', 'payment_method', 'SELF_PAY')).toEqual([])
  expect(faults('invoice', 'period_end', '2026-06-14')).toEqual([])
  expect(faults('invoice', 'unheard_of', 'SELF_PAY')).toEqual(['invoice: Unheard of: SELF_PAY'])
  expect(faults('write-off', 'unheard_of', ['FRAUD'])).toEqual(['write-off: Unheard of: FRAUD'])
  expect(faults('organization', 'vendor_of_82019', 'Shiftwell')).toEqual(['organization: Vendor of 82019: Shiftwell'])
  expect(faults('employee', 'unheard_of', '[object Object]')).toEqual(['employee: Unheard of: [object Object]'])
})

test('every existing event has a known kind and an owner', async () => {
  const { rows } = await sql<{ entity: string; belongs_to: string }>`
    select distinct entity, split_part(belongs_to, ':', 1) as belongs_to from audit_events`.execute(server.db)
  expect(rows.map(({ entity }) => entity).filter((entity) => !auditKindNames.some((name) => name === entity))).toEqual([])
  expect(rows).toEqual(
    expect.arrayContaining([
      { entity: 'employee', belongs_to: 'employer' },
      { entity: 'user', belongs_to: 'employer' },
      { entity: 'organization', belongs_to: 'organization' },
      { entity: 'person', belongs_to: 'person' },
    ]),
  )
})
