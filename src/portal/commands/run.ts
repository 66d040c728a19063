import { checkBefore, undoRefusal } from '#kernel/checks.ts'
import { changes, type Command, type Read } from '#kernel/command.ts'
import { inParallel } from '#kernel/in-parallel.ts'
import { type Outcome, type Reread, runOne } from '#kernel/run.ts'
import type { FormKeys, Sending } from '#kernel/send.ts'
import { takeKeyHint } from '#portal/commands/key-hints.ts'
import { dropSent } from '#portal/commands/drafts.ts'
import { addHistory, historyEntry, offersUndo } from '#portal/commands/history.ts'
import { refreshLists } from '#portal/list/lists.ts'
import { outbox } from '#portal/commands/outbox/calls.ts'
import { reportLater } from '#portal/commands/outbox/interruptions.ts'
import { readRecord } from '#portal/records/load-record.ts'
import { capabilitiesAtom } from '#portal/api/capabilities.ts'
import { isRead, myId } from '#portal/api/session.ts'
import { store } from '#portal/platform/store.ts'
import { upsertRecords } from '#portal/records/entity-store.ts'
import { showToast } from '#portal/platform/toasts.ts'
import { recordUse } from '#portal/commands/uses.ts'
import { apiClient } from '#portal/api/client.ts'

const maxWait = 15_000

/** Delays between retries of a call: 1 s, 2 s, 4 s ... 15 s, or until the network is back. */
export const waitToAskAgain = (attempt: number): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      removeEventListener('online', done)
      clearTimeout(timer)
      resolve()
    }
    const timer = setTimeout(done, navigator.onLine ? Math.min(maxWait, 500 * 2 ** attempt) : maxWait)
    addEventListener('online', done)
  })

/** A new idempotency key. */
export const newKey = (): string => crypto.randomUUID()

/** Sends calls exactly once for the signed-in user, with idempotency keys and retries. */
export function sending(command?: Command): Sending & { reread: Reread } {
  const on = command?.on
  const person = myId()
  return {
    apiClient,
    outbox,
    person,
    isHere: () => isRead(person),
    newKey,
    repeats: ({ intent }) => store.get(capabilitiesAtom)(intent.endpoint, 'idempotency-key'),
    wait: waitToAskAgain,
    reread: async (target) => (on ? readRecord(on, on.id(target)) : target),
  }
}

export interface Watch {
  keys?: FormKeys
  /** The fetched data that the preview was computed from. */
  facts?: unknown
  /** The ids of all records of a command on several together. */
  together?: readonly string[] | undefined
  /** Why an undo would be refused, if known beforehand: none is offered then. */
  noUndo?: string | null
  /** Whether the caller still shows the outcome; a failure is a toast otherwise. */
  watching?: () => boolean
}

const running = new Map<string, Promise<Outcome>>()

/**
 * Runs a change for one record (or none) and reports the outcome: row, history, toast with undo, frecency. The same command on
 * the same record runs once at a time, so that a double Enter is one request.
 */
export function runCommand(
  command: Command,
  target: unknown,
  params: Record<string, unknown>,
  watch: Watch = {},
): Promise<Outcome> {
  const what = `${command.id} ${command.on ? command.on.id(target) : ''}`
  const known = running.get(what)
  if (known) return known
  const io = sending(command)
  const outcome = runOne(command, target, params, io, watch)
    .then((ended) => {
      reportOutcome(command, target, params, ended, watch, io.person)
      return ended
    })
    .finally(() => running.delete(what))
  running.set(what, outcome)
  return outcome
}

function reportOutcome(
  command: Command,
  target: unknown,
  params: Record<string, unknown>,
  outcome: Outcome,
  watch: Watch,
  person: string,
): void {
  const { on } = command
  const of = on ? { entity: on.name, id: on.id(target) } : null
  if (outcome.kind !== 'done') {
    const watching = watch.watching?.() ?? false
    const { interruption, sent } = outcome.kind === 'refused' ? outcome : {}
    const what = { command: command.id, target: of, watching, keys: watch.keys, sent }
    const isLater = interruption !== undefined && reportLater(interruption, person, what)
    // Rows that succeeded before the failure stay done.
    if (changes(command) && command.plan?.failed) refreshLists()
    if (!watching && !isLater) showToast(outcome.sentence, { tone: 'bad', detail: outcome.detail })
    return
  }
  if (on) upsertRecords(on.name, [outcome.after])
  recordUse(command.id)
  const { before, after, answers, sentence } = outcome
  const { noUndo, together } = watch
  reportDone(command, of, {
    ...{ sentence, params, before, after, answers },
    target: on && of ? { ...of, title: on.title(target) } : null,
    ...(noUndo ? { noUndo } : {}),
    ...(together ? { together } : {}),
  })
}

type HistoryItem = Parameters<typeof addHistory>[0]

/** Reports a change that was done: its draft goes, history, toast with undo. */
export function reportDone(
  command: Command,
  target: { entity: string; id: string } | null,
  did: Omit<HistoryItem, 'command' | 'title'>,
): void {
  dropSent(command, target)
  // A custom plan may change more than its target: the rows on screen are refetched.
  if (changes(command) && command.plan) refreshLists()
  const entry = addHistory({ command: command.id, title: command.title, ...did }, command)
  showToast(did.sentence, { tone: 'good', undo: undoIfOffered(entry), ...keyHint(command.id) })
}

/** The shortcut for a toast, if the person has not seen it yet. */
function keyHint(id: string): { chord?: string } {
  const chord = takeKeyHint(id)
  return chord === null ? {} : { chord }
}

/** The id of the entry if it can be undone now, for the toast's Undo. */
export const undoIfOffered = (id: string): string | null => {
  const entry = historyEntry(id)
  return entry && offersUndo(entry, Date.now()) ? id : null
}

const reading =
  (signal: AbortSignal | undefined): Read =>
  (endpoint, at) =>
    apiClient.read(endpoint, at, undefined, signal ? { signal } : {})

/** The sentence of a refusal by the check that an intent requires before it, or null. Throws if there is no answer. */
export const checkFirst = (command: Command, target: unknown, signal?: AbortSignal): Promise<string | null> =>
  checkBefore(command, target, reading(signal))

/** Number of rows checked in parallel. */
const maxChecks = 4

/** Why an undo would be refused afterwards, as far as known now; null if it would not, or if unknown. */
export const whyNoUndo = (command: Command, target: unknown, signal?: AbortSignal): Promise<string | null> =>
  undoRefusal(command, target, reading(signal), store.get(capabilitiesAtom))

/** The refusal of each row by a check before an intent, by id; rows without a refusal are left out. */
export const refusedFirst = (command: Command, rows: readonly unknown[], signal: AbortSignal) =>
  sentences(rows, (row) => checkFirst(command, row, signal))

/** The refusal that an undo of each row would get afterwards; the others are left out. */
export const undoRefused = (command: Command, rows: readonly unknown[], signal: AbortSignal) =>
  sentences(rows, (row) => whyNoUndo(command, row, signal))

async function sentences(
  rows: readonly unknown[],
  of: (row: unknown) => Promise<string | null>,
): Promise<ReadonlyMap<unknown, string>> {
  const found = await inParallel(rows, maxChecks, of)
  return new Map(rows.flatMap((row, at) => (found[at] ? [[row, found[at]] as const] : [])))
}
