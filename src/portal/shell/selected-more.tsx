import { useAtomValue } from 'jotai'
import { useEffect } from 'react'
import { formatCents } from '#domain/money.ts'
import { wholeNumber } from '#domain/text.ts'
import { startCommand } from '#portal/platform/commands.ts'
import { hiddenMarksAtom } from '#portal/list/hidden-marks.ts'
import type { List } from '#portal/list/list.ts'
import { selectionSumsAtom } from '#portal/list/selection-sums.ts'
import { store } from '#portal/platform/store.ts'
import { announce } from '#portal/platform/toasts.ts'
import { Kbd } from '#portal/ui/kbd.tsx'
import { useSettled } from '#portal/ui/use-settled.ts'

/** Milliseconds without a change of the selection after which it is announced in full: once, not for every key. */
const restMilliseconds = 800

/** The selected rows that the list does not show, with the key that shows them. */
export function HiddenMarks({ list }: { list: List }) {
  const hidden = useAtomValue(hiddenMarksAtom(list), { store }).length
  const settled = useSettled(hidden, restMilliseconds)
  useEffect(() => {
    if (settled)
      announce(`${wholeNumber(settled)} of the selected rows ${settled === 1 ? 'is' : 'are'} not shown. Shift+X shows them.`)
  }, [settled])
  if (!hidden) return null
  return (
    <button type="button" className="btn btn-quiet" onClick={() => startCommand('list.selected')}>
      {wholeNumber(hidden)} of them not shown
      <Kbd chord="Shift+X" />
    </button>
  )
}

/** The sums of the selected rows, in the place of those of the list. */
export function SelectedSums({ list }: { list: List }) {
  const sums = useAtomValue(selectionSumsAtom(list), { store }).map(({ title, cents }) => ({
    title: title.toLowerCase(),
    text: formatCents(cents),
  }))
  const settled = useSettled(sums.map(({ title, text }) => `${title} ${text}`).join(', '), restMilliseconds)
  useEffect(() => {
    if (settled) announce(`Selected: ${settled}`)
  }, [settled])
  return sums.map(({ title, text }) => (
    <span key={title} className="bar-total">
      {title} <b>{text}</b>
    </span>
  ))
}
