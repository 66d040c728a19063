// npm run distribute [-- --yes]: distributes the big tables of a PostgreSQL with Citus by organization, as the role that owns them
// (docs/operations.md).
import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import { distribute, type Distribution, planDistribution } from '#server/boot/distribute.ts'
import { settingsFrom } from '#server/boot/settings.ts'
import { CannotStart, messageOf } from '#server/cannot-start.ts'
import { checkServer, connectTo } from '#server/postgres/connect.ts'
import { nameOf } from '#server/postgres/hosts.ts'
import { wholeNumber } from '#domain/text.ts'

const word = 'distribute'

function isAgreed(): boolean {
  try {
    return parseArgs({ options: { yes: { type: 'boolean', default: false } } }).values.yes
  } catch (error) {
    throw new CannotStart(`${messageOf(error).replace(/\.?$/, '.')} Use: npm run distribute -- --yes`)
  }
}

/** What will be done, in the order in which it is. */
function describe({ workers, tables, unfinished }: Distribution): string[] {
  if (workers === null)
    return ['Citus is installed: its extension is made in this database, and then the workers have to be added.']
  const on = workers === 1 ? 'one worker' : `${workers} workers`
  const listed = (kind: 'reference' | 'distributed') =>
    tables
      .filter((table) => table.kind === kind)
      .map(({ name, size, rows }) => `  ${name}: ${size}, about ${wholeNumber(rows)} rows`)
  const [whole, parts] = [listed('reference'), listed('distributed')]
  return [
    ...(unfinished ? ['An earlier run was interrupted: this one goes on.'] : []),
    ...(tables.length > 0 ? ['Keys that only the last release needs, foreign keys and triggers are dropped.'] : []),
    ...(whole.length > 0 ? [`Whole on the coordinator and on ${on}, in this order:`, ...whole] : []),
    ...(parts.length > 0 ? [`Divided by organization between ${on}, in this order:`, ...parts] : []),
    'Then the foreign keys and the triggers that remain are made again.',
    ...(tables.length > 0
      ? ['Make a backup first: there is no way back but one table after the other, by `undistribute_table`.']
      : []),
  ]
}

async function ask(): Promise<void> {
  if (!process.stdin.isTTY) throw new CannotStart('Nothing was changed: run it with --yes to go on without a question.')
  const line = createInterface({ input: process.stdin, output: process.stdout })
  const answer = await line.question(`Type ${word} to go on: `)
  line.close()
  if (answer.trim() !== word) throw new CannotStart('Nothing was changed.')
}

async function run(): Promise<void> {
  const yes = isAgreed()
  const { databaseUrl, migrationDatabaseUrl, businessTimeZone } = settingsFrom(process.env)
  const url = migrationDatabaseUrl ?? databaseUrl
  if (!url)
    throw new CannotStart(
      'Set DATABASE_URL to the coordinator, and MIGRATION_DATABASE_URL to it with the role that owns the tables.',
    )
  const {
    db: owner,
    pool,
    end,
  } = connectTo({
    url,
    name: 'admin-portal distribute',
    businessTimeZone,
    statementTimeout: 0,
    connections: 2,
  })
  try {
    await checkServer(pool, nameOf(url), migrationDatabaseUrl ? 'MIGRATION_DATABASE_URL' : 'DATABASE_URL')
    const plan = await planDistribution(owner)
    if (plan.tables.length > 0 || plan.unfinished) {
      for (const line of describe(plan)) console.log(line)
      if (!yes) await ask()
      await distribute(owner, (line) => console.log(line))
    }
    console.log('All tables are where they belong.')
  } finally {
    await end()
  }
}

try {
  await run()
} catch (error) {
  if (!(error instanceof CannotStart)) throw error
  console.error(error.message)
  process.exitCode = 1
}
