import { atom } from 'jotai/vanilla'
import type { KeyScope } from '#kernel/command.ts'
import { blockKeys, stillWanted } from '#portal/keyboard/hold.ts'
import { besideAtom, placeAtoms, type Side } from '#portal/platform/location.ts'
import { store } from '#portal/platform/store.ts'

/**
 * The kind of element that has the focus: decides which keys work. `text` is a field outside a dialog, `screen` a page without
 * fields, `shell` the rail and the bars.
 */
export type Focus = 'dialog' | 'text' | 'grid' | 'detail' | 'screen' | 'shell' | 'nothing'
export const focusAtom = atom<Focus>('nothing')

/**
 * The part of the page that has or last had the focus; a palette, field or bar in between does not change it. `tab` is the list
 * in a tab.
 */
export const regionAtom = atom<'grid' | 'detail' | 'tab'>('grid')

const lastSideAtom = atom<Side>('main')

/** The side that has or last had the focus: the list with its record, or the record beside it. */
export const sideAtom = atom((get): Side => (get(besideAtom) ? get(lastSideAtom) : 'main'))

/** The open record, or the list, on the side that has or last had the focus. */
export const focusedPlaceAtom = atom((get) => get(placeAtoms[get(sideAtom)]))

/** A part of the screen, as in the key map. */
export type Here = 'grid' | 'detail' | 'tab' | 'drawer' | 'page' | 'screen'
/** The part that has the focus, or had it before a dialog or a bar took it. */
export const hereAtom = atom<Here>('grid')

/** The scopes with active keys, innermost first. */
export const scopesOf = (focus: Focus): readonly KeyScope[] => {
  if (focus === 'grid' || focus === 'detail') return ['row', focus, 'workspace', 'everywhere']
  if (focus === 'screen') return ['workspace', 'everywhere']
  return focus === 'dialog' ? [] : ['everywhere']
}

const notText = ['checkbox', 'radio', 'range', 'button', 'file', 'reset', 'submit', 'color']

/** True for an element that accepts text input. */
export function takesText(element: Element | null): boolean {
  if (element instanceof HTMLInputElement) return !notText.includes(element.type)
  return (
    element instanceof HTMLTextAreaElement ||
    element instanceof HTMLSelectElement ||
    (element instanceof HTMLElement && element.isContentEditable)
  )
}

/**
 * The kind of focus of an element. A grid is `role=grid`, a record `data-region=detail`, a page without fields
 * `data-region=screen`; `data-row` marks a record; inside a form none of these apply. A listbox counts as a dialog, unless it is
 * part of its page, `data-inline`.
 */
export function focusOf(element: Element | null): Focus {
  if (!element || element === document.body) return 'nothing'
  if (element.closest('[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]:not([data-inline])'))
    return 'dialog'
  if (takesText(element)) return 'text'
  // Checkboxes and grids in a form are fields: letters do not act on the record of the page.
  if (element.closest('form')) return 'shell'
  if (element.closest('[role="grid"]')) return 'grid'
  if (element.closest('[data-region="detail"], [data-row]')) return 'detail'
  return element.closest('[data-region="screen"]') ? 'screen' : 'shell'
}

const list = '[role="grid"]'
const region = (name: string) => `[data-region="${name}"]`
/** The selector of the record on a side. */
export const recordOn = (side: Side): string =>
  side === 'beside' ? '[data-side="beside"]' : '[data-region="detail"]:not([data-side="beside"])'
const record = recordOn('main')
const beside = recordOn('beside')
const drawer = region('drawer')

/** Focuses the first visible one of these parts, else a page without fields, else the whole work area. */
const focusFirst = (...parts: readonly string[]): void =>
  [...parts, region('screen'), region('work')]
    .map((part) => document.querySelector<HTMLElement>(part))
    .find((part) => part?.checkVisibility())
    ?.focus({ preventScroll: true })

/** Focuses the list, else the record, else the page; the fallback when a focused element is removed. */
export const focusWork = (): void => focusFirst(list, record)

/** Focuses the part of the page that had the focus last, if it is rendered. */
export function focusHere(): void {
  const last = store.get(regionAtom)
  const own = recordOn(store.get(sideAtom))
  if (last === 'grid') focusWork()
  else focusFirst(...(last === 'tab' ? [`${own} ${list}`] : []), own, record, list)
}

/** Restores the focus to the element that had it before a layer opened; if it is gone, to its part of the page. */
export function focusBack(before: Element | null): void {
  if (before instanceof HTMLElement && before !== document.body && before.isConnected) before.focus({ preventScroll: true })
  else focusHere()
}

/** Focuses the page in the next frame, unless the focus has moved by then. */
export function focusWorkSoon(): void {
  const before = document.activeElement
  const release = blockKeys()
  requestAnimationFrame(() => {
    const now = document.activeElement
    if (now === before || now === null || now === document.body) focusWork()
    release()
  })
}

/** Maximum time in milliseconds to wait for a part before its focus is given up. */
const partWait = 10_000

/** Focuses the open record as soon as it is rendered; its code may still be loading. */
export const focusRecord = (): void => focusSoon(record)

/** Focuses the record beside the open one as soon as it is rendered. */
export const focusBeside = (): void => focusSoon(beside)

/** Focuses the field of the drawer as soon as it is rendered. */
export const focusDrawer = (): void => focusSoon(`${drawer} textarea`)

/** Focuses a part as soon as it is rendered. */
export function focusSoon(part: string): void {
  const wanted = stillWanted()
  const release = blockKeys()
  const began = performance.now()
  const look = () => {
    const found = document.querySelector<HTMLElement>(part)
    const free = focusOf(document.activeElement) !== 'dialog'
    if (found && free) found.focus({ preventScroll: true })
    else if (wanted() && performance.now() - began < partWait) return void requestAnimationFrame(look)
    release()
  }
  // State set in this tick is rendered at its end.
  queueMicrotask(look)
}

/** The parts that F6 cycles through, in order. */
const parts = [`.work > .pane ${list}`, record, beside, drawer]

const partsShown = (): HTMLElement[] =>
  parts.flatMap((part) => document.querySelector<HTMLElement>(part) ?? []).filter((part) => part.checkVisibility())

/** Whether the page has several parts to move between. */
export const hasOtherPart = (): boolean => partsShown().length > 1

/** Focuses the next or previous part: list, record, record beside it, notes. False if there is no other one. */
export function focusNextPart(by: 1 | -1): boolean {
  const there = partsShown()
  const now = there.findIndex((part) => part.contains(document.activeElement))
  const next = there.at(now < 0 ? 0 : (now + by) % there.length)
  if (!next || there[now] === next) return false
  const inDrawer = (part: string) => (next.matches(drawer) ? next.querySelector<HTMLElement>(part) : null)
  const field = inDrawer('textarea') ?? inDrawer('button') ?? next
  field.focus({ preventScroll: true })
  return true
}

/** Reads the current focus: an inactive window or a removed element may fire no focus event. */
export function noticeFocus(): void {
  const focus = focusOf(document.activeElement)
  store.set(focusAtom, focus)
  const region = document.activeElement?.closest<HTMLElement>('[data-region]')?.dataset['region']
  const side = document.activeElement?.closest<HTMLElement>('[data-side]')?.dataset['side']
  if (focus !== 'dialog' && (side || focus === 'grid')) store.set(lastSideAtom, side === 'beside' ? 'beside' : 'main')
  if (focus !== 'dialog' && (region === 'drawer' || region === 'page' || region === 'screen')) store.set(hereAtom, region)
  // The toolbar of a record keeps the region that had the focus before it.
  if (document.activeElement?.closest('[data-keeps-region]')) return
  if (focus !== 'detail' && focus !== 'grid') return
  const now = focus === 'detail' ? 'detail' : region === 'detail' ? 'tab' : 'grid'
  store.set(regionAtom, now)
  store.set(hereAtom, now)
}

/** Tracks the focus. Returns the function that stops it. */
export function watchFocus(): () => void {
  // After `focusout` the next element gets the focus only a moment later.
  const later = () => queueMicrotask(noticeFocus)
  // A click on an empty area returns the focus to the open layer, else to the list, so that its keys keep working.
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
