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

/**
 * How PostgreSQL carried out the last statement of some work: the blocks that it read, those of them by which the rows of a
 * page were chosen, and its plan as JSON.
 */
export async function planOf(
  server: TestServer,
  work: (tx: Tx) => Promise<unknown>,
): Promise<{ blocks: number; chosen: number; plan: string }> {
  const seen: CompiledQuery[] = []
  const logged = new Kysely<Database>({
    dialect: new PostgresDialect({ pool: server.pool }),
    log: ({ query }) => void seen.push(query as CompiledQuery),
  })
  await work(logged as unknown as Tx)
  const { sql: text, parameters } = seen.at(-1) as CompiledQuery
  const { rows } = await server.pool.query(`explain (analyze, buffers, format json) ${text}`, [...parameters])
  const { Plan: plan } = rows[0]['QUERY PLAN'][0]
  return { blocks: blocksOf(plan), chosen: blocksOf(limitIn(plan)), plan: JSON.stringify(plan) }
}
