import hotkeys from 'hotkeys-js'
import { atom } from 'jotai/vanilla'
import type { Command } from '#kernel/command.ts'
import { characterOf, isModifier, type KeyInput, pressed, progress, parseChord } from '#kernel/keys.ts'
import { everything, haveEverything } from '#portal/platform/bundle.ts'
import { actionKeys, paletteKey, partKeys } from '#portal/keyboard/fixed-keys.ts'
import { leavePage } from '#portal/keyboard/escape.ts'
import { focusAtom, focusNextPart, focusOf, noticeFocus, scopesOf } from '#portal/keyboard/focus.ts'
import { type BoundKey, choose, keysNow } from '#portal/keyboard/key-choice.ts'
import { lettersAtom } from '#portal/keyboard/letters.ts'
import { placeAtom } from '#portal/platform/location.ts'
import { ignoreText, until } from '#portal/keyboard/hold.ts'
import { isText, keysWait, putBack, waits, watchQueue } from '#portal/hotkeys/key-queue.ts'
import {
  closePalette,
  composingAtom,
  openActions,
  openPalette,
  paletteAtom,
  whileComing,
} from '#portal/commands/palette-state.ts'
import { mac } from '#portal/platform/operating-system.ts'
import { commands } from '#portal/platform/registry.ts'
import { settleMoves } from '#portal/list/cursor.ts'
import { tabNameAtom } from '#portal/list/lists.ts'
import { commandContextAtom } from '#portal/list/command-context.ts'
import { opensForm, startCommand } from '#portal/commands/start.ts'
import { store } from '#portal/platform/store.ts'
import { comingAtom, isKnown, selectionAtom, targetAtom } from '#portal/list/target.ts'
import { showToast } from '#portal/platform/toasts.ts'

/** Milliseconds after which an unfinished sequence is shown, and after which it is forgotten. */
const overlayAfter = 200
const forgetAfter = 1000

/** The keys that can continue the current sequence, for the overlay; null if there is none, or for a short while at first. */
export const chordAtom = atom<{ prefix: string; next: readonly BoundKey[] } | null>(null)

const openKeys = parseChord(paletteKey)
const actions = actionKeys.flatMap(parseChord)
const parts = Object.entries(partKeys).map(([chord, by]) => ({ press: parseChord(chord)[0], by }))

let sequence: KeyInput[] = []
let drawing: ReturnType<typeof setTimeout> | undefined
let forgetting: ReturnType<typeof setTimeout> | undefined

function forget(): void {
  sequence = []
  clearTimeout(drawing)
  clearTimeout(forgetting)
  store.set(chordAtom, null)
}

/** A queued key may continue the sequence, since it was pressed in time. */
function forgetUnlessOneWaits(): void {
  if (keysWait()) forgetting = setTimeout(forgetUnlessOneWaits, 50)
  else forget()
}

/** Neither IME composition nor a modifier alone is a key press. */
const noKey = (event: KeyboardEvent): boolean => event.isComposing || event.keyCode === 229 || isModifier(event)

/** Characters that need AltGr are not shortcuts: they are text, and queued like any other. */
const notOurs = (event: KeyboardEvent): boolean => noKey(event) || (event.getModifierState?.('AltGraph') ?? false)

function take(event: KeyboardEvent): void {
  event.preventDefault()
  event.stopPropagation()
}

/** Handled before everything else: the palette key from anywhere, and the rest of a started sequence. */
function first(event: KeyboardEvent): void {
  if (noKey(event) || waits(event) || notOurs(event)) return
  noticeFocus()
  const focus = focusOf(document.activeElement)
  if (openKeys.some((press) => pressed(press, event, mac))) {
    const { open, pages, typed } = store.get(paletteAtom)
    if (focus === 'dialog' && !open) return
    take(event)
    forget()
    const [page, above] = pages
    // Toggles a palette that was only opened. Otherwise it starts over: what is typed next does not belong to the list behind it.
    if (open && page?.kind === 'root' && !page.actions && !above && typed === '') closePalette()
    else openPalette()
    return
  }
  if (sequence.length) {
    take(event)
    const before = sequence
    if (event.key === 'Escape') forget()
    else if (!match(event)) awaitCommands(event, before)
  }
}

/** Puts a key back, behind the sequence that it may continue, whose command may still be loading. False once all are loaded. */
function awaitCommands(event: KeyboardEvent, before: KeyInput[] = []): boolean {
  if (haveEverything()) return false
  take(event)
  sequence = before
  if (before.length) forgetting = setTimeout(forgetUnlessOneWaits, forgetAfter)
  void everything().catch(() => {})
  putBack(event, haveEverything)
  return true
}

/** A character, or Mod+Z: other keys are left to the browser unless the page handled them. */
const mayBeChord = (event: KeyboardEvent): boolean => {
  const { key, ctrlKey, metaKey, altKey } = event
  return !altKey && (ctrlKey || metaKey ? characterOf(event) === 'z' : key.length === 1 && key !== ' ')
}

/** Handled after the focused part. */
function second(event: KeyboardEvent): void {
  if (event.defaultPrevented || notOurs(event)) return
  const focus = focusOf(document.activeElement)
  if ((event.key === 'Escape' && focus !== 'dialog' && leavePage()) || match(event)) {
    take(event)
    return
  }
  if (scopesOf(focus).includes('workspace') && mayBeChord(event) && awaitCommands(event)) return
  const part = focus !== 'dialog' && parts.find(({ press }) => press && pressed(press, event, mac))
  if (part && focusNextPart(part.by)) {
    take(event)
    return
  }
  const letters = store.get(lettersAtom)
  const action = actions.find((press) => pressed(press, event, mac))
  if (!action || (focus !== 'grid' && focus !== 'detail') || (action.key.length === 1 && !letters)) return
  take(event)
  if (store.get(targetAtom) || store.get(comingAtom)) openActions()
  else {
    ignoreText()
    showToast('Choose a row first.')
  }
}

/** Runs the command of a key or sequence; returns true if there is one, or if the sequence may continue. */
function match(event: KeyboardEvent): boolean {
  settleMoves()
  const focus = store.get(focusAtom)
  const context = store.get(commandContextAtom)
  const noun = context.selection?.entity ?? (store.get(comingAtom) ? store.get(placeAtom)?.entity : undefined)
  const bound = keysNow(commands(), scopesOf(focus), noun, {
    letters: store.get(lettersAtom),
    text: focus === 'text',
    tab: store.get(tabNameAtom),
  })
  const inputs = [...sequence, event]
  const whole: BoundKey[] = []
  const more: BoundKey[] = []
  for (const key of bound) {
    const far = progress(key.chord, inputs, mac)
    if (far === 'whole') whole.push(key)
    else if (far === 'partial') more.push(key)
  }
  clearTimeout(drawing)
  clearTimeout(forgetting)
  if (whole.length) {
    forget()
    if (!event.repeat)
      void run(
        whole.map((key) => key.command),
        isText(event),
      )
    return true
  }
  if (!more.length) {
    forget()
    return false
  }
  sequence = inputs
  const words = sequence.map(characterOf).join(' ')
  drawing = setTimeout(() => store.set(chordAtom, { prefix: words, next: more }), overlayAfter)
  forgetting = setTimeout(forgetUnlessOneWaits, forgetAfter)
  return true
}

/**
 * Runs the one available command of a key; for a row that is loading, once it has loaded. `asText` if the key is a letter, so
 * that text after it is ignored if it is refused.
 */
async function run(all: readonly Command[], asText: boolean): Promise<void> {
  const known = () =>
    all.every((command) => !command.on && !command.keys?.some(({ ofSelection }) => ofSelection)) ||
    isKnown(store.get(selectionAtom))
  const start = (ready: boolean) => {
    const command = ready && choose(all, store.get(commandContextAtom))
    if (command) startCommand(command.id, { asText, byKey: true })
  }
  if (known()) return start(true)
  const ready = until(() => known() && !store.get(composingAtom))
  if (asText && all.every(opensForm)) await whileComing(all.map(({ title }) => title).join(' or '), ready, start)
  else start(await ready)
}

/** The menu key also fires `contextmenu`: the browser's menu is suppressed if our actions have opened. */
function menuKey(event: MouseEvent): void {
  if (event.button === 2) return
  const focus = focusOf(document.activeElement)
  if (focus === 'grid' || focus === 'detail' || store.get(paletteAtom).open) event.preventDefault()
}

/** Listens to all keys through hotkeys-js, bound to `*` only: matching is done here. Returns the function that stops it. */
export function watchKeys(): () => void {
  hotkeys.filter = () => true
  hotkeys('*', { element: document.documentElement, capture: true }, first)
  hotkeys('*', { element: document }, second)
  document.addEventListener('contextmenu', menuKey)
  addEventListener('blur', forget)
  const stopQueue = watchQueue()
  return () => {
    stopQueue()
    hotkeys.unbind('*')
    document.removeEventListener('contextmenu', menuKey)
    removeEventListener('blur', forget)
    forget()
  }
}
