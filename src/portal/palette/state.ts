import { atom } from 'jotai/vanilla'
import { focusBack } from '#portal/keyboard/focus.ts'
import { settleMoves } from '#portal/list/cursor.ts'
import { store } from '#portal/app/store.ts'
import { oneTarget, type Target, targetAtom, targetsBy } from '#portal/commands/target.ts'

/** What a command is done to: rows by id, everything a filter matches, or nothing. */
export interface Targets {
  entity: string | null
  ids: readonly string[]
  filter: Readonly<Record<string, string>> | null
  count: number | null
}
export const noTargets: Targets = { entity: null, ids: [], filter: null, count: 0 }

/** The pages of the palette, the last one on top; Backspace on an empty field goes one back. */
export type Page = PageKind & {
  /** What stood in its field when another one was put on top, and the key of the row that was chosen for it. */
  typed?: string
  row?: string
}

type PageKind =
  /** The list of everything; with `actions`, until something is typed, of what can be done to the target alone. */
  | { kind: 'root'; actions?: true }
  /** Asks for the target of a command. */
  | { kind: 'target'; command: string; params?: Record<string, unknown> }
  /**
   * Form, preview, warning and confirmation of a command in one. `draft` keeps what was typed when it is left. `about` says what an undo
   * or a retry would act on, which its title does not.
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
   * What commands are done to: the target there was when it opened, whatever happens behind it, or a thing taken from the
   * list by Tab. Null when it was dropped; undefined while the list has yet to say which row it is.
   */
  target: Target | null | undefined
  /** Enter was pressed on what is typed before the list was there to take it. */
  entered: boolean
}
const closed: PaletteState = { open: false, pages: [{ kind: 'root' }], typed: '', target: null, entered: false }
export const paletteAtom = atom<PaletteState>(closed)

let drawn: PaletteState | null = null
/** What is drawn of the palette now; null while it was never drawn. Keys wait until it is what they are for. */
export const drawnPalette = (): PaletteState | null => drawn
/** Called once the palette is rendered, with the focus in it or given back. */
export function tellDrawn(state: PaletteState): void {
  drawn = state
}

/** What had the focus when the palette was opened: remembered once, whatever is drawn in the meantime. */
let opener: Element | null = null

function rememberOpener(): void {
  if (!store.get(paletteAtom).open) opener = document.activeElement
}

/** Gives the focus back to where the palette was opened from; to the work where that is gone. */
export const focusOpener = (): void => focusBack(opener)

/** Opens the palette, on its list or at a page. */
export function openPalette(page: Page = { kind: 'root' }, typed = ''): void {
  settleMoves()
  rememberOpener()
  store.set(paletteAtom, { ...closed, open: true, pages: [page], typed, target: store.get(targetAtom) ?? undefined })
}

/** Opens the palette with what can be done to the target. */
export const openActions = (): void => openPalette({ kind: 'root', actions: true })

/** Opens the palette on the filters of the open list. */
export const openFilters = (): void => openPalette({ kind: 'root' }, '/')

/** Puts a page on top; opens the palette at it where it is closed. */
export function pushPage(page: Page): void {
  const { open, pages, typed } = store.get(paletteAtom)
  const below = pages.map((each, at) => (at === pages.length - 1 ? { ...each, typed } : each))
  if (open) store.set(paletteAtom, (now) => ({ ...now, pages: [...below, page], typed: '' }))
  else openPalette(page)
}

/**
 * Takes the page on top away, back to the one below with what was typed there: without it, that would be about something else. The
 * last one closes the palette.
 */
export function popPage(): void {
  const below = store.get(paletteAtom).pages.slice(0, -1)
  const top = below.at(-1)
  store.set(paletteAtom, (now) => (top ? { ...now, pages: below, typed: top.typed ?? '' } : closed))
}

/** True while what was typed is there again, as it was before another page was on top: it is marked, for the next letter to replace it. */
export function isBack(): boolean {
  const { pages, typed } = store.get(paletteAtom)
  return typed !== '' && pages.at(-1)?.typed === typed
}

/** Notes the row that is acted on, where the highlight is again once one is back. */
export const markRow = (row: string): void =>
  store.set(paletteAtom, (now) => ({
    ...now,
    pages: now.pages.map((each, at) => (at === now.pages.length - 1 ? { ...each, row } : each)),
  }))
/** The row that was acted on in the page that one is back at. */
export const markedRow = (): string | undefined => store.get(paletteAtom).pages.at(-1)?.row

/** Closes the palette, whatever page it is on. */
export const closePalette = (): void => store.set(paletteAtom, closed)

/** Leaves a run for the page that it was looked up on. What it was started from has happened, so that closes. */
export const leaveRun = (): void => (store.get(paletteAtom).pages.at(-2)?.kind === 'root' ? closePalette() : popPage())

/** Closes the palette where the form of that command, for that target, is on top: what it was for has happened. */
export function closeForm(command: string, target: { entity: string; id: string } | null): void {
  const { open, pages } = store.get(paletteAtom)
  const page = pages.at(-1)
  if (!open || page?.kind !== 'form' || page.command !== command) return
  const { entity, ids } = page.targets
  if (entity === (target?.entity ?? null) && ids.join() === (target?.id ?? '')) closePalette()
}

/** Sets the text of the palette's field. */
export const typePalette = (typed: string): void => store.set(paletteAtom, (now) => ({ ...now, typed, entered: false }))
/** Enter on what is typed, before the list is there; the list acts on it. Nothing typed is nothing chosen. */
export const enterPalette = (): void => store.set(paletteAtom, (now) => ({ ...now, entered: now.typed.trim() !== '' }))
/** Takes that Enter, once. */
export function takeEnter(): boolean {
  const { entered } = store.get(paletteAtom)
  if (entered) store.set(paletteAtom, (now) => ({ ...now, entered: false }))
  return entered
}
/** Lets go of the selection that the palette would act on. */
export const dropChip = (): void => store.set(paletteAtom, (now) => ({ ...now, target: null }))

/** Makes several things the chip, with what can be done to them on top. */
export const chooseRecords = (entity: string, ids: readonly string[]): void =>
  store.set(paletteAtom, (now) => ({
    ...now,
    pages: [{ kind: 'root', actions: true }],
    typed: '',
    target: { ...targetsBy(entity, ids), how: ids.length === 1 ? 'active' : 'marked' },
  }))

/** Makes a thing the chip, so that commands are about it. */
export const chooseRecord = (entity: string, id: string): void =>
  store.set(paletteAtom, (now) => ({ ...now, typed: '', target: oneTarget(entity, id) }))
