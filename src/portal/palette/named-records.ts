import type { AnyEntity } from '#kernel/entity.ts'
import { fold } from '#kernel/fold.ts'
import type { FindRecord, Named } from '#kernel/sentence/arguments.ts'
import { namedIn } from '#kernel/sentence/named.ts'
import { apiClient } from '#portal/api/client.ts'
import { entityByName } from '#portal/platform/registry.ts'
import { upsertRecords } from '#portal/records/entity-store.ts'
import { readOne } from '#portal/records/read-one.ts'
import { suggestQuery } from '#portal/records/suggest.ts'
import { readAgain } from '#portal/palette/sentences.ts'

interface Wanted {
  entity: AnyEntity
  words: string
  within: Readonly<Record<string, string>> | undefined
}

const answers = new Map<string, readonly Named[]>()
/** The names in the current text that have not been searched for. */
const wanted = new Map<string, Wanted>()
let inFlight: AbortController | undefined

/** The records that a name in a sentence stands for; a name that is not known yet is searched for by `searchNamed`. */
export const findNamed: FindRecord = ({ entity: name = '', within }, words) => {
  const entity = entityByName(name)
  // A letter is the beginning of too many names.
  if (words.length < 2 && entity.ids.read(words) === null) return []
  const key = JSON.stringify([name, fold(words), within])
  const known = answers.get(key)
  if (!known) wanted.set(key, { entity, words, within })
  return known
}

/** Searches for the names of the current text; a search for those of the text before is dropped. */
export function searchNamed(): void {
  if (!wanted.size) return
  inFlight?.abort()
  const own = new AbortController()
  inFlight = own
  const searches = [...wanted].map(async ([key, each]) => {
    const rows = await rowsFor(each, own.signal).catch((): unknown[] => [])
    if (own.signal.aborted) return
    upsertRecords(each.entity.name, rows)
    answers.set(key, namedIn(each.entity, rows, each.words))
  })
  wanted.clear()
  void Promise.all(searches).then(() => own.signal.aborted || readAgain())
}

async function rowsFor({ entity, words, within }: Wanted, signal: AbortSignal): Promise<readonly unknown[]> {
  const id = entity.ids.read(words)
  if (id !== null) return [await readOne(entity, id, { signal })]
  const query = suggestQuery(entity, words)
  return query ? entity.rows((await apiClient.read(entity.list, {}, { ...query, ...within }, { signal })) as never) : []
}

/** Ends the searches and drops their results. */
export function forgetNamed(): void {
  inFlight?.abort()
  wanted.clear()
  answers.clear()
}
