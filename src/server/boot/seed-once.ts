import { type Kysely, sql } from 'kysely'
import { CannotStart, codeOf } from '#server/cannot-start.ts'
import { HalfMade, inProgress, seedLock } from '#server/boot/half-made.ts'
import { businessDate } from '#server/tables/business-date.ts'
import type { OpenDatabase } from '#server/boot/open-database.ts'
import { connectTo } from '#server/postgres/connect.ts'
import { oneAtATime } from '#server/postgres/guard.ts'
import type { Database, Tx } from '#server/tables/database.ts'
import { seedDemo } from '#server/seed/demo.ts'
import type { Settings } from '#server/boot/settings.ts'
import { putSetting, settingOf } from '#server/tables/setting.ts'
import { wholeNumber } from '#domain/text.ts'

/**
 * Fills a new database once, when several processes start together; returns what it was filled with. Throws HalfMade when the
 * process that started filling it is gone.
 */
export async function seedOnce(
  settings: Settings,
  { db, ownerUrl, embedded }: OpenDatabase,
  print: (line: string) => void,
): Promise<string> {
  const found = await settingOf(db, 'seed')
  if (found !== null && found !== inProgress) return found
  return oneAtATime(db, seedLock, async () => {
    const meanwhile = await settingOf(db, 'seed')
    if (meanwhile === inProgress) throw new HalfMade()
    if (meanwhile !== null) return meanwhile
    if (settings.seed === 'none') {
      await putSetting(db, 'seed', 'none')
      return 'none'
    }
    print(`Making the demo company with ${wholeNumber(settings.employees)} employees. This is done once.`)
    const { db: patient, end } = connectTo({
      url: ownerUrl,
      name: 'admin-portal seed',
      businessTimeZone: settings.businessTimeZone,
      statementTimeout: 0,
      connections: 2,
    })
    try {
      const today = await businessDate(patient as unknown as Tx)
      // A database with more content than the schema must not be dropped.
      const inSteps = embedded && !(await hasPeople(db))
      if (inSteps) await putSetting(db, 'seed', inProgress)
      await seedDemo(patient, { employees: settings.employees, invoices: settings.invoices, today }, { inSteps })
    } catch (error) {
      if (codeOf(error) !== '42501') throw error
      throw new CannotStart(
        'The role of DATABASE_URL may not make the demo company: set MIGRATION_DATABASE_URL to the role that owns the database, or SEED=none.',
      )
    } finally {
      await end()
    }
    return 'demo'
  })
}

/** Whether somebody was added as an admin before. */
const hasPeople = async (db: Kysely<Database>): Promise<boolean> =>
  (await sql<{ there: boolean }>`select exists (select from people) as there`.execute(db)).rows[0]?.there ?? false
