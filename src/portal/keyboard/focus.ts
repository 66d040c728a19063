import { atom } from 'jotai/vanilla'
import type { KeyScope } from '#kernel/command.ts'
import { blockKeys, stillWanted } from '#portal/keyboard/hold.ts'
import { store } from '#portal/platform/store.ts'

/**
 * What has the keyboard: decides which keys work. `text` is a field outside a dialog, `screen` a page without fields, `shell`
 * the rail and the bars.
 */
export type Focus = 'dialog' | 'text' | 'grid' | 'detail' | 'screen' | 'shell' | 'nothing'
export const focusAtom = atom<Focus>('nothing')

/** Where in the work the keyboard is, or was last: a palette, a field or a bar in between takes nothing from it. `tab` is the list in a tab. */
export const regionAtom = atom<'grid' | 'detail' | 'tab'>('grid')

/** A part of the screen, as the key map calls it. */
export type Here = 'grid' | 'detail' | 'tab' | 'drawer' | 'page' | 'screen'
/** Where the keyboard is, or was before a dialog or a bar took it. */
export const hereAtom = atom<Here>('grid')

/** The scopes whose keys work, innermost first. */
export const scopesOf = (focus: Focus): readonly KeyScope[] => {
  if (focus === 'grid' || focus === 'detail') return ['row', focus, 'workspace', 'everywhere']
  if (focus === 'screen') return ['workspace', 'everywhere']
  return focus === 'dialog' ? [] : ['everywhere']
}

const notText = ['checkbox', 'radio', 'range', 'button', 'file', 'reset', 'submit', 'color']

/** True for an element that takes typing as text. */
export function takesText(element: Element | null): boolean {
  if (element instanceof HTMLInputElement) return !notText.includes(element.type)
  return (
    element instanceof HTMLTextAreaElement ||
    element instanceof HTMLSelectElement ||
    (element instanceof HTMLElement && element.isContentEditable)
  )
}

/**
 * What has the keyboard when this element has the focus. A grid is `role=grid`, a detail `data-region=detail`, a page without
 * fields `data-region=screen`; `data-row` stands for a thing; within a form there is none of these. A list of choices floats
 * above the work, but for one that is a part of its page, `data-inline`.
 */
export function focusOf(element: Element | null): Focus {
  if (!element || element === document.body) return 'nothing'
  if (element.closest('[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]:not([data-inline])'))
    return 'dialog'
  if (takesText(element)) return 'text'
  // A box to tick, or a grid to choose in, is a field like any other: no letter does anything to the record of the page.
  if (element.closest('form')) return 'shell'
  if (element.closest('[role="grid"]')) return 'grid'
  if (element.closest('[data-region="detail"], [data-row]')) return 'detail'
  return element.closest('[data-region="screen"]') ? 'screen' : 'shell'
}

const list = '[role="grid"]'
const region = (name: string) => `[data-region="${name}"]`
const record = region('detail')
const drawer = region('drawer')

/** Gives the keyboard to the first of these parts that is drawn, else to a page without fields, else to the work as a whole. */
const focusFirst = (...parts: readonly string[]): void =>
  [...parts, region('screen'), region('work')]
    .map((part) => document.querySelector<HTMLElement>(part))
    .find((part) => part?.checkVisibility())
    ?.focus({ preventScroll: true })

/** Gives the keyboard to the list, else to the record, else to the page; where focus goes when its place is gone. */
export const focusWork = (): void => focusFirst(list, record)

/** Gives the keyboard to the part of the work that had it last, where it is drawn. */
export function focusHere(): void {
  const last = store.get(regionAtom)
  if (last === 'grid') focusWork()
  else focusFirst(...(last === 'tab' ? [`${record} ${list}`] : []), record, list)
}

/** Gives the keyboard back to what had it before something floated above it; where that is gone, to its part of the work. */
export function focusBack(before: Element | null): void {
  if (before instanceof HTMLElement && before !== document.body && before.isConnected) before.focus({ preventScroll: true })
  else focusHere()
}

/** Gives the keyboard to the work in the next frame, unless somebody has taken it to another place by then. */
export function focusWorkSoon(): void {
  const before = document.activeElement
  const letGo = blockKeys()
  requestAnimationFrame(() => {
    const now = document.activeElement
    if (now === before || now === null || now === document.body) focusWork()
    letGo()
  })
}

/** Milliseconds that what draws a part may take to arrive and still get the keyboard. */
const partWait = 10_000

/** Gives the keyboard to the record that is open, as soon as it is drawn; what draws it may still be on its way. */
export const focusRecord = (): void => focusSoon(record)

/** Gives the keyboard to the field of the drawer, as soon as it is drawn. */
export const focusDrawer = (): void => focusSoon(`${drawer} textarea`)

/** Gives the keyboard to a part that has to come, as soon as it is drawn. */
export function focusSoon(part: string): void {
  const wanted = stillWanted()
  const letGo = blockKeys()
  const began = performance.now()
  const look = () => {
    const found = document.querySelector<HTMLElement>(part)
    const free = focusOf(document.activeElement) !== 'dialog'
    if (found && free) found.focus({ preventScroll: true })
    else if (wanted() && performance.now() - began < partWait) return void requestAnimationFrame(look)
    letGo()
  }
  // What was set in this moment is drawn at its end.
  queueMicrotask(look)
}

/** What F6 goes through, in this order. */
const parts = [`.work > .pane ${list}`, record, drawer]

/** Gives the keyboard to the next part of the work, or the previous: list, record, notes. False where there is no other one. */
export function focusNextPart(by: 1 | -1): boolean {
  const there = parts.flatMap((part) => document.querySelector<HTMLElement>(part) ?? []).filter((part) => part.checkVisibility())
  const now = there.findIndex((part) => part.contains(document.activeElement))
  const next = there.at(now < 0 ? 0 : (now + by) % there.length)
  if (!next || there[now] === next) return false
  const inDrawer = (part: string) => (next.matches(drawer) ? next.querySelector<HTMLElement>(part) : null)
  const field = inDrawer('textarea') ?? inDrawer('button') ?? next
  field.focus({ preventScroll: true })
  return true
}

/** Looks what has the keyboard now: a window that is not active, and an element that is taken away, need not tell. */
export function noticeFocus(): void {
  const focus = focusOf(document.activeElement)
  store.set(focusAtom, focus)
  const region = document.activeElement?.closest<HTMLElement>('[data-region]')?.dataset['region']
  if (focus !== 'dialog' && (region === 'drawer' || region === 'page' || region === 'screen')) store.set(hereAtom, region)
  // The actions of the record are about what had the keyboard before them.
  if (document.activeElement?.closest('[data-keeps-region]')) return
  if (focus !== 'detail' && focus !== 'grid') return
  const now = focus === 'detail' ? 'detail' : region === 'detail' ? 'tab' : 'grid'
  store.set(regionAtom, now)
  store.set(hereAtom, now)
}

/** Follows the focus. Returns what stops it. */
export function watchFocus(): () => void {
  // After `focusout` the next element has the focus only a moment later.
  const later = () => queueMicrotask(noticeFocus)
  // A click on nothing takes the keyboard back to what floats above, else to the list, so that its keys go on working.
  const click = () => {
    if (document.activeElement !== document.body || getSelection()?.toString()) return
    const above = document.querySelector<HTMLElement>('[aria-modal=true] :is(input, select, textarea, button)')
    if (above) above.focus()
    else focusWork()
  }
  document.addEventListener('click', click)
  document.addEventListener('focusin', noticeFocus)
  document.addEventListener('focusout', later)
  noticeFocus()
  return () => {
    document.removeEventListener('click', click)
    document.removeEventListener('focusin', noticeFocus)
    document.removeEventListener('focusout', later)
  }
}
