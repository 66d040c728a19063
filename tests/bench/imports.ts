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

const people = 100_000
/** Entries of a timekeeping file: 10,000 people over a pay period of 30 days. */
const entries = { people: 10_000, days: 30 }
const rounds = 3

/** The lines of an employee file, without the header. */
const employeeLines = (prefix: string, rate: number): string =>
  Array.from(
    { length: people },
    (_, at) => `${prefix}-${at},Ann${at % 977},Lee${at % 3331},Active,${rate}.50,2024-0${1 + (at % 9)}-11\n`,
  ).join('')

const dayBefore = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

/** The lines of a timekeeping file, without the header, ordered by day as payroll programs write them. */
const timeLines = (prefix: string): string => {
  const lines: string[] = []
  for (let day = 1; day <= entries.days; day += 1)
    for (let at = 0; at < entries.people; at += 1) lines.push(`${prefix}-${at},${dayBefore(day)},${6 + (at % 5) / 2}\n`)
  return lines.join('')
}

/**
 * Copies `text` into a temporary table with the given columns and runs `insert` from it, in one transaction; returns
 * milliseconds.
 */
async function byCopy(
  url: string,
  { text, columns, insert }: { text: string; columns: string; insert: string },
): Promise<number> {
  const client = new Client({ connectionString: url, options: '-c jit=off' })
  await client.connect()
  try {
    const from = performance.now()
    await client.query('begin')
    await client.query(`create temp table copied (${columns}) on commit drop`)
    await pipeline(Readable.from([text]), client.query(copyFrom('copy copied from stdin with (format csv)')))
    await client.query(insert)
    await client.query('commit')
    return performance.now() - from
  } finally {
    await client.end()
  }
}

/** Milliseconds between two changes by staff to employees of the employer whose file is imported. */
const staffEvery = 2_000
/** Every tenth employee has a user. Staff pause, resume and unlink these employees. */
const linkUsers = `with added as (
    insert into users (brand, first_name, last_name, email, status)
    select 'DAYLINE', 'Ann', 'Lee', 'bench' || id || '@example.com', 'ACTIVE' from employees where employer_id = $1 and id % 10 = 0
    returning id, email)
  update employees e set user_id = added.id, status = 'ACTIVE' from added where added.email = 'bench' || e.id || '@example.com'`

/**
 * Changes an employee repeatedly, as staff do, until stopped. Returns the longest duration in milliseconds: how long staff wait
 * who change an employee while the file is imported.
 */
async function changeRepeatedly(url: string, employerId: number): Promise<() => Promise<number>> {
  const client = new Client({ connectionString: url, options: '-c jit=off' })
  await client.connect()
  const { rows } = await client.query<{ id: string }>(
    'select id from employees where employer_id = $1 and user_id is not null order by md5(id::text) limit 1000',
    [employerId],
  )
  const over = new AbortController()
  const run = async (): Promise<number> => {
    let maxWait = 0
    for (let at = 0; !over.signal.aborted && at < rows.length; at += 1) {
      const from = performance.now()
      await client.query('update employees set next_pay_date = next_pay_date where id = $1', [rows[at]?.id])
      maxWait = Math.max(maxWait, performance.now() - from)
      await sleep(staffEvery, null, { signal: over.signal }).catch(() => undefined)
    }
    return maxWait
  }
  const running = run()
  return async () => {
    over.abort()
    const maxWait = await running
    await client.end()
    return maxWait
  }
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** Two files of 100,000 employees (the second with other rates) and one of 300,000 time entries, alternating with COPY. */
export async function benchImports(origin: string, folder: string, times = rounds): Promise<Measure[]> {
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
    /**
     * Uploads a file and waits until it is imported; returns milliseconds since the end of the upload, and of the longest wait.
     */
    const upload = async (employer_id: number, name: string, text: string, expected: Record<string, number>) => {
      const content = Buffer.from(text).toString('base64')
      const stop = await changeRepeatedly(url, employer_id)
      const from = performance.now()
      const { id } = await ask('POST', '/imports', { employer_id, file: { name, content } })
      const uploaded = performance.now() - from
      for (;;) {
        const now = await ask('GET', `/imports/${id}`)
        if (now.status !== 'PENDING') {
          const took = performance.now() - from
          const maxWait = await stop()
          for (const [field, value] of Object.entries(expected))
            if (now[field] !== value) throw new Error(`The import has ${field} ${now[field]}: ${now.message}`)
          return { took, uploaded, maxWait, heldFor: now.held_for }
        }
        await sleep(50)
      }
    }
    const parts = ['created', 'changed', 'time'] as const
    const copied = { created: [] as number[], changed: [] as number[], time: [] as number[] }
    const imported = { created: [] as number[], changed: [] as number[], time: [] as number[] }
    const waited = { created: [] as number[], changed: [] as number[], time: [] as number[] }
    const note = (part: (typeof parts)[number], one: { took: number; maxWait: number }): void => {
      imported[part].push(one.took)
      waited[part].push(one.maxWait)
      console.log(part, JSON.stringify(one), 'copy', copied[part].at(-1))
    }
    for (let round = 0; round < times; round += 1) {
      const { organizationId, employerIds } = await createCompany(db, `Bench ${round} ${Date.now()}`, 2)
      const [employerId = 0, other = 0] = employerIds
      await sql`insert into configurations (organization_id, withdraw_limit_type, withdraw_limit_amount, withdraw_amount_max,
        daily_hours_limit) values (${organizationId}, 'PERCENTAGE', 5000, 300000, 12)`.execute(db)
      const map = (kind: string, file_name: string, fields: string[]) =>
        ask('POST', `/mappings/${kind}`, {
          employer_id: employerId,
          file_name,
          columns: fields.map((field) => ({ header: field, field })),
        })
      const fields = ['employee_code', 'first_name', 'last_name', 'status', 'rate', 'hire_date']
      await map('employees', 'bench_ee.csv', fields)
      const timeFields = ['employee_code', 'work_date', 'work_hours']
      await map('timekeepings', 'bench_tk.csv', timeFields)
      const prefix = `R${round}`
      const columns = 'code text, first text, last text, status text, rate numeric, hired date'
      const first = employeeLines(prefix, 21)
      copied.created.push(
        await byCopy(url, {
          text: first,
          columns,
          insert: `insert into employees (organization_id, employer_id, employee_code, first_name, last_name, status, flow, brand, rate_amount, pay_type,
              hire_date)
            select ${organizationId}, ${other}, code, first, last, 'ELIGIBLE', 'PAYROLL', 'DAYLINE', rate * 100, 'HOURLY', hired from copied`,
        }),
      )
      note('created', await upload(employerId, 'bench_ee.csv', `${fields}\n${first}`, { created: people }))
      await sql`${sql.raw(linkUsers.replace('$1', String(employerId)))}`.execute(db)
      const second = employeeLines(prefix, 23)
      copied.changed.push(
        await byCopy(url, {
          text: second,
          columns,
          insert: `update employees e set first_name = c.first, last_name = c.last, rate_amount = c.rate * 100, hire_date = c.hired,
              updated_at = now(), version = e.version + 1
            from copied c where e.employer_id = ${other} and e.employee_code = c.code`,
        }),
      )
      note('changed', await upload(employerId, 'bench_ee.csv', `${fields}\n${second}`, { changed: people }))
      const time = timeLines(prefix)
      copied.time.push(
        await byCopy(url, {
          text: time,
          columns: 'code text, day date, hours numeric',
          insert: `insert into time_entries (organization_id, employee_id, employer_id, work_date, minutes, earned_amount, status)
            select e.organization_id, e.id, e.employer_id, c.day, c.hours * 60, c.hours * e.hourly_amount, 'AUTO'
            from copied c join employees e on e.employer_id = ${other} and e.employee_code = c.code`,
        }),
      )
      note('time', await upload(employerId, 'bench_tk.csv', `${timeFields}\n${time}`, { created: entries.people * entries.days }))
    }
    const named = {
      created: { what: `import of ${people} new employees`, budget: 3 },
      changed: { what: `import of ${people} changed employees`, budget: 3 },
      time: { what: `import of ${entries.people * entries.days} time entries`, budget: 4 },
    }
    return parts.flatMap((part): Measure[] => {
      const { what, budget } = named[part]
      const detail = { copied: copied[part], imported: imported[part], waited: waited[part] }
      const ratio = median(imported[part].map((took, at) => took / (copied[part][at] ?? Number.NaN)))
      return [
        { what: `${what}, median of ${times}`, value: median(imported[part]), unit: 'ms', budget: null, detail },
        { what: `${what}, beside COPY`, value: ratio, unit: 'times', budget, detail },
        { what: `${what}, longest wait of staff`, value: Math.max(...waited[part]), unit: 'ms', budget: 1_000, detail },
      ]
    })
  } finally {
    await db.destroy()
  }
}
