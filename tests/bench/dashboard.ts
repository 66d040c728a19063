import { Kysely, PostgresDialect, sql } from 'kysely'
import { permissionIds } from '#domain/permissions.ts'
import { countDashboardLock } from '#server/jobs/count-dashboard.ts'
import { openCluster } from '#server/postgres/cluster.ts'
import { openPool } from '#server/postgres/connect.ts'
import { countFigures } from '#server/tables/count-figures.ts'
import type { Database } from '#server/tables/database.ts'
import { figuresOf, type Measure, timed } from '#tests/bench/figures.ts'
import { createPerson } from '#tests/support/people.ts'
import { signInAs } from '#tests/support/sign-in.ts'

const million = 1_000_000
const times = 300
const rounds = 5

/**
 * The dashboard call over at least that many invoices, for an admin and for account managers with all and with few employers, and
 * the cost of counting.
 */
export async function benchDashboard(origin: string, folder: string, invoices = million): Promise<Measure[]> {
  const url = (await openCluster(folder)).url('admin_portal')
  const pool = openPool({ url, name: 'bench', businessTimeZone: 'America/New_York', statementTimeout: 0, connections: 2 })
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
  try {
    await copyInvoices(db, invoices)
    const counting = await db.connection().execute(async (guard) => {
      await sql`select pg_advisory_lock(${countDashboardLock})`.execute(guard)
      const taken = await timed(rounds, () => countFigures(db))
      await sql`select pg_advisory_unlock(${countDashboardLock})`.execute(guard)
      return figuresOf(taken)
    })
    const { rows } = await sql<{ organizations: number[]; figures: number; invoices: number }>`select
      (select array_agg(id order by id) from organizations) as organizations,
      (select count(*)::int from dashboard_figures) as figures, (select count(*)::int from invoices) as invoices`.execute(db)
    const [found] = rows
    const all = found?.organizations ?? []
    const askedBy = async (granted: readonly number[] | null): Promise<number[]> => {
      const grants = granted?.map((organizationId) => ({ organizationId })) ?? []
      const kind = granted ? 'ACCOUNT_MANAGER' : 'ADMIN'
      const headers = await signInAs({ origin, db }, await createPerson(db, { kind, grants, permissions: permissionIds }))
      const ask = async () => {
        const reply = await fetch(`${origin}/api/dashboard/summary`, { headers })
        if (!reply.ok) throw new Error(`The dashboard answered ${reply.status}: ${await reply.text()}`)
        await reply.arrayBuffer()
      }
      await timed(20, ask)
      return timed(times, ask)
    }
    const of = async (who: string, granted: readonly number[] | null): Promise<Measure> => {
      const figures = figuresOf(await askedBy(granted))
      return { what: `dashboard over HTTP, ${who}, p95`, value: figures.p95, unit: 'ms', budget: 100, detail: figures }
    }
    return [
      { what: 'invoices', value: found?.invoices ?? 0, unit: 'rows', budget: null },
      { what: 'stored figures', value: found?.figures ?? 0, unit: 'rows', budget: null },
      { what: 'counting them in the background, p50', value: counting.p50, unit: 'ms', budget: null, detail: counting },
      await of('admin', null),
      await of('account manager of 3 organizations', all.slice(0, 3)),
      await of(`account manager of all ${all.length} organizations`, all),
    ]
  } finally {
    await db.destroy()
  }
}

/** Copies the existing invoices, without lines, until there are that many. */
async function copyInvoices(db: Kysely<Database>, invoices: number): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ missing: number }>`select ${invoices} - count(*)::int as missing from invoices`.execute(db)
    const missing = rows[0]?.missing ?? 0
    if (missing <= 0) break
    await sql`
      with copied as (
        insert into invoices (organization_id, employer_id, debtor_type, debtor_id, status, company_code, payment_method, period_start, period_end,
          issue_date, report_date, due_date, closed_at)
        select organization_id, employer_id, debtor_type, debtor_id, status, company_code, payment_method, period_start, period_end, issue_date,
          report_date, due_date - (random() * 700)::int, closed_at from invoices where status <> 'DRAFT' limit ${Math.min(missing, 200_000)} returning id, organization_id, status)
      insert into ledger_entries (organization_id, invoice_id, kind, amount, actor_id, actor_name)
      select organization_id, id, kind, case kind when 'ORIGINAL' then 20000 else 18000 end, 'service', 'System' from copied
      cross join (values ('ORIGINAL'), ('PAYMENT')) as entry (kind) where kind = 'ORIGINAL' or status = 'CLOSED'`.execute(db)
  }
  await sql`analyze`.execute(db).catch(() => {})
}
