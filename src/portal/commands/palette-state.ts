import { atom } from 'jotai/vanilla'
import { focusBack } from '#portal/keyboard/focus.ts'
import { blockKeysWhile } from '#portal/keyboard/hold.ts'
import { settleMoves } from '#portal/list/cursor.ts'
import { store } from '#portal/platform/store.ts'
import type { Targets } from '#portal/platform/commands.ts'
import { oneTarget, type Target, targetAtom, targetsBy } from '#portal/list/target.ts'

/** The pages of the palette as a stack; Backspace in an empty field pops one. */
export type Page = PageKind & {
  /** The text of its field when another page was pushed, and the key of the row chosen then. */
  typed?: string
  row?: string
}

type PageKind =
  /** The main list; with `actions`, an empty field lists only commands for the target. */
  | { kind: 'root'; actions?: true }
  /** Asks for the target of a command. */
  | { kind: 'target'; command: string; params?: Record<string, unknown> }
  /**
   * Form, preview, warning and confirmation of a command. Its input is kept as a draft. `about` describes what an undo or a retry
   * acts on, since its title does not.
   */
  /** `complete` if the parameters are all that the person wants to fill in. */
  | { kind: 'form'; command: string; targets: Targets; params?: Record<string, unknown>; complete?: boolean; about?: string }
  /** Progress and result of a bulk run. */
  | { kind: 'run'; run: string }
  /** A form that cannot be opened yet, with the title of its command. */
  | { kind: 'coming'; title: string }
  | { kind: 'history' }
  | { kind: 'places' }
  | { kind: 'favourites' }
  /** Asks for ids copied from a spreadsheet, starting with those that were pasted into the palette. */
  | { kind: 'pasted'; text: string }

export interface PaletteState {
  open: boolean
  pages: readonly Page[]
  /** The text in the field of the top page; for a form, the text typed before its fields are there. */
  typed: string
  /**
   * The target of commands: the one from when the palette opened, regardless of later changes behind it, or a record chosen by
   * Tab. Null if it was dropped; undefined while the list has not determined it.
   */
  target: Target | null | undefined
  /** Enter was pressed on the text before the list was rendered. */
  entered: boolean
}
const closed: PaletteState = { open: false, pages: [{ kind: 'root' }], typed: '', target: null, entered: false }
export const paletteAtom = atom<PaletteState>(closed)
/** Whether the palette is open: unlike its state it does not change with each letter. */
export const paletteOpenAtom = atom((get) => get(paletteAtom).open)

/** Where the caret was in a field that stands in for the next one. */
let caret: TextAhead['caret'] = null

let drawn: PaletteState | null = null
/** The palette state that is rendered; null if it never was. Queued keys wait until it is current. */
export const drawnPalette = (): PaletteState | null => drawn
/** Called once the palette is rendered, with the focus in it or given back. */
export function tellDrawn(state: PaletteState): void {
  drawn = state
}

/** The element focused when the palette was opened: stored once, whatever renders in between. */
let opener: Element | null = null

function rememberOpener(): void {
  if (!store.get(paletteAtom).open) opener = document.activeElement
}

/** Restores the focus to where the palette was opened from, or to the page if that is gone. */
export const focusOpener = (): void => focusBack(opener)

/** Opens the palette, on its list or at a page. */
export function openPalette(page: Page = { kind: 'root' }, typed = ''): void {
  settleMoves()
  rememberOpener()
  caret = null
  store.set(paletteAtom, { ...closed, open: true, pages: [page], typed, target: store.get(targetAtom) ?? undefined })
}

/** Opens the palette with the commands for the target. */
export const openActions = (): void => openPalette({ kind: 'root', actions: true })

/** Opens the palette on the filters of the open list. */
export const openFilters = (): void => openPalette({ kind: 'root' }, '/')

/** Pushes a page; opens the palette if it is closed. Replaces a page that waited for a form, and keeps the text typed for it. */
export function pushPage(page: Page): void {
  const { open, pages, typed } = store.get(paletteAtom)
  if (open && pages.at(-1)?.kind === 'coming') {
    store.set(paletteAtom, (now) => ({ ...now, pages: [...pages.slice(0, -1), page] }))
    return
  }
  const below = pages.map((each, at) => (at === pages.length - 1 ? { ...each, typed } : each))
  if (open) store.set(paletteAtom, (now) => ({ ...now, pages: [...below, page], typed: '' }))
  else openPalette(page)
}

/** Pops the top page and restores the text of the one below. Popping the last one closes the palette. */
export function popPage(): void {
  const below = store.get(paletteAtom).pages.slice(0, -1)
  const top = below.at(-1)
  store.set(paletteAtom, (now) => (top ? { ...now, pages: below, typed: top.typed ?? '' } : closed))
}

/**
 * Queues later keys behind what a form needs before it can open, then calls `open` with it. A page takes the place of the form
 * meanwhile, so that text typed for it has a field; it goes if no form has replaced it.
 */
export async function whileComing<T>(title: string, work: Promise<T>, open: (ready: T) => unknown): Promise<void> {
  const page: Page = { kind: 'coming', title }
  pushPage(page)
  try {
    await open(await blockKeysWhile(work))
  } finally {
    if (store.get(paletteAtom).pages.at(-1) === page) popPage()
  }
}

/** Text typed into a field that stands in for one that is not drawn yet, and the caret in it. */
export interface TextAhead {
  text: string
  caret: readonly [start: number, end: number] | null
}

/** True during input composition in a field that stands in for another: it stays until that has ended. */
export const composingAtom = atom(false)

/** Stores the caret of a field that stands in for another one. */
export const keepCaret = ({ selectionStart, selectionEnd }: Pick<HTMLInputElement, 'selectionStart' | 'selectionEnd'>): void => {
  caret = [selectionStart ?? 0, selectionEnd ?? 0]
}

/** Takes that caret, once. */
export function takeCaret(): TextAhead['caret'] {
  const kept = caret
  caret = null
  return kept
}

/** Takes the text typed for the form on top, once. */
export function takeTextAhead(): TextAhead {
  const { typed } = store.get(paletteAtom)
  if (typed) typePalette('')
  return { text: typed, caret: takeCaret() }
}

/** True if the text was restored after a page was popped: it is selected, so that the next letter replaces it. */
export function isBack(): boolean {
  const { pages, typed } = store.get(paletteAtom)
  return typed !== '' && pages.at(-1)?.typed === typed
}

/** Stores the row that is acted on, to highlight it again when its page is back on top. */
export const markRow = (row: string): void =>
  store.set(paletteAtom, (now) => ({
    ...now,
    pages: now.pages.map((each, at) => (at === now.pages.length - 1 ? { ...each, row } : each)),
  }))
/** The row that was acted on before another page was pushed. */
export const markedRow = (): string | undefined => store.get(paletteAtom).pages.at(-1)?.row

/** Closes the palette, whatever page it is on. */
export const closePalette = (): void => store.set(paletteAtom, closed)

/** Returns from a run to the page it was opened from. If that is the main list, the palette closes, since its command has run. */
export const leaveRun = (): void => (store.get(paletteAtom).pages.at(-2)?.kind === 'root' ? closePalette() : popPage())

/** Closes the palette if the form of this command and target is on top: it has been sent. */
export function closeForm(command: string, target: { entity: string; id: string } | null): void {
  const { open, pages } = store.get(paletteAtom)
  const page = pages.at(-1)
  if (!open || page?.kind !== 'form' || page.command !== command) return
  const { entity, ids } = page.targets
  if (entity === (target?.entity ?? null) && ids.join() === (target?.id ?? '')) closePalette()
}

/** Sets the text of the palette's field. */
export const typePalette = (typed: string): void => store.set(paletteAtom, (now) => ({ ...now, typed, entered: false }))
/** Stores an Enter pressed before the list is rendered, which then acts on it. Ignored if nothing is typed. */
export const enterPalette = (): void => store.set(paletteAtom, (now) => ({ ...now, entered: now.typed.trim() !== '' }))
/** Takes that Enter, once. */
export function takeEnter(): boolean {
  const { entered } = store.get(paletteAtom)
  if (entered) store.set(paletteAtom, (now) => ({ ...now, entered: false }))
  return entered
}
/** Drops the selection that the palette would act on. */
export const dropChip = (): void => store.set(paletteAtom, (now) => ({ ...now, target: null }))

/** Makes several records the chip, and lists the commands for them. */
export const chooseRecords = (entity: string, ids: readonly string[]): void =>
  store.set(paletteAtom, (now) => ({
    ...now,
    pages: [{ kind: 'root', actions: true }],
    typed: '',
    target: { ...targetsBy(entity, ids), how: ids.length === 1 ? 'active' : 'marked' },
  }))

/** Makes a record the chip, as the target of commands. */
export const chooseRecord = (entity: string, id: string): void =>
  store.set(paletteAtom, (now) => ({ ...now, typed: '', target: oneTarget(entity, id) }))
