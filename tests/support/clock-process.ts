// A separate process that runs one round of the clock on the database at the given URL, and sends its summary to its parent.
import { moveInvoices } from '#server/money/billing/clock.ts'
import { kyselyOn, openPool } from '#server/postgres/connect.ts'

const pool = openPool({
  url: process.argv[2] as string,
  name: 'clock',
  businessTimeZone: 'America/New_York',
  statementTimeout: 30_000,
  connections: 5,
})
process.send?.(await moveInvoices({ db: kyselyOn(pool) }))
await pool.end()
process.disconnect?.()
