import { atom } from 'jotai/vanilla'
import { z } from 'zod'
import { lacksForUndo } from '#kernel/availability.ts'
import { changes, type Command } from '#kernel/command.ts'
import { formOf } from '#kernel/form.ts'
import { keptEntry } from '#kernel/secrets.ts'
import { commandContextAtom } from '#portal/list/command-context.ts'
import { undoWindow } from '#domain/undo.ts'
import { type HistoryEntry, undoOf } from '#kernel/history.ts'
import { commandById } from '#portal/platform/registry.ts'
import { writeStorage, readStorage } from '#portal/platform/storage.ts'
import { meAtom, myId } from '#portal/api/session.ts'
import { store } from '#portal/platform/store.ts'
import { undoKeyAtom } from '#portal/platform/toasts.ts'
import { noteOwnChange } from '#portal/records/freshness.ts'
import { record } from '#portal/records/entity-store.ts'

const maxEntries = 100
const shape = z.array(z.custom<HistoryEntry>())
const nameOf = (person: string) => `admin-portal.history.${person}`

/** By person, so that nobody sees the entries of somebody else who used the same tab. */
const allAtom = atom<Readonly<Record<string, readonly HistoryEntry[]>>>({})

/** The entries of the user in this session, newest first. */
export const historyAtom = atom<readonly HistoryEntry[]>((get) => {
  const person = get(meAtom)?.person.id
  return person ? (get(allAtom)[person] ?? stored(person)) : []
})

/** The entries stored by the page before a reload: none of its runs continues. */
const stored = (person: string): readonly HistoryEntry[] =>
  (readStorage(nameOf(person), shape, 'sessionStorage') ?? []).map((entry) =>
    entry.goes ? { ...entry, goes: 'broken-off' } : entry,
  )

/**
 * Edits the history of one person, who may be signed out by now: a run continues until the API answers that the session is over.
 */
function editHistory(person: string, edit: (entries: readonly HistoryEntry[]) => readonly HistoryEntry[]): void {
  if (!person) return
  const entries = edit(store.get(allAtom)[person] ?? stored(person))
  store.set(allAtom, (now) => ({ ...now, [person]: entries }))
  noteOwnChange(entries[0] ?? null)
  writeStorage(nameOf(person), entries, 'sessionStorage')
}

/** The person an entry belongs to: found among those seen in this page, else the one who is signed in. */
const ownerOf = (id: string): string =>
  Object.entries(store.get(allAtom)).find(([, entries]) => entries.some((entry) => entry.id === id))?.[0] ?? myId()

/** An entry without the secrets of its command, and without any parameters if the command is unknown. */
function safe<Entry extends Pick<HistoryEntry, 'command' | 'params' | 'before' | 'after' | 'answers' | 'rows'>>(
  entry: Entry,
  command = commandById(entry.command),
): Entry {
  if (!command) return { ...entry, params: {} }
  return keptEntry(command, entry, formFor(command, entry.before ?? entry.rows?.[0]?.before))
}

/** The form of a command for a record; null where it can no longer be determined. */
export function formFor(command: Command, record: unknown): ReturnType<typeof formOf> {
  try {
    return formOf(command, store.get(commandContextAtom), record)
  } catch {
    return null
  }
}

/** Adds an entry to the history; returns its id. `command` is passed if it belongs to a page and is not registered. */
export function addHistory(entry: Omit<HistoryEntry, 'id' | 'at' | 'undone'>, command = commandById(entry.command)): string {
  const id = crypto.randomUUID()
  const added = { ...safe(entry, command), id, at: Date.now(), undone: false }
  editHistory(myId(), (entries) => [added, ...entries].slice(0, maxEntries))
  return id
}

/** The entry with an id. */
export const historyEntry = (id: string): HistoryEntry | undefined => store.get(historyAtom).find((entry) => entry.id === id)

/** Adds a run over several records, none of which is the entry's target; returns its id. */
export const addRunToHistory = (
  { id, title }: Command,
  run: Pick<HistoryEntry, 'run' | 'params' | 'sentence' | 'rows' | 'goes'>,
): string => addHistory({ command: id, title, ...run, target: null, before: undefined, after: undefined, answers: [] })

/** Changes fields of an entry. */
export const patchHistory = (id: string, change: Partial<HistoryEntry>): void =>
  editHistory(ownerOf(id), (entries) => entries.map((entry) => (entry.id === id ? safe({ ...entry, ...change }) : entry)))

/** Marks an entry as undone; with `rows`, these are left to be undone. */
export const markUndone = (id: string, rows?: HistoryEntry['rows']): void =>
  editHistory(ownerOf(id), (entries) =>
    entries.map((entry) => (entry.id !== id ? entry : rows?.length ? { ...entry, rows } : { ...entry, undone: true })),
  )

/**
 * Completes the entry of a run by this page: it becomes the newest entry and can be undone. A run that did nothing leaves no
 * entry.
 */
export const endInHistory = (id: string, rows: NonNullable<HistoryEntry['rows']>): void =>
  editHistory(ownerOf(id), (entries) => {
    const others = entries.filter((entry) => entry.id !== id)
    const entry = entries.find((each) => each.id === id)
    return entry && rows.length ? [safe({ ...entry, rows, goes: undefined, at: Date.now() }), ...others] : others
  })

/** Whether the entry is a run on the server, which only the server can undo. */
export const isServerRun = ({ run, rows }: HistoryEntry): boolean => run !== undefined && !rows

/** Whether an undo without a target concerns this entry; it takes the newest such entry. Older entries do not block it. */
export function isNext(entry: HistoryEntry, now: number): boolean {
  const { undone, refused, passed, undoUntil, at, goes } = entry
  // For runs on the server the time counts from their end.
  const until = isServerRun(entry) ? (undoUntil ?? Infinity) : at + undoWindow
  return !undone && !refused && !passed && (goes === 'on' || now <= until)
}

/** Keeps track of the entry that Ctrl+Z would undo, for its toast. Returns the function that stops it. */
export function watchUndoKey(): () => void {
  const update = () => store.set(undoKeyAtom, store.get(historyAtom).find((each) => isNext(each, Date.now()))?.id ?? null)
  update()
  return store.sub(historyAtom, update)
}

/** Whether to offer the undo of an entry at this time. */
export function offersUndo(entry: HistoryEntry, now: number): boolean {
  const command = commandById(entry.command)
  if (!command || !changes(command) || !command.undo?.steps || entry.undone || entry.refused || entry.goes === 'on') return false
  if (lacksForUndo(command, store.get(commandContextAtom).held).length) return false
  if (isServerRun(entry)) return !entry.noUndo && now < (entry.undoUntil ?? 0)
  if (now - entry.at > undoWindow) return false
  if (entry.rows) return entry.rows.length > 0
  const { on } = command
  const current = on && entry.after ? record(on.name, on.id(entry.after)) : undefined
  return 'steps' in undoOf(command, entry, now, current)
}
