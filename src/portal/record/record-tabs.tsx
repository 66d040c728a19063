import { useLayoutEffect, useRef } from 'react'
import { useShortcut } from '#portal/ui/use-shortcut.ts'
import type { AnyPane } from '#portal/list/pane.ts'
import { useFitRow } from '#portal/ui/fit-row.ts'
import { Icon } from '#portal/ui/icon.tsx'
import { bodyId, tabId, useSide } from '#portal/record/side.ts'
import { later, Part } from '#portal/ui/later.tsx'

const moreTabs = later(async () => (await import('#portal/record/more-tabs.tsx')).MoreTabs)

const More = () => (
  <button type="button" className="tabs-more" tabIndex={-1}>
    More <Icon name="down" size={12} />
  </button>
)

interface RecordTabsProps {
  pane: AnyPane
  /** Id of the open tab. */
  open: string | undefined
  label: string
  choose: (tab: string) => void
}

/** The tabs of a record in one row: those that do not fit are in a menu at its end, the open one is always shown. */
export function RecordTabs({ pane, open, label, choose }: RecordTabsProps) {
  const list = useRef<HTMLDivElement>(null)
  const side = useSide()
  // Before the row is measured, which may hide the tab that has the focus.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another open tab moves the focus that is on a tab
  useLayoutEffect(() => {
    const tab = list.current?.querySelector<HTMLElement>('[aria-selected="true"]')
    if (!tab || !list.current?.contains(document.activeElement)) return
    tab.hidden = false
    tab.focus()
  }, [open])
  const box = useFitRow<HTMLDivElement>()
  const shortcut = useShortcut()
  return (
    <div ref={box} className="detail-tabs">
      <div ref={list} role="tablist" aria-label={label}>
        {pane.tabs.map((each, index) => (
          <button
            key={each.id}
            type="button"
            role="tab"
            id={tabId(side, each.id)}
            data-tab={each.id}
            data-fit
            data-kept={each.id === open || undefined}
            aria-selected={each.id === open}
            aria-controls={bodyId(side)}
            aria-keyshortcuts={index < 9 ? shortcut(String(index + 1)) : undefined}
            tabIndex={each.id === open ? 0 : -1}
            onClick={() => choose(each.id)}
          >
            {each.title}
          </button>
        ))}
      </div>
      <div data-rest>
        <Part of={moreTabs} props={{ tabs: pane.tabs, choose }} waiting={<More />} />
      </div>
    </div>
  )
}
