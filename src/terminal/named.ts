import { Refusal } from '#kernel/api-client.ts'
import { searchParameter } from '#kernel/capabilities.ts'
import type { FindRecord, Named, RefersTo } from '#kernel/sentence/arguments.ts'
import { namedIn } from '#kernel/sentence/named.ts'
import { type Connection, readRecord } from '#terminal/connection.ts'
import { entityByName } from '#terminal/registry.ts'
import { stopBy } from '#terminal/stop.ts'

/** What `read` returns once every record that it asks for is known. */
export async function onceKnown<T>(connection: Connection, read: (find: FindRecord) => T): Promise<T> {
  const known = new Map<string, readonly Named[]>()
  for (;;) {
    const asked = new Map<string, { field: RefersTo; name: string }>()
    const result = read((field, name) => {
      const key = JSON.stringify([field.entity, field.within, name])
      if (!known.has(key)) asked.set(key, { field, name })
      return known.get(key)
    })
    if (!asked.size) return result
    for (const [key, { field, name }] of asked) known.set(key, await recordsNamed(connection, field, name))
  }
}

/** Maximum number of records that an ambiguous name is answered with. */
export const maxOffered = 5

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
