import { useAtomValue } from 'jotai'
import type { AnyPane } from '#portal/list/pane.ts'
import { shownSearchAtom } from '#portal/list/filters.ts'
import { listProblem, pages, readFiltersAtom, rowsAtom } from '#portal/list/list.ts'
import { startCommand } from '#portal/state/start.ts'
import { store } from '#portal/state/store.ts'
import { Icon } from '#portal/ui/icon.tsx'
import { Kbd } from '#portal/ui/kbd.tsx'

/** What stands in place of the rows, or below them: the list is empty, or could not be loaded. One sentence, one key. */
export function ListNotice({ pane }: { pane: AnyPane }) {
  useAtomValue(rowsAtom, { store })
  const narrowed = useAtomValue(readFiltersAtom, { store }).some((filter) => !filter.problem)
  const q = useAtomValue(shownSearchAtom, { store }).get('q')
  const { many } = pane.entity
  if (pages.error)
    return (
      <div className={`list-notice${pages.held ? ' list-notice-low' : ''}`} role="alert">
        <Icon name="alert" className="text-bad" />
        <span>{listProblem(pages.error, many)}</span>
        <button type="button" className="btn" onClick={() => startCommand('list.refresh')}>
          Try again <Kbd chord="r" />
        </button>
      </div>
    )
  if (pages.total !== 0) return null
  if (narrowed || q)
    return (
      <div className="list-notice" role="status">
        <span>No {many} match.</span>
        <button type="button" className="btn" onClick={() => startCommand('filter.clear')}>
          Clear the filters
        </button>
      </div>
    )
  return (
    <div className="list-notice" role="status">
      <span>There are no {many} yet.</span>
      <button type="button" className="btn" onClick={() => startCommand('list.refresh')}>
        Refresh <Kbd chord="r" />
      </button>
    </div>
  )
}
