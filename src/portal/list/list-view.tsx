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
  /** Enter. */
  open: () => void
  /** Space. */
  peek: () => void
  /** Escape, when nothing is marked; false when there was nothing to leave. */
  leave: () => boolean
  /** A row was clicked, once or twice. */
  onPick: (clicks: 1 | 2) => void
}

/** A list wherever it is: its head, its filters, its rows, and what is said where there are none. */
export function ListView({ list, label, open, peek, leave, onPick }: ListViewProps) {
  const onAction = (does: GridAction['does']): boolean => {
    switch (does) {
      case 'open':
        open()
        return true
      case 'peek':
        peek()
        return true
      case 'mark-all':
        markAll(list)
        return true
      case 'copy':
        if (getSelection()?.toString()) return false
        // The keys that follow wait: what is copied is what was marked when it was asked for.
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
