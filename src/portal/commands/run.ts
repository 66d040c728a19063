import { atId } from '#contract/define.ts'
import { changes, type Command } from '#kernel/command.ts'
import { touched } from '#kernel/pending.ts'
import { type Outcome, type Reread, runOne } from '#kernel/run.ts'
import type { FormKeys, Sending } from '#kernel/send.ts'
import { dropSent } from '#portal/commands/drafts.ts'
import { addHistory, historyEntry, offersUndo } from '#portal/commands/history.ts'
import { refreshLists } from '#portal/list/lists.ts'
import { pendingCalls } from '#portal/commands/pending.ts'
import { markConfirmed, markUnconfirmed } from '#portal/commands/unconfirmed.ts'
import { tellOver } from '#portal/commands/unsent.ts'
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
export function sending(command: Command, unknown?: (is: boolean) => void): Sending & { reread: Reread } {
  const { on } = command
  const person = myId()
  return {
    apiClient,
    pending: pendingCalls,
    person,
    isHere: () => isRead(person),
    newKey,
    repeats: ({ intent }) => store.get(capabilitiesAtom)(intent.endpoint, 'idempotency-key'),
    wait: waitToAskAgain,
    onUnknown: ({ key, command: sent, title, target = null, body }) => {
      markUnconfirmed({ key, command: sent, title, target, touches: touched({ target, body }) })
      unknown?.(true)
    },
    onKnown: (key) => {
      markConfirmed(key)
      unknown?.(false)
    },
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
  /** Called while it is not known whether it went through. */
  unknown?: (is: boolean) => void
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
  const io = sending(command, watch.unknown)
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
  if (outcome.kind !== 'done') {
    const watching = watch.watching?.() ?? false
    // Reported where the user is by then.
    const { on } = command
    const of = on ? { entity: on.name, id: on.id(target) } : null
    const sent = outcome.kind === 'refused' && outcome.sent
    const what = { command: command.id, target: of, watching, keys: watch.keys, ...(sent ? { sent } : {}) }
    const later = outcome.kind === 'refused' && outcome.over !== undefined && tellOver(outcome.over, person, what)
    // Rows that succeeded before the failure stay done.
    if (changes(command) && command.partialFailure) refreshLists()
    if (!watching && !later) showToast(outcome.sentence, { tone: 'bad', detail: outcome.detail })
    return
  }
  const { on } = command
  if (on) upsertRecords(on.name, [outcome.after])
  dropSent(command, on ? { entity: on.name, id: on.id(target) } : null)
  recordUse(command.id)
  // A custom plan may change more than its target: the rows on screen are refetched.
  if (changes(command) && command.plan) refreshLists()
  const { before, after, answers, sentence } = outcome
  const of = on ? { entity: on.name, id: on.id(target), title: on.title(target) } : null
  const { noUndo, together } = watch
  const more = { ...(noUndo ? { noUndo } : {}), ...(together ? { together } : {}) }
  const did = { command: command.id, title: command.title, sentence, target: of, params, before, after, answers, ...more }
  const entry = addHistory(did, command)
  showToast(sentence, { tone: 'good', undo: undoIfOffered(entry) })
}

/** The id of the entry if it can be undone now, for the toast's Undo. */
export const undoIfOffered = (id: string): string | null => {
  const entry = historyEntry(id)
  return entry && offersUndo(entry, Date.now()) ? id : null
}

/**
 * Runs the check that an intent requires before it (`checkedBy`); returns the sentence of a refusal, or null. Throws if there is
 * no answer.
 */
export async function checkFirst(command: Command, target: unknown, signal?: AbortSignal): Promise<string | null> {
  if (!changes(command) || !command.on) return null
  for (const { checkedBy } of command.does) {
    if (!checkedBy) continue
    const { endpoint } = checkedBy
    const answer = await apiClient.read(endpoint, atId(endpoint, command.on.id(target)), undefined, signal ? { signal } : {})
    const refusal = checkedBy.refuses(answer as never)
    if (refusal) return refusal.sentence
  }
  return null
}

/** Number of rows checked in parallel. */
const askedAtOnce = 4

/** Why an undo would be refused afterwards, as far as known now; null if it would not, or if unknown. */
export async function whyNoUndo(command: Command, target: unknown, signal?: AbortSignal): Promise<string | null> {
  if (!changes(command) || !command.on || !command.undo) return null
  const [id, version] = [command.on.id(target), command.on.version(target)]
  for (const intent of command.does) {
    const call = intent.undo?.({ id, version }, target)
    if (call === null) return intent.noUndo ?? 'This cannot be undone.'
    const asked = call?.intent.checkedBy
    if (!asked?.afterwards || !store.get(capabilitiesAtom)(asked.endpoint)) continue
    const { endpoint } = asked
    const answer = await apiClient.read(endpoint, atId(endpoint, id), undefined, signal ? { signal } : {}).catch(() => null)
    const refusal = answer && asked.afterwards(answer as never, target as never)
    if (refusal) return refusal.sentence
  }
  return null
}

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
  const refused = new Map<unknown, string>()
  const waiting = [...rows]
  const ask = async (): Promise<void> => {
    for (let row = waiting.shift(); row !== undefined; row = waiting.shift()) {
      const sentence = await of(row)
      if (sentence !== null) refused.set(row, sentence)
    }
  }
  await Promise.all(Array.from({ length: askedAtOnce }, ask))
  return refused
}
