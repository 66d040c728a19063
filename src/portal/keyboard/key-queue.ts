import { characterOf, isModifier, maxSequenceGap } from '#kernel/keys.ts'
import { focusHere, focusOf } from '#portal/keyboard/focus.ts'
import { giveUp, isHeld, isIgnored, maxWait, tookTooLong, whenGivenUp } from '#portal/keyboard/hold.ts'
import { keyMapAtom } from '#portal/keyboard/key-map.ts'
import { loadErrorAtom } from '#portal/records/load-error.ts'
import { drawnPalette, paletteAtom } from '#portal/palette/state.ts'
import { paneStateAtom } from '#portal/list/panes.ts'
import { store } from '#portal/app/store.ts'

/** A key as it was pressed. */
export type Pressed = Pick<KeyboardEvent, 'key' | 'code' | 'keyCode' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

interface Waiting {
  key: Pressed
  at: number
  /** What it needs beyond what was pressed before. */
  ready?: () => boolean
  /** It follows letters without a pause. */
  endsText?: boolean
}

/** Keys that wait until what was pressed before them has happened; the first one first. */
let waiting: Waiting[] = []
let answering = false
/** Since when the first of them cannot be answered; null while it could. */
let since: number | null = null

/** True while a key waits: a sequence started before it is not forgotten in the meantime. */
export const keysWait = (): boolean => waiting.length > 0

/** The keys that wait, to be pressed again in the page that comes after this one. */
export const waitingKeys = (): readonly Pressed[] => waiting.map(({ key }) => key)

const replayed = new WeakMap<Event, number>()
/** When a key was pressed, also one that waited, on the clock of `performance.now()`. */
export const pressedAt = (event: Event): number => replayed.get(event) ?? event.timeStamp

/** Whether what was pressed before has happened and is drawn, with the keyboard where it belongs. */
function settled(): boolean {
  if (isHeld()) return false
  const palette = store.get(paletteAtom)
  const drawn = drawnPalette()
  const focus = focusOf(document.activeElement)
  if (store.get(keyMapAtom) || store.get(loadErrorAtom)) return focus === 'dialog'
  if (palette.open)
    return drawn === palette && !palette.entered && focus === 'dialog' && !document.querySelector('[role=dialog] [data-waits]')
  if (drawn?.open) return false
  if (focus !== 'nothing') return true
  focusHere()
  const pane = store.get(paneStateAtom)
  return document.activeElement !== document.body || pane === 'none' || pane === 'failed'
}

let lastKeyAt = 0

/** Milliseconds between two keys of a text that somebody types without looking up. */
const typingGap = 300
/** True while letters, and what follows them without a pause, are being typed. */
let isTyping = false
/** Keys that follow letters without a pause: they belong to what is being typed, wherever the keyboard is by then. */
const runOn = new WeakSet<Event>()

/** Whether a key follows letters without a pause: it ends a text, and presses no button that came under it. */
export const isRunOn = (event: Event): boolean => runOn.has(event)

/** A key was ignored as the end of a text: what follows it without a pause is more of the same. */
export function goOnTyping(): void {
  isTyping = true
}

function followTyping(event: KeyboardEvent, gap: number): void {
  const { key, ctrlKey, metaKey, altKey } = event
  const isSign = key.length === 1 && !ctrlKey && !metaKey && !altKey
  const goesOn = isTyping && gap < typingGap
  if (goesOn && (isSign || key === 'Enter')) runOn.add(event)
  isTyping = isSign ? goesOn || key !== ' ' : goesOn && isModifier(event)
}

/** True while keys have to wait: for one thing no longer than the longest wait. */
function busy(): boolean {
  const [first] = waiting
  if (settled() && (!first || (replay && (first.ready?.() ?? true)))) since = null
  else since ??= performance.now()
  return since !== null && performance.now() - since < maxWait
}

/** True for a character typed with AltGr, or Option on a Mac: it is text, though the event reports Ctrl and Alt. */
const isSign = (event: KeyboardEvent): boolean => event.key.length === 1 && event.getModifierState('AltGraph')

/** True for a key that writes or edits text where a field has the focus, Enter and Tab included: they end what is typed. */
export const isText = (event: KeyboardEvent): boolean =>
  isSign(event) || (!event.ctrlKey && !event.metaKey && !event.altKey && /^(.|Enter|Tab|Backspace|Delete|Dead)$/u.test(event.key))

/** Keys that the portal answers; the browser's own pass by. */
function ours(event: KeyboardEvent): boolean {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event
  if (isSign(event)) return true
  if (altKey) return /^(Enter|Delete)$/.test(key)
  if (ctrlKey || metaKey) return /^([ackz]|Enter|Home|End|Backspace)$/i.test(key) || /^[ackz]$/.test(characterOf(event))
  return !/^F\d+$/.test(key) || (key === 'F10' && shiftKey)
}

/**
 * Takes a key that has to wait its turn, or that runs on from keys that were ignored; true when it did. Escape gives up what
 * waits and is answered at once. A key that is held down waits once: it goes on when it can be answered.
 */
export function waits(event: KeyboardEvent): boolean {
  if (replayed.has(event)) return false
  const gap = event.timeStamp - lastKeyAt
  lastKeyAt = event.timeStamp
  followTyping(event, gap)
  const ignored = isIgnored({ afterPause: gap > maxSequenceGap, isText: isText(event) })
  if (event.key === 'Escape') {
    if (ignored || waiting.length || isHeld()) giveUp()
    return false
  }
  // A key that nothing has is pressed again where the keyboard is given to.
  const lost = focusOf(document.activeElement) === 'nothing'
  if (!ours(event) || !(ignored || waiting.length || busy() || (lost && document.activeElement !== document.body))) return false
  event.preventDefault()
  event.stopImmediatePropagation()
  if (ignored || event.repeat) return true
  waiting.push({ key: pressOf(event), at: event.timeStamp, endsText: isRunOn(event) })
  if (!answering) void answer()
  return true
}

function pressOf(event: KeyboardEvent): Pressed {
  const { key, code, keyCode, ctrlKey, metaKey, altKey, shiftKey } = event
  const sign = isSign(event)
  return { key, code, keyCode, ctrlKey: ctrlKey && !sign, metaKey, altKey: altKey && !sign, shiftKey }
}

/** Puts a key back, before all that wait, until what answers it is `ready`. */
export function putBack(event: KeyboardEvent, ready: () => boolean): void {
  waiting.unshift({ key: pressOf(event), at: pressedAt(event), ready, endsText: isRunOn(event) })
  if (!answering) void answer()
}

/** Presses keys that waited in the page before this one, before those of this page. */
export function pressAgain(keys: readonly Pressed[]): void {
  waiting.unshift(...keys.map((key) => ({ key, at: performance.now() })))
  if (!answering) void answer()
}

declare global {
  /** `public/first.js`: what was pressed before the workspace was there, once. */
  var takeEarlyKeys: (() => (Pressed & { at: number })[]) | undefined
}

/** Maximum age of a queued key in milliseconds, while a page loads; older keys are dropped. */
const maxLoadTime = 5000

/** Takes up what was pressed before anybody listened. */
export function takeEarly(): void {
  const keys = globalThis.takeEarlyKeys?.() ?? []
  const [first] = keys
  if (!first) return
  lastKeyAt = keys.at(-1)?.at ?? 0
  if (performance.now() - first.at > maxLoadTime) tookTooLong()
  else waiting.unshift(...keys.map((key) => ({ key, at: key.at })))
  if (!answering) void answer()
}

const pause = (milliseconds: number) => new Promise((go) => setTimeout(go, milliseconds))

/** What presses a key once more; it comes with the palette, or with the first key that waits. */
let replay: typeof import('#portal/keyboard/replay-key.ts').replay | null = null

let fetching = false

function fetchReplay(): void {
  if (fetching) return
  fetching = true
  import('#portal/keyboard/replay-key.ts')
    .then(
      (module) => {
        replay = module.replay
      },
      () => pause(100),
    )
    .finally(() => {
      fetching = false
    })
}

/** Answers what waits, each key once it may be. */
async function answer(): Promise<void> {
  answering = true
  for (let first = waiting[0]; first; first = waiting[0]) {
    if (!replay) fetchReplay()
    if (busy()) await pause(4)
    else if (since !== null) {
      const stuck = since
      tookTooLong()
      since = stuck
    } else if (replay && first === waiting[0]) {
      const { key, at, endsText } = first
      waiting.shift()
      replay(key, (again) => {
        replayed.set(again, at)
        if (endsText) runOn.add(again)
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

/** Gives up what waits when the pointer is used and when the browser goes back or forward. Returns what stops it. */
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
