import { Chips } from '#portal/list/chips.tsx'
import { Grid } from '#portal/list/grid.tsx'
import type { GridAction } from '#portal/keyboard/fixed-keys.ts'
import type { List } from '#portal/list/list.ts'
import { ListNotice } from '#portal/list/list-notice.tsx'
import { clearMarks, markAll } from '#portal/list/marks.ts'
import { PaneHead } from '#portal/list/pane-head.tsx'
import { blockKeysWhile } from '#portal/keyboard/hold.ts'
import { openFilters } from '#portal/platform/commands.ts'
import { sayMissing } from '#portal/platform/toasts.ts'
import '#portal/list/grid.css'

interface ListViewProps {
  list: List
  label: string
  /** Called for Enter. */
  open: () => void
  /** Called for Ctrl+Enter. */
  beside: () => void
  /** Called for Space. */
  peek: () => void
  /** Called for Escape if nothing is marked; returns false if there was nothing to leave. */
  leave: () => boolean
  /** Called when a row was clicked, once or twice. */
  onPick: (clicks: 1 | 2) => void
}

/** The button of the notice beside the focused grid. */
const nextAction = () => document.activeElement?.parentElement?.querySelector<HTMLElement>('.list-notice [data-next]')

/** A list with header, filters, rows, and the notice of an empty one. */
export function ListView({ list, label, open, beside, peek, leave, onPick }: ListViewProps) {
  const onAction = (does: GridAction['does']): boolean => {
    switch (does) {
      case 'open':
        // An empty list has no row to open, but a next action.
        if (list.pages.total === 0) nextAction()?.click()
        else open()
        return true
      case 'beside':
        beside()
        return true
      case 'peek':
        peek()
        return true
      case 'mark-all':
        markAll(list)
        return true
      case 'copy':
        if (getSelection()?.toString()) return false
        // Later keys are queued, so that the rows marked at this moment are copied.
        void blockKeysWhile(import('#portal/list/copy.ts').then((copy) => copy.copyRows(list), sayMissing))
        return true
      case 'search':
        openFilters()
        return true
      case 'escape':
        return clearMarks(list) || leave()
      default:
        return false
    }
  }
  const { searched, filters } = list.definition
  return (
    <>
      {(list.leads || searched || filters.length > 0) && <PaneHead list={list} />}
      <Chips list={list} />
      <Grid list={list} label={label} onAction={onAction} onPick={onPick} />
      <ListNotice list={list} />
    </>
  )
}
