import { atom } from 'jotai/vanilla'
import { focusBack } from '#portal/keyboard/focus.ts'
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
  | { kind: 'form'; command: string; targets: Targets; params?: Record<string, unknown>; about?: string }
  /** Progress and result of a bulk run. */
  | { kind: 'run'; run: string }
  | { kind: 'history' }
  /** Asks for ids copied from a spreadsheet, starting with those that were pasted into the palette. */
  | { kind: 'pasted'; text: string }

export interface PaletteState {
  open: boolean
  pages: readonly Page[]
  /** The text in the field of the top page. */
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
  store.set(paletteAtom, { ...closed, open: true, pages: [page], typed, target: store.get(targetAtom) ?? undefined })
}

/** Opens the palette with the commands for the target. */
export const openActions = (): void => openPalette({ kind: 'root', actions: true })

/** Opens the palette on the filters of the open list. */
export const openFilters = (): void => openPalette({ kind: 'root' }, '/')

/** Pushes a page; opens the palette if it is closed. */
export function pushPage(page: Page): void {
  const { open, pages, typed } = store.get(paletteAtom)
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
