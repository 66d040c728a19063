import { type CompiledQuery, Kysely, PostgresDialect } from 'kysely'
import type { Database, Tx } from '#server/tables/database.ts'
import type { TestServer } from '#tests/support/server.ts'

interface Node {
  'Node Type': string
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  Plans?: Node[]
}

const blocksOf = (node: Node | undefined): number => (node ? node['Shared Hit Blocks'] + node['Shared Read Blocks'] : Number.NaN)

const limitIn = (node: Node): Node | undefined =>
  node['Node Type'] === 'Limit' ? node : (node.Plans ?? []).map(limitIn).find((found) => found !== undefined)

/** The statements that some work sends, which runs. */
async function statementsOf(server: TestServer, work: (tx: Tx) => Promise<unknown>): Promise<CompiledQuery[]> {
  const seen: CompiledQuery[] = []
  const logged = new Kysely<Database>({
    dialect: new PostgresDialect({ pool: server.pool }),
    log: ({ query }) => void seen.push(query as CompiledQuery),
  })
  await work(logged as unknown as Tx)
  return seen.filter(({ sql: text }) => !/^\s*explain/.test(text))
}

/** The plans as JSON of the prepared statements of some work, whatever their values. */
export async function genericPlansOf(server: TestServer, work: (tx: Tx) => Promise<unknown>): Promise<string> {
  const plans: unknown[] = []
  for (const { sql: text } of await statementsOf(server, work)) {
    const { rows } = await server.pool.query(`explain (generic_plan, format json) ${text.replace('/* prepared */', '')}`)
    plans.push(rows[0]['QUERY PLAN'][0].Plan)
  }
  return JSON.stringify(plans)
}

/**
 * How PostgreSQL executed the statements of some work: the number of blocks read, the number read to choose the rows of a page,
 * and the plans as JSON.
 */
export async function planOf(
  server: TestServer,
  work: (tx: Tx) => Promise<unknown>,
): Promise<{ blocks: number; chosen: number; plan: string }> {
  const plans: Node[] = []
  for (const { sql: text, parameters } of await statementsOf(server, work)) {
    const { rows } = await server.pool.query(`explain (analyze, buffers, format json) ${text}`, [...parameters])
    plans.push(rows[0]['QUERY PLAN'][0].Plan)
  }
  const chosen = plans.map(limitIn).findLast((node) => node !== undefined)
  return { blocks: plans.reduce((sum, plan) => sum + blocksOf(plan), 0), chosen: blocksOf(chosen), plan: JSON.stringify(plans) }
}
