import { useAtomValue } from 'jotai'
import { search, searchKinds } from '#contract/search.ts'
import { type AnyEntity, openCommand } from '#kernel/entity.ts'
import { capabilitiesAtom } from '#portal/api/capabilities.ts'
import { apiClient } from '#portal/api/client.ts'
import { startCommand } from '#portal/platform/commands.ts'
import { oneTarget } from '#portal/list/target.ts'
import { upsertRecords } from '#portal/records/entity-store.ts'
import { useQuery } from '#portal/records/use-query.ts'
import { store } from '#portal/platform/store.ts'

const limit = '5'

/** Records with a name similar to `text`; empty while loading, and if the API has no such search. */
function useSimilar(entity: AnyEntity, text: string): readonly unknown[] {
  const supports = useAtomValue(capabilitiesAtom, { store })
  const kind = supports(search) ? searchKinds.find((each) => entity.list.path === `/${each}`) : undefined
  const read = async (signal: AbortSignal): Promise<readonly unknown[]> => {
    const include = entity.query['include']
    const query = { q: text.slice(0, 200), kinds: kind ?? '', limit, ...(include ? { include } : {}) }
    const answer = await apiClient.read(search, {}, query, { signal })
    const guesses = kind && answer.similar?.[kind]
    const rows = guesses ? entity.rows(guesses as never) : []
    upsertRecords(entity.name, rows)
    return rows
  }
  // On failure the list still says that nothing matches.
  return useQuery(read, kind ? [entity, kind, text] : null).value ?? []
}

/** Suggestions for a search without results: records with a similar name, as buttons that open them. */
export function SimilarNames({ entity, text }: { entity: AnyEntity; text: string }) {
  const rows = useSimilar(entity, text)
  if (rows.length === 0) return null
  return (
    <fieldset className="flex w-full flex-wrap items-center justify-center gap-2">
      <legend className="float-left text-muted">Similar names</legend>
      {rows.map((row) => (
        <button
          key={entity.id(row)}
          type="button"
          className="btn"
          onClick={() => startCommand(openCommand(entity), { targets: oneTarget(entity.name, entity.id(row)) })}
        >
          {entity.title(row)} <span className="text-muted">{entity.id(row)}</span>
        </button>
      ))}
    </fieldset>
  )
}
