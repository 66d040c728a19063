import { Refusal } from '#kernel/api-client.ts'
import { searchParameter } from '#kernel/capabilities.ts'
import type { Named, RefersTo } from '#kernel/sentence/arguments.ts'
import { namedIn } from '#kernel/sentence/named.ts'
import { type Connection, readRecord } from '#terminal/connection.ts'
import { entityByName } from '#terminal/registry.ts'
import { stopBy } from '#terminal/stop.ts'

/** Maximum number of records searched for by a name. */
const maxFound = 20

/** The records that a name or an id stands for in a field that refers to one; none if there is no such record. */
export async function recordsNamed(connection: Connection, field: RefersTo, name: string): Promise<readonly Named[]> {
  const entity = entityByName(field.entity ?? '')
  const { client, context } = connection
  const id = entity.ids.read(name)
  const by = searchParameter(context.supports, entity.list)
  try {
    if (id !== null) return namedIn(entity, [await readRecord(connection, entity, id)], id)
    if (by === null) return []
    const query = { ...entity.query, ...field.within, [by]: name, limit: String(maxFound) }
    return namedIn(entity, entity.rows((await client.read(entity.list, {}, query)) as never), name)
  } catch (error) {
    if (error instanceof Refusal && [400, 403, 404, 422].includes(error.problem.status)) return []
    throw stopBy(error, `The ${entity.many} could not be searched.`)
  }
}
