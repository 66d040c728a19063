import { notArrived } from '#portal/app/deferred.ts'
import { atom } from 'jotai/vanilla'
import { store } from '#portal/app/store.ts'

export interface Toast {
  id: number
  tone: 'good' | 'bad' | 'plain'
  sentence: string
  /** The server's own words, as a second line. */
  detail: string | null
  /** The history entry that its Undo undoes. */
  undo: string | null
}

export const toastsAtom = atom<readonly Toast[]>([])
/** The history entry that Ctrl+Z is about now. */
export const undoKeyAtom = atom<string | null>(null)
/** The next sentence for the screen reader; `assertive` for failures. */
export const spokenAtom = atom<{ sentence: string; assertive: boolean; at: number }>({ sentence: '', assertive: false, at: 0 })

let next = 1

/** Tells the person something: drawn for a while, and spoken. At most three stand at once. */
export function showToast(sentence: string, more: Partial<Omit<Toast, 'id' | 'sentence'>> = {}): void {
  const toast: Toast = { id: next++, tone: 'plain', detail: null, undo: null, ...more, sentence }
  store.set(toastsAtom, (now) => [...now.slice(-2), toast])
  announce(more.detail ? `${sentence} ${more.detail}` : sentence, toast.tone === 'bad')
}

/** Says that what was asked for is in a part of the portal that did not arrive. */
export const sayMissing = (): void => showToast(notArrived, { tone: 'bad' })

/** Only spoken. */
export const announce = (sentence: string, assertive = false): void =>
  store.set(spokenAtom, { sentence, assertive, at: Date.now() })

/** Takes one message away. */
export const dismiss = (id: number): void => store.set(toastsAtom, (now) => now.filter((toast) => toast.id !== id))

/** Takes away what offers to undo an entry that is undone. */
export const dismissUndo = (entry: string): void => store.set(toastsAtom, (now) => now.filter((toast) => toast.undo !== entry))
