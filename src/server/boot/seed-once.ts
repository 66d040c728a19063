import { CannotStart, codeOf } from '#server/cannot-start.ts'
import { businessDate } from '#server/tables/business-date.ts'
import type { OpenDatabase } from '#server/boot/open-database.ts'
import { kyselyOn, openPool } from '#server/postgres/connect.ts'
import { oneAtATime } from '#server/postgres/guard.ts'
import type { Tx } from '#server/tables/database.ts'
import { seedDemo } from '#server/seed/demo.ts'
import type { Settings } from '#server/boot/settings.ts'
import { putSetting, settingOf } from '#server/tables/setting.ts'

const seedLock = 4_184_002

/** Fills a new database once, whoever of several processes is first; answers what it was filled with. */
export async function seedOnce(settings: Settings, { db, ownerUrl }: OpenDatabase, say: (line: string) => void): Promise<string> {
  const found = await settingOf(db, 'seed')
  if (found !== null) return found
  return oneAtATime(db, seedLock, async () => {
    const meanwhile = await settingOf(db, 'seed')
    if (meanwhile !== null) return meanwhile
    if (settings.seed === 'none') {
      await putSetting(db, 'seed', 'none')
      return 'none'
    }
    say(`Making the demo company with ${settings.employees.toLocaleString('en-US')} employees. This is done once.`)
    const pool = openPool({
      url: ownerUrl,
      name: 'admin-portal seed',
      businessTimeZone: settings.businessTimeZone,
      statementTimeout: 0,
      connections: 2,
    })
    const patient = kyselyOn(pool)
    try {
      const today = await businessDate(patient as unknown as Tx)
      await seedDemo(patient, { employees: settings.employees, invoices: settings.invoices, today })
    } catch (error) {
      if (codeOf(error) !== '42501') throw error
      throw new CannotStart(
        'The role of DATABASE_URL may not make the demo company: set MIGRATION_DATABASE_URL to the role that owns the database, or SEED=none.',
      )
    } finally {
      await patient.destroy()
      if (!pool.ended) await pool.end()
    }
    return 'demo'
  })
}
