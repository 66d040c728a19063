// npm run migrate: brings the database up to date, and grants the server's role what it needs, without serving. With --finish it
// also takes the later steps of the upgrade, which otherwise a server takes after its start.
import { openDatabase } from '#server/boot/open-database.ts'
import { settingsFrom } from '#server/boot/settings.ts'
import { CannotStart } from '#server/cannot-start.ts'
import { connectTo } from '#server/postgres/connect.ts'
import { stepsLeft, takeLaterSteps } from '#server/tables/later-steps.ts'

try {
  const settings = settingsFrom(process.env)
  const database = await openDatabase(settings)
  if (process.argv.includes('--finish')) {
    const { businessTimeZone } = settings
    const at = { url: database.ownerUrl, name: 'admin-portal later', businessTimeZone, statementTimeout: 0, connections: 1 }
    const { db: owner, end } = connectTo(at)
    await takeLaterSteps(owner)
    await end()
  }
  const remaining = (await stepsLeft(database.db)).length
  await database.close()
  console.log(
    remaining === 0
      ? 'The database is up to date.'
      : `The database is up to date. Later steps, which a server takes after its start: ${remaining}.`,
  )
} catch (error) {
  if (!(error instanceof CannotStart)) throw error
  console.error(error.message)
  process.exitCode = 1
}
