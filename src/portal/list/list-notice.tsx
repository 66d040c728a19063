import { useAtomValue } from 'jotai'
import { detailOf } from '#kernel/api-client.ts'
import type { List } from '#portal/list/list.ts'
import { startCommand } from '#portal/platform/commands.ts'
import { store } from '#portal/platform/store.ts'
import { Icon } from '#portal/ui/icon.tsx'
import { Kbd } from '#portal/ui/kbd.tsx'
import { later, Part } from '#portal/ui/later.tsx'

const emptyNotice = later(async () => (await import('#portal/list/empty-notice.tsx')).EmptyNotice)

/** Shown in place of the rows, or below them: the list is empty, or could not be loaded. One sentence, one key. */
export function ListNotice({ list }: { list: List }) {
  useAtomValue(list.rowsAtom, { store })
  const { pages } = list
  const { many, failed } = list.definition
  if (pages.error) {
    const detail = detailOf(pages.error)
    return (
      <div className={`list-notice${pages.held ? ' list-notice-low' : ''}`} role="alert">
        <Icon name="alert" className="text-bad" />
        {/* The server's text, else the default (API-140, API-141). */}
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
  return pages.total === 0 ? <Part of={emptyNotice} props={{ list }} /> : null
}
