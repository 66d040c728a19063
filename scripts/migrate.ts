// npm run migrate: brings the database up to date, and grants the server's role what it needs, without serving.
import { openDatabase } from '#server/boot/open-database.ts'
import { settingsFrom } from '#server/boot/settings.ts'
import { CannotStart } from '#server/cannot-start.ts'

try {
  const database = await openDatabase(settingsFrom(process.env))
  await database.close()
  console.log('The database is up to date.')
} catch (error) {
  if (!(error instanceof CannotStart)) throw error
  console.error(error.message)
  process.exitCode = 1
}
