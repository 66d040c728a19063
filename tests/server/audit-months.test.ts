import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listAuditEvents } from '#contract/audit-events.ts'
import { permissionIds } from '#domain/permissions.ts'
import { moveInvoices } from '#server/money/billing/clock.ts'
import type { Actor } from '#server/access/actor.ts'
import type { Position } from '#server/paging/keyset.ts'
import { eventsOf } from '#server/tables/audit.ts'
import { pageOfAudit } from '#server/tables/audit-list.ts'
import type { Tx } from '#server/tables/database.ts'
import { planOf } from '#tests/support/plans.ts'
import { createServer, type TestServer } from '#tests/support/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await createServer()
})
afterAll(() => server.close())

const actor = { kind: 'ADMIN', id: '00000000-0000-4000-8000-000000000001', held: new Set(permissionIds) } as unknown as Actor
const partitions = async (): Promise<string[]> =>
  (
    await sql<{ name: string }>`select inhrelid::regclass::text as name from pg_inherits
      where inhparent = 'audit_events'::regclass order by 1`.execute(server.owner)
  ).rows.map(({ name }) => name)
/** First days of the next months, as `2026_01`. */
const nextMonths = (count: number): string[] => {
  const now = new Date()
  return Array.from({ length: count }, (_, n) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + n + 1, 1)).toISOString().slice(0, 7).replace('-', '_'),
  )
}
const opened = (plan: string): string[] => [
  ...new Set([...plan.matchAll(/"Relation Name":"(audit_events_[a-z0-9_]+)"/g)].map(([, name]) => name as string)),
]

test('events are in monthly partitions made three months ahead; older ones share one partition', async () => {
  const coming = nextMonths(3).map((month) => `audit_events_${month}`)
  expect(await partitions()).toEqual(expect.arrayContaining(['audit_events_before', ...coming]))
  const last = coming[2] as string
  await sql`drop table ${sql.ref(last)}`.execute(server.owner)
  await sql`delete from monthly_partitions where parent = 'audit_events'
    and month >= ${`${nextMonths(3)[2]?.replace('_', '-')}-01`}`.execute(server.owner)
  await moveInvoices({ db: server.db }, { today: '2026-03-02' })
  expect(await partitions()).toContain(last)
  const there = await partitions()
  await moveInvoices({ db: server.db }, { today: '2031-03-02' })
  expect(await partitions()).toEqual(there)
  await expect(sql`select * from ${sql.ref(last)}`.execute(server.db)).rejects.toThrow('permission denied')
})

test('paging opens no partition newer than its cursor, and an old month can be detached', async () => {
  const [first, second] = nextMonths(2) as [string, string]
  const at = (month: string) => sql`${`${month.replace('_', '-')}-10`}::timestamptz`
  for (const when of [sql`now() - interval '1 day'`, at(first), at(second)])
    await sql`insert into audit_events (at, actor_id, actor_name, intent, entity, entity_id, status, text, version)
      select ${when} + n * interval '1 minute', 'x', 'X', 'x', 'organization', '7', 'Changed', n::text, 1 from generate_series(1, 300) n`.execute(
      server.db,
    )
  const query = listAuditEvents.query.parse({ limit: '50', record: '7' })
  const read = async (place: Position | null) => {
    let next: Position | null = null
    const seen: string[] = []
    await planOf(server, async (tx) => {
      const page = await pageOfAudit({ tx, actor }, query, place)
      next = page.next
      seen.push(...page.rows.map((event) => event.text as string))
    })
    return { next, seen }
  }
  const all: string[] = []
  let place: Position | null = null
  do {
    const page: { next: Position | null; seen: string[] } = await read(place)
    all.push(...page.seen)
    place = page.next
  } while (place)
  const month = Array.from({ length: 300 }, (_, n) => String(300 - n))
  expect(all).toEqual([...month, ...month, ...month])

  const { rows } = await sql<{
    at: string
    id: number
  }>`select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at, id
    from audit_events where entity_id = '7' order by at desc offset 450 limit 1`.execute(server.db)
  const [middle] = rows as [{ at: string; id: number }]
  const { plan } = await planOf(server, (tx) =>
    eventsOf(tx, [{ entity: 'organization', id: '7' }], { limit: 50, before: middle }),
  )
  expect(opened(plan)).toContain(`audit_events_${first}`)
  expect(opened(plan)).not.toContain(`audit_events_${second}`)

  await sql`alter table audit_events detach partition audit_events_before`.execute(server.owner)
  const kept = await read(null)
  expect(kept.seen).toEqual(month.slice(0, 50))
  const { events } = await eventsOf(server.db as unknown as Tx, [{ entity: 'organization', id: '7' }], {
    limit: 1_000,
    before: null,
  })
  expect(events).toHaveLength(600)
})
