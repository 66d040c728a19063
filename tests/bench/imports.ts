import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { Client } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { permissionIds } from '#domain/permissions.ts'
import { openCluster } from '#server/postgres/cluster.ts'
import { openPool } from '#server/postgres/connect.ts'
import type { Database } from '#server/tables/database.ts'
import type { Measure } from '#tests/bench/figures.ts'
import { createCompany } from '#tests/support/company.ts'
import { createPerson } from '#tests/support/people.ts'
import { signInAs } from '#tests/support/sign-in.ts'

const lines = 100_000
const rounds = 3

/** The lines of a file, without the first one. */
const rows = (round: number): string =>
  Array.from(
    { length: lines },
    (_, at) => `R${round}-${at},Ann${at % 977},Lee${at % 3331},Active,2150,2024-0${1 + (at % 9)}-11\n`,
  ).join('')

/** COPY into a table of its own, and one INSERT of it into the employees; milliseconds. */
async function byHand(url: string, employerId: number, text: string): Promise<number> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const began = performance.now()
    await client.query('begin')
    await client.query(
      'create temp table copied (code text, first text, last text, status text, rate bigint, hired date) on commit drop',
    )
    await pipeline(Readable.from([text]), client.query(copyFrom('copy copied from stdin with (format csv)')))
    await client.query(
      `insert into employees (employer_id, employee_code, first_name, last_name, status, flow, brand, rate_amount, pay_type, hire_date)
        select $1, code, first, last, 'ELIGIBLE', 'PAYROLL', 'DAYLINE', rate, 'HOURLY', hired from copied`,
      [employerId],
    )
    await client.query('commit')
    return performance.now() - began
  } finally {
    await client.end()
  }
}

const middle = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** A file of 100,000 new employees, uploaded and imported, beside the same rows by COPY and one INSERT, in turn. */
export async function benchImports(origin: string, folder: string): Promise<Measure[]> {
  const url = (await openCluster(folder)).url('admin_portal')
  const pool = openPool({ url, name: 'bench', businessTimeZone: 'America/New_York', statementTimeout: 0, connections: 2 })
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
  try {
    const headers = await signInAs({ origin, db }, await createPerson(db, { permissions: permissionIds }))
    const ask = async (method: string, path: string, body?: unknown) => {
      const reply = await fetch(`${origin}/api${path}`, {
        method,
        headers: { ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
      if (!reply.ok) throw new Error(`${method} ${path} answered ${reply.status}: ${await reply.text()}`)
      return reply.json()
    }
    const hand: number[] = []
    const imported: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      const { organizationId, employerIds } = await createCompany(db, `Bench ${round} ${Date.now()}`, 2)
      const [employerId = 0, other = 0] = employerIds
      await sql`insert into configurations (organization_id, withdraw_limit_type, withdraw_limit_amount, withdraw_amount_max)
        values (${organizationId}, 'PERCENTAGE', 5000, 300000)`.execute(db)
      const columns = ['employee_code', 'first_name', 'last_name', 'status', 'rate', 'hire_date'].map((field) => ({
        header: field,
        field,
      }))
      await ask('POST', '/mappings/employees', { employer_id: employerId, file_name: 'bench_ee.csv', columns })
      const text = rows(round)
      hand.push(await byHand(url, other, text))
      const content = Buffer.from(`employee_code,first_name,last_name,status,rate,hire_date\n${text}`).toString('base64')
      const began = performance.now()
      const { id } = await ask('POST', '/imports', { employer_id: employerId, file: { name: 'bench_ee.csv', content } })
      for (;;) {
        const now = await ask('GET', `/imports/${id}`)
        if (now.status === 'SUCCESS' && now.created === lines) break
        if (now.status !== 'PENDING') throw new Error(`The import ended as ${now.status}: ${now.message}`)
        await sleep(50)
      }
      imported.push(performance.now() - began)
    }
    const detail = { hand, imported }
    return [
      {
        what: `COPY and INSERT of ${lines} employees, median of ${rounds}`,
        value: middle(hand),
        unit: 'ms',
        budget: null,
        detail,
      },
      {
        what: `upload and import of ${lines} employees, median of ${rounds}`,
        value: middle(imported),
        unit: 'ms',
        budget: null,
        detail,
      },
      { what: 'import beside COPY and INSERT', value: middle(imported) / middle(hand), unit: 'times', budget: 3, detail },
    ]
  } finally {
    await db.destroy()
  }
}
