import { characterOf, isModifier, maxSequenceGap } from '#kernel/keys.ts'
import { focusHere, focusOf } from '#portal/keyboard/focus.ts'
import { giveUp, isHeld, isIgnored, maxWait, tookTooLong, whenGivenUp } from '#portal/keyboard/hold.ts'
import { changedKeysAtom, keyMapAtom } from '#portal/keyboard/key-map.ts'
import { loadErrorAtom } from '#portal/records/load-error.ts'
import { deliver } from '#portal/hotkeys/deliver-key.ts'
import { drawnPalette, keepCaret, openPalette, paletteAtom } from '#portal/commands/palette-state.ts'
import { paneStateAtom } from '#portal/list/panes.ts'
import { store } from '#portal/platform/store.ts'

/** The relevant fields of a key event. */
export type KeyPress = Pick<KeyboardEvent, 'key' | 'code' | 'keyCode' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

interface QueuedKey {
  key: KeyPress
  at: number
  /** An extra condition before it can be delivered. */
  ready?: () => boolean
  /** True if it follows letters without a pause. */
  endsText?: boolean
}

/** Keys queued behind unfinished actions, in order. */
let waiting: QueuedKey[] = []
let answering = false
/** Since when the first one has been blocked; null while it is not. */
let since: number | null = null

/** True while a key waits: a sequence started before it is not forgotten in the meantime. */
export const keysWait = (): boolean => waiting.length > 0

/** The queued keys, to be delivered after a reload. */
export const waitingKeys = (): readonly KeyPress[] => waiting.map(({ key }) => key)

const queued = new WeakMap<Event, number>()
/** The original time of a key event, also if it was queued, on the clock of `performance.now()`. */
export const pressedAt = (event: Event): number => queued.get(event) ?? event.timeStamp

/** Whether all earlier actions are finished and rendered, with the focus where it belongs. */
function isSettled(): boolean {
  if (isHeld()) return false
  const palette = store.get(paletteAtom)
  const drawn = drawnPalette()
  const focus = focusOf(document.activeElement)
  if (store.get(keyMapAtom) || store.get(changedKeysAtom) || store.get(loadErrorAtom)) return focus === 'dialog'
  if (palette.open) return drawn === palette && !palette.entered && focus === 'dialog' && !document.querySelector('[data-waits]')
  if (drawn?.open) return false
  if (focus !== 'nothing') return true
  focusHere()
  const pane = store.get(paneStateAtom)
  return document.activeElement !== document.body || pane === 'none' || pane === 'failed'
}

let lastKeyAt = 0

/** Maximum gap in milliseconds between keys of fast typing. */
const typingGap = 300
/** True during fast typing: letters, and keys that follow them without a pause. */
let isTyping = false
/** Keys that follow letters without a pause: they belong to the text, wherever the focus is by then. */
const runOnKeys = new WeakSet<Event>()

/** Whether a key follows letters without a pause: it must not press a button that has just appeared. */
export const isRunOn = (event: Event): boolean => runOnKeys.has(event)

/** A key was ignored as the end of a text: keys that follow without a pause are ignored as well. */
export function goOnTyping(): void {
  isTyping = true
}

function followTyping(event: KeyboardEvent, gap: number): void {
  const { key, ctrlKey, metaKey, altKey } = event
  const isSign = key.length === 1 && !ctrlKey && !metaKey && !altKey
  const goesOn = isTyping && gap < typingGap
  if (goesOn && (isSign || key === 'Enter')) runOnKeys.add(event)
  isTyping = isSign ? goesOn || key !== ' ' : goesOn && isModifier(event)
}

/** True while keys must be queued; times out for each blocked key. */
function busy(): boolean {
  const [first] = waiting
  if (isSettled() && (first?.ready?.() ?? true)) since = null
  else since ??= performance.now()
  return since !== null && performance.now() - since < maxWait
}

/** True for a character typed with AltGr, or Option on a Mac: it is text, though the event reports Ctrl and Alt. */
const isSign = (event: KeyboardEvent): boolean => event.key.length === 1 && event.getModifierState('AltGraph')

/** True for a key that writes or edits text in a field, including Enter and Tab, which end it. */
export const isText = (event: KeyboardEvent): boolean =>
  isSign(event) || (!event.ctrlKey && !event.metaKey && !event.altKey && /^(.|Enter|Tab|Backspace|Delete|Dead)$/u.test(event.key))

/** True for a key that edits the text of a field, whatever else the portal does with it elsewhere. */
function isEdit(event: KeyboardEvent): boolean {
  const { key, ctrlKey, metaKey, altKey } = event
  if (isSign(event)) return true
  return ctrlKey || metaKey ? /^([acvxyz]|Backspace|Delete|Arrow.*|Home|End)$/i.test(key) : !altKey && !/^(Enter|Tab)$/.test(key)
}

/** Whether the portal handles a key; shortcuts of the browser pass. */
function isHandled(event: KeyboardEvent): boolean {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event
  if (isSign(event)) return true
  if (altKey) return /^(Enter|Delete)$/.test(key)
  if (ctrlKey || metaKey) return /^([ackz]|Enter|Home|End|Backspace)$/i.test(key) || /^[ackz]$/.test(characterOf(event))
  return !/^F\d+$/.test(key) || (key === 'F10' && shiftKey)
}

/**
 * Queues a key behind unfinished actions, or swallows it if it continues ignored keys; returns whether it did. Escape drops the
 * queue and is handled at once. A held key is queued only once.
 */
export function waits(event: KeyboardEvent): boolean {
  if (queued.has(event)) return false
  const gap = event.timeStamp - lastKeyAt
  lastKeyAt = event.timeStamp
  followTyping(event, gap)
  const ignored = isIgnored({ afterPause: gap > maxSequenceGap, isText: isText(event) })
  if (event.key === 'Escape') {
    if (ignored || waiting.length || isHeld()) giveUp()
    return false
  }
  if (!ignored && !waiting.length && document.activeElement?.matches('[data-ahead]') && isEdit(event)) return false
  // A key pressed while the focus is lost is delivered once an element has it.
  const lost = focusOf(document.activeElement) === 'nothing'
  if (!isHandled(event) || !(ignored || waiting.length || busy() || (lost && document.activeElement !== document.body)))
    return false
  event.preventDefault()
  event.stopImmediatePropagation()
  if (ignored || event.repeat) return true
  waiting.push({ key: pressOf(event), at: event.timeStamp, endsText: isRunOn(event) })
  if (!answering) void answer()
  return true
}

function pressOf(event: KeyboardEvent): KeyPress {
  const { key, code, keyCode, ctrlKey, metaKey, altKey, shiftKey } = event
  const sign = isSign(event)
  return { key, code, keyCode, ctrlKey: ctrlKey && !sign, metaKey, altKey: altKey && !sign, shiftKey }
}

/** Puts a key back at the front of the queue until its handler is `ready`. */
export function putBack(event: KeyboardEvent, ready: () => boolean): void {
  waiting.unshift({ key: pressOf(event), at: pressedAt(event), ready, endsText: isRunOn(event) })
  if (!answering) void answer()
}

/** Queues keys from before a reload, before those of this page. */
export function pressAgain(keys: readonly KeyPress[]): void {
  waiting.unshift(...keys.map((key) => ({ key, at: performance.now() })))
  if (!answering) void answer()
}

declare global {
  /** Defined in `public/first.js`: keys pressed before the app was loaded; returns them once. */
  var takeEarlyKeys: (() => (KeyPress & { at: number })[]) | undefined
}

/** Maximum age of a queued key in milliseconds, while a page loads; older keys are dropped. */
const maxLoadTime = 5000

/** Takes over from `public/first.js`: opens the palette with the text of its field, and queues the other keys pressed so far. */
export function takeEarly(): void {
  const keys = globalThis.takeEarlyKeys?.() ?? []
  const field = earlyPalette()?.querySelector('input')
  if (field?.dataset['composing']) field.addEventListener('compositionend', () => openEarly(field), { once: true })
  else if (field) openEarly(field)
  const [first] = keys
  if (!first) return
  lastKeyAt = keys.at(-1)?.at ?? 0
  if (performance.now() - first.at > maxLoadTime) tookTooLong()
  else waiting.unshift(...keys.map((key) => ({ key, at: key.at })))
  if (!answering) void answer()
}

/** The palette of `public/first.js`, if it was opened. */
const earlyPalette = () => document.querySelector<HTMLElement>('[data-early]')

/** Removes that palette: its text was taken over, or nobody is signed in. */
export const removeEarly = (): void => earlyPalette()?.remove()

function openEarly(field: HTMLInputElement): void {
  // Removed first, or the palette would return the focus to it.
  const { value, selectionStart, selectionEnd } = field
  removeEarly()
  openPalette({ kind: 'root' }, value)
  keepCaret({ selectionStart, selectionEnd })
}

const pause = (milliseconds: number) => new Promise((go) => setTimeout(go, milliseconds))

/** Delivers the queued keys one by one as they become unblocked. */
async function answer(): Promise<void> {
  answering = true
  for (let first = waiting[0]; first; first = waiting[0]) {
    if (busy()) await pause(4)
    else if (since !== null) {
      const stuck = since
      tookTooLong()
      since = stuck
    } else if (first === waiting[0]) {
      const { key, at, endsText } = first
      waiting.shift()
      deliver(key, (event) => {
        queued.set(event, at)
        if (endsText) runOnKeys.add(event)
      })
      await pause(0)
    }
  }
  answering = false
}

function empty(): void {
  waiting = []
  since = null
}

/** Drops the queue on pointer input and on back or forward. Returns the function that stops it. */
export function watchQueue(): () => void {
  const stop = whenGivenUp(empty)
  addEventListener('pointerdown', giveUp, true)
  addEventListener('popstate', giveUp)
  return () => {
    giveUp()
    stop()
    removeEventListener('pointerdown', giveUp, true)
    removeEventListener('popstate', giveUp)
  }
}
