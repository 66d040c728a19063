// npm run demo:code [email]: the demo accounts, each with its next unused two-factor code.
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { demoAccounts } from '#server/auth/demo-accounts.ts'
import { openSealingKey } from '#server/auth/sealing.ts'
import { CannotStart } from '#server/cannot-start.ts'
import { openDatabase } from '#server/boot/open-database.ts'
import { settingsFrom } from '#server/boot/settings.ts'
import { settingOf } from '#server/tables/setting.ts'

const noDemo = 'There is no demo company here: run npm start first, without SEED=none.'

try {
  const settings = settingsFrom(process.env)
  const email = process.argv[2]?.trim().toLowerCase()
  if (!settings.databaseUrl && !existsSync(settings.dataFolder)) throw new CannotStart(noDemo)
  const database = await openDatabase(settings)
  try {
    if ((await settingOf(database.db, 'seed')) !== 'demo') throw new CannotStart(noDemo)
    const { accounts } = await demoAccounts(database.db, await openSealingKey(database.db, settings), new Date())
    const chosen = accounts.filter((account) => email === undefined || account.email === email)
    if (chosen.length === 0)
      throw new CannotStart(`There is no demo account ${email}: use ${accounts.map((account) => account.email).join(', ')}.`)
    for (const account of chosen) {
      if (email && account.wait > 0) {
        console.log(`The last codes were used; the next one is good in ${account.wait} s.`)
        await sleep(account.wait * 1000)
      }
      const code =
        account.code === null
          ? 'no authenticator yet'
          : account.wait > 0 && !email
            ? `${account.code} good in ${account.wait} s`
            : `${account.code} good for ${account.seconds} s`
      console.log(`${account.email.padEnd(26)} ${account.password}  ${code}`)
    }
  } finally {
    await database.close()
  }
} catch (error) {
  if (!(error instanceof CannotStart)) throw error
  console.error(error.message)
  process.exitCode = 1
}
