import { useAtomValue } from 'jotai'
import { detailOf } from '#kernel/wire.ts'
import type { List } from '#portal/list/list.ts'
import { startCommand } from '#portal/commands/start.ts'
import { meAtom } from '#portal/session/session.ts'
import { store } from '#portal/app/store.ts'
import { Icon } from '#portal/ui/icon.tsx'
import { Kbd } from '#portal/ui/kbd.tsx'

const BeingMade = () => (
  <span className="block text-muted">Past pay periods, time entries and transactions of the demo are still being made.</span>
)

/** What stands in place of the rows, or below them: the list is empty, or could not be loaded. One sentence, one key. */
export function ListNotice({ list }: { list: List }) {
  useAtomValue(list.rowsAtom, { store })
  const narrowed = useAtomValue(list.filtersAtom, { store }).some((filter) => !filter.problem)
  const q = useAtomValue(list.searchAtom, { store }).get('q')
  const { pages } = list
  const { many, none, failed, madeLater } = list.definition
  const pending = useAtomValue(meAtom, { store })?.past_pending === true && madeLater === true
  if (pages.error) {
    const detail = detailOf(pages.error)
    return (
      <div className={`list-notice${pages.held ? ' list-notice-low' : ''}`} role="alert">
        <Icon name="alert" className="text-bad" />
        {/* The server's own words, else the default (API-140, API-141). */}
        <span>
          {failed ?? detail ?? `Unable to load ${many}`}
          {failed && detail && <span className="block text-muted">{detail}</span>}
        </span>
        <button type="button" className="btn" onClick={() => startCommand('list.refresh')}>
          Try again <Kbd chord="r" />
        </button>
      </div>
    )
  }
  if (pages.total !== 0) return null
  if (narrowed || q)
    return (
      <div className="list-notice" role="status">
        <span>
          No {many} match.
          {pending && <BeingMade />}
        </span>
        <button type="button" className="btn" onClick={() => startCommand('filter.clear')}>
          Clear the filters
        </button>
      </div>
    )
  return (
    <div className="list-notice" role="status">
      <span>
        {none ?? `There are no ${many} yet.`}
        {pending && <BeingMade />}
      </span>
      <button type="button" className="btn" onClick={() => startCommand('list.refresh')}>
        Refresh <Kbd chord="r" />
      </button>
    </div>
  )
}
