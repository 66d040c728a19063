import { useAtomValue } from 'jotai'
import { useEffect, useState } from 'react'
import { everything } from '#portal/platform/bundle.ts'
import { entityByName } from '#portal/platform/registry.ts'
import { readRecord } from '#portal/records/load-record.ts'
import type { ReadFilter } from '#portal/list/filters.ts'
import type { List } from '#portal/list/list.ts'
import { SimilarNames } from '#portal/list/similar-names.tsx'
import { isNotThere } from '#portal/records/read-one.ts'
import { startCommand } from '#portal/platform/commands.ts'
import { isUnconnected } from '#portal/session/unconnected.ts'
import { meAtom } from '#portal/api/session.ts'
import { store } from '#portal/platform/store.ts'
import { Kbd } from '#portal/ui/kbd.tsx'

/** Maximum number of references that are checked for existence. */
const maxAsked = 5

const BeingMade = () => (
  <span className="block text-muted">Past pay periods, time entries and transactions of the demo are still being made.</span>
)

/** Ids in reference filters that do not exist, or that the user has no access to. */
function useOutOfReach(filters: readonly ReadFilter[]): readonly string[] {
  const [missing, setMissing] = useState<readonly string[]>([])
  const asked = filters.flatMap(({ filter, value, problem }) => {
    const entity = filter?.field.kind === 'reference' && !problem ? filter.field.entity : undefined
    return entity ? value.split(',').map((id) => ({ entity, id: id.trim() })) : []
  })
  const about = JSON.stringify(asked)
  useEffect(() => {
    const control = new AbortController()
    const named = async ({ entity, id }: (typeof asked)[number]) => {
      await everything()
      const of = entityByName(entity)
      try {
        await readRecord(of, id, control.signal)
        return []
      } catch (error) {
        return isNotThere(error) ? [`No ${of.one} ${id}, or none that you have access to.`] : []
      }
    }
    void Promise.all((JSON.parse(about) as typeof asked).slice(0, maxAsked).map(named)).then(
      (found) => control.signal.aborted || setMissing(found.flat()),
    )
    return () => control.abort()
  }, [about])
  return missing
}

/** Shown in place of the rows of an empty list: why, and one key. */
export function EmptyNotice({ list }: { list: List }) {
  const filters = useAtomValue(list.filtersAtom, { store })
  const missing = useOutOfReach(filters)
  const narrowed = filters.some((filter) => !filter.problem)
  const q = useAtomValue(list.searchAtom, { store }).get('q')
  const me = useAtomValue(meAtom, { store })
  const { many, none, madeLater, entity } = list.definition
  const pending = me?.past_pending === true && madeLater === true
  const nothing = isUnconnected(me?.grants)
    ? 'No organization or employer is connected to you. An admin can connect them.'
    : (none ?? `There are no ${many} yet.`)
  return (
    <div className="list-notice" role="status">
      <span>
        {narrowed || q ? `No ${many} match.` : nothing}
        {missing.map((what) => (
          <span key={what} className="block text-muted">
            {what}
          </span>
        ))}
        {pending && <BeingMade />}
      </span>
      {/* Omitted with other filters or inside a record, which may exclude the similar names. */}
      {q && !narrowed && entity && list.scope.of === null && <SimilarNames entity={entity} text={q} />}
      {narrowed || q ? (
        <button type="button" className="btn" onClick={() => startCommand('filter.clear')}>
          Clear the filters
        </button>
      ) : (
        <button type="button" className="btn" onClick={() => startCommand('list.refresh')}>
          Refresh <Kbd chord="r" />
        </button>
      )}
    </div>
  )
}
