import { useAtomValue } from 'jotai'
import type { List } from '#portal/list/list.ts'
import { startCommand } from '#portal/commands/start.ts'
import { isUnconnected } from '#portal/session/unconnected.ts'
import { meAtom } from '#portal/session/session.ts'
import { store } from '#portal/app/store.ts'
import { Kbd } from '#portal/ui/kbd.tsx'

const BeingMade = () => (
  <span className="block text-muted">Past pay periods, time entries and transactions of the demo are still being made.</span>
)

/** What stands in place of the rows of a list that has none: why, and one key. */
export function EmptyNotice({ list }: { list: List }) {
  const narrowed = useAtomValue(list.filtersAtom, { store }).some((filter) => !filter.problem)
  const q = useAtomValue(list.searchAtom, { store }).get('q')
  const me = useAtomValue(meAtom, { store })
  const { many, none, madeLater } = list.definition
  const pending = me?.past_pending === true && madeLater === true
  const nothing = isUnconnected(me?.grants)
    ? 'No organization or employer is connected to you. An admin can connect them.'
    : (none ?? `There are no ${many} yet.`)
  return (
    <div className="list-notice" role="status">
      <span>
        {narrowed || q ? `No ${many} match.` : nothing}
        {pending && <BeingMade />}
      </span>
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
