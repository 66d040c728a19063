// npm run demo:advance -- --days 3: advances the demo's business date day by day, with all effects of time on invoices.
import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { moveInvoices, type Summary } from '#server/money/billing/clock.ts'
import { CannotStart } from '#server/cannot-start.ts'
import { businessDate } from '#server/tables/business-date.ts'
import { openDatabase } from '#server/boot/open-database.ts'
import type { Tx } from '#server/tables/database.ts'
import { settingsFrom } from '#server/boot/settings.ts'
import { settingOf } from '#server/tables/setting.ts'

const noDemo = 'There is no demo company here: run npm start first, without SEED=none.'
const usage = 'Say how many days, from 1 to 366: npm run demo:advance -- --days 3'
const columns: (keyof Summary)[] = [
  'reported',
  'approved',
  'delivered',
  'sent',
  'scheduled',
  'submitted',
  'settled',
  'returned',
  'dishonored',
  'unmatched',
  'drafted',
  'extended',
  'failed',
]

function daysAskedFor(): number {
  let given: string | undefined
  try {
    given = parseArgs({ options: { days: { type: 'string', default: '1' } } }).values.days
  } catch {
    throw new CannotStart(usage)
  }
  const days = Number(given)
  if (!Number.isInteger(days) || days < 1 || days > 366) throw new CannotStart(usage)
  return days
}

try {
  const days = daysAskedFor()
  const settings = settingsFrom(process.env)
  if (!settings.databaseUrl && !existsSync(settings.dataFolder)) throw new CannotStart(noDemo)
  const database = await openDatabase(settings)
  try {
    const { db } = database.background
    if ((await settingOf(db, 'seed')) !== 'demo') throw new CannotStart(noDemo)
    const line = (cells: (string | number)[]) => console.log(cells.map((cell) => String(cell).padStart(10)).join(' '))
    line(['date', ...columns])
    for (let day = 0; day < days; day += 1) {
      await sql`update settings set value = (value::int + 1)::text where name = 'demo-offset-days'`.execute(db)
      const today = await businessDate(db as unknown as Tx)
      const done = await moveInvoices({ db }, { report: (error) => console.error(error) })
      line([today, ...columns.map((column) => done[column])])
    }
  } finally {
    await database.close()
  }
} catch (error) {
  if (!(error instanceof CannotStart)) throw error
  console.error(error.message)
  process.exitCode = 1
}
