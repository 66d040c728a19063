import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { stopCluster } from '#server/postgres/cluster.ts'
import { kyselyOn, openPool } from '#server/postgres/connect.ts'
import { applicationRole, ownerRole } from '#server/postgres/roles.ts'
import { stepsLeft } from '#server/tables/later-steps.ts'
import type { Measure } from '#tests/bench/figures.ts'
import { createPerson } from '#tests/support/people.ts'
import { type ServerProcess, startProcess } from '#tests/support/process.ts'
import { signInAs } from '#tests/support/sign-in.ts'
import { startPrimary, startStandby } from '#tests/support/standby.ts'

const database = 'portal'
const atOnce = 16
const pagesEach = 40
const rounds = 5

/**
 * Pages of the employees list per second by 16 clients, from a server with one database and from one that also reads on a standby,
 * in turns. On one machine both databases share its processors: the figure is the cost, not the gain.
 */
export async function benchReplicas(employees: number): Promise<Measure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'admin-portal-bench-'))
  const servers: ServerProcess[] = []
  const primary = await startPrimary(join(folder, 'primary'), database)
  const clusters = [primary]
  try {
    const urls = {
      DATABASE_URL: primary.url(database, applicationRole),
      MIGRATION_DATABASE_URL: primary.url(database, ownerRole),
      EMPLOYEES: String(employees),
      NODE_ENV: 'production',
    }
    const start = (settings: Record<string, string>): ServerProcess => {
      const server = startProcess({ ...urls, ...settings })
      servers.push(server)
      return server
    }
    const one = start({})
    const origin = await one.ready
    const at = { url: urls.MIGRATION_DATABASE_URL, name: 'bench', businessTimeZone: 'UTC', statementTimeout: 0, connections: 1 }
    const db = kyselyOn(openPool(at))
    while ((await stepsLeft(db)).length > 0) await sleep(100)
    const headers = await signInAs({ origin, db }, await createPerson(db, { groups: [1] }))
    await db.destroy()
    const standby = await startStandby(primary, join(folder, 'standby'))
    clusters.push(standby)
    const two = start({ READ_DATABASE_URL: standby.url(database, applicationRole), METRICS_PORT: '0' })
    const origins = { one: origin, two: await two.ready }
    const metrics = await two.printed(/Metrics: (\S+)/)
    const page = async (from: string): Promise<void> => {
      const reply = await fetch(`${from}/api/employees?limit=33`, { headers })
      if (!reply.ok) throw new Error(`A page answered ${reply.status}: ${await reply.text()}`)
      await reply.arrayBuffer()
    }
    const perSecond = async (from: string): Promise<number> => {
      const since = performance.now()
      const client = async () => {
        for (let count = 0; count < pagesEach; count += 1) await page(from)
      }
      await Promise.all(Array.from({ length: atOnce }, client))
      return (atOnce * pagesEach * 1_000) / (performance.now() - since)
    }
    const rates: Record<keyof typeof origins, number[]> = { one: [], two: [] }
    for (let round = 0; round <= rounds; round += 1)
      for (const each of ['one', 'two'] as const) {
        const rate = await perSecond(origins[each])
        // The first round warms up.
        if (round > 0) rates[each].push(rate)
      }
    const median = (values: number[]) => values.sort((a, b) => a - b)[rounds >> 1] ?? Number.NaN
    const text = await (await fetch(metrics)).text()
    const reads = (place: string) => Number(new RegExp(`reads_total{place="${place}"} (\\d+)`).exec(text)?.[1])
    const [alone, both] = [median(rates.one), median(rates.two)]
    return [
      { what: `list pages with one database, ${atOnce} clients`, value: alone, unit: 'per second', budget: null, detail: rates },
      { what: 'the same with a standby on the same machine', value: both, unit: 'per second', budget: null },
      { what: 'the latter / the former', value: both / alone, unit: 'times', budget: null },
      { what: 'of these, read on the standby', value: reads('replica'), unit: 'rows', budget: null },
      { what: 'of these, read on the primary', value: reads('primary'), unit: 'rows', budget: null },
    ]
  } finally {
    for (const { child } of servers) child.kill('SIGTERM')
    for (const { ended } of servers) await ended
    for (const { folder: each } of clusters) await stopCluster(each)
    rmSync(folder, { recursive: true, force: true })
  }
}
