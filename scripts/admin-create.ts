// npm run admin:create -- --email ada@example.com --name 'Ada Admin' [--group super-admin]: an admin with a set-up link.
import { parseArgs } from 'node:util'
import { email as emailField } from '#contract/fields.ts'
import { createAdmin } from '#server/auth/create-admin.ts'
import { authSettingsOf } from '#server/auth/settings.ts'
import { CannotStart, messageOf } from '#server/cannot-start.ts'
import { openDatabase } from '#server/boot/open-database.ts'
import { settingsFrom } from '#server/boot/settings.ts'

const usage = "npm run admin:create -- --email ada@example.com --name 'Ada Admin' [--group super-admin]"

function given(): { email: string; name: string; group: string | undefined } {
  const { values } = readOptions()
  const email = emailField().safeParse(values.email)
  if (!email.success) throw new CannotStart(`${email.error.issues[0]?.message}: ${usage}`)
  const name = values.name?.trim()
  if (!name || name.length > 200) throw new CannotStart(`A name of at most 200 characters is required: ${usage}`)
  return { email: email.data, name, group: values.group }
}

function readOptions() {
  try {
    return parseArgs({ options: { email: { type: 'string' }, name: { type: 'string' }, group: { type: 'string' } } })
  } catch (error) {
    throw new CannotStart(`${messageOf(error).replace(/\.?$/, '.')} Use: ${usage}`)
  }
}

try {
  const admin = given()
  const settings = settingsFrom(process.env)
  const database = await openDatabase(settings)
  try {
    const link = await database.db
      .transaction()
      .execute((tx) => createAdmin(tx, admin, authSettingsOf(settings, false), new Date()))
    console.log(`${admin.name} chooses a password here, once and within 72 hours:\n\n  ${link}\n`)
  } finally {
    await database.close()
  }
} catch (error) {
  if (!(error instanceof CannotStart)) throw error
  console.error(error.message)
  process.exitCode = 1
}
