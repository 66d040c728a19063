import { notArrived } from '#portal/platform/deferred.ts'
import { atom } from 'jotai/vanilla'
import { store } from '#portal/platform/store.ts'

export interface Toast {
  id: number
  tone: 'good' | 'bad' | 'plain'
  sentence: string
  /** The server's message, as a second line. */
  detail: string | null
  /** The history entry that its Undo button undoes. */
  undo: string | null
  /** The shortcut of the command, shown to somebody who ran it without. */
  chord?: string | null
}

export const toastsAtom = atom<readonly Toast[]>([])
/** The history entry that Ctrl+Z would undo. */
export const undoKeyAtom = atom<string | null>(null)
/** The next sentence for the screen reader; `assertive` for failures. */
export const spokenAtom = atom<{ sentence: string; assertive: boolean; at: number }>({ sentence: '', assertive: false, at: 0 })

let next = 1

/** Shows a message for a while, and announces it. Shows at most three toasts. */
export function showToast(sentence: string, more: Partial<Omit<Toast, 'id' | 'sentence'>> = {}): void {
  const toast: Toast = { id: next++, tone: 'plain', detail: null, undo: null, ...more, sentence }
  store.set(toastsAtom, (now) => [...now.slice(-2), toast])
  const keys = more.chord && `Shortcut: ${more.chord}.`
  announce([sentence, more.detail, keys].filter(Boolean).join(' '), toast.tone === 'bad')
}

/** Shows that a part of the portal failed to load. */
export const sayMissing = (): void => showToast(notArrived, { tone: 'bad' })

/** Announces a sentence to screen readers only. */
export const announce = (sentence: string, assertive = false): void =>
  store.set(spokenAtom, { sentence, assertive, at: Date.now() })

/** Removes a toast. */
export const dismiss = (id: number): void => store.set(toastsAtom, (now) => now.filter((toast) => toast.id !== id))

/** Removes the toasts that offer to undo an entry. */
export const dismissUndo = (entry: string): void => store.set(toastsAtom, (now) => now.filter((toast) => toast.undo !== entry))
