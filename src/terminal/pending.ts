import { createHash, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { intentById } from '#contract/define.ts'
import { Refusal } from '#kernel/api-client.ts'
import { changes } from '#kernel/command.ts'
import { outcomeText } from '#kernel/interruption.ts'
import type { Outbox, OutboxCall } from '#kernel/outbox.ts'
import { carriesSecret, isRepeatable, StoredCall } from '#kernel/outbox-storage.ts'
import { refusalOf, type Reread, titleSent, titleOf } from '#kernel/run.ts'
import { type FormKeys, formKeys, GaveUp, type Sending, sendOnce, SessionOver } from '#kernel/send.ts'
import { type Connection, readRecord } from '#terminal/connection.ts'
import { commandById, entityByName, pageFormOf } from '#terminal/registry.ts'
import { slugOf } from '#terminal/session-file.ts'
import { Stop, stopBy } from '#terminal/stop.ts'
import { filesIn, folders, readPrivate, removeFile, writePrivate } from '#terminal/stored-files.ts'
import type { Streams } from '#terminal/streams.ts'

/** What the terminal keeps of a call besides: the run it belongs to, its place in it, and the process that sends it. */
const Kept = z.object({ run: z.string(), step: z.number(), of: z.number(), process: z.number() })
type KeptCall = OutboxCall & z.infer<typeof Kept>

/** Identifies what a person typed for one record, without saying it: the same again is the same run. */
export const runId = (command: string, target: string | null, typed: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify([command, target, typed]))
    .digest('hex')
    .slice(0, 32)

const folderOf = ({ session }: Connection): string => join(folders.state(), slugOf(session.address), 'calls')

function storedCalls(connection: Connection): KeptCall[] {
  return filesIn(folderOf(connection)).flatMap((path) => {
    const stored = readPrivate(path, () => {})
    const [call, kept] = [StoredCall.safeParse(stored).data, Kept.safeParse(stored).data]
    if (call && kept && isRepeatable(call)) return [{ ...call, ...kept }]
    removeFile(path)
    return []
  })
}

/** Whether another process is still sending a call. */
function isSentElsewhere({ process: id, state }: KeptCall): boolean {
  if (id === process.pid || (state !== 'sending' && state !== 'unknown')) return false
  try {
    process.kill(id, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Sends the calls of a run exactly once. */
export interface Sender {
  io: Sending & { reread: Reread }
  keys: FormKeys
  /** The title of a call without an answer so far; null if there is none. */
  unanswered(): string | null
}

/**
 * Sends calls with idempotency keys, each stored until its answer is known. `typed` is what the person typed, `steps` the number of
 * calls for a record. Without an answer it gives up after `wait` seconds.
 */
export function senderOf(
  connection: Connection,
  { note }: Pick<Streams, 'note'>,
  { typed, steps, wait }: { typed: unknown; steps: number; wait: number },
): Sender {
  const { client, me } = connection
  const folder = folderOf(connection)
  const secret = new Map<string, OutboxCall>()
  const open = new Map<string, string>()
  const places = new Map<string, number>()
  const made = formKeys(randomUUID)
  const outbox: Outbox = {
    all: () => [...storedCalls(connection), ...secret.values()],
    put(call, title) {
      open.set(call.key, title)
      if (call.state === 'given-up' || call.state === 'waiting') open.delete(call.key)
      if (carriesSecret(call)) return void secret.set(call.key, call)
      const before = storedCalls(connection).find(({ key }) => key === call.key)
      const run = before?.run ?? runId(call.command, call.target?.id ?? null, typed)
      const [step, of] = [before?.step ?? places.get(call.key) ?? 0, before?.of ?? steps]
      writePrivate(join(folder, `${call.key}.json`), { ...call, run, step, of, process: process.pid })
    },
    drop(key) {
      open.delete(key)
      secret.delete(key)
      removeFile(join(folder, `${key}.json`))
    },
  }
  const until = Date.now() + wait * 1000
  return {
    io: {
      apiClient: client,
      outbox,
      person: me.person.id,
      newKey: randomUUID,
      repeats: ({ intent }) => client.supports(intent.endpoint, 'idempotency-key'),
      wait: async (attempt) => {
        if (Date.now() >= until) throw new GaveUp(outcomeText.safeToSend)
        if (attempt === 1) note('No answer yet. It is sent again, and happens once.')
        await pause(Math.min(500 * 2 ** attempt, Math.max(0, until - Date.now())))
      },
      reread: async (target) => target,
    },
    keys: {
      of: (step, call) => {
        const key = made.of(step, call)
        places.set(key, step)
        return key
      },
      refused: made.refused,
    },
    unanswered: () => [...open.values()].at(-1) ?? null,
  }
}

/** What is under way: an interruption leaves the outcome of a sender's calls unknown, and a run on the server goes on. */
export const underWay: { sender: Sender | null; run: string | null } = { sender: null, run: null }

/** How a run that had been interrupted ended: the sentence and the record, and whether it was the last of its calls. */
export interface ResumedRun {
  sentence: string
  after: unknown
  isWhole: boolean
}

/**
 * Sends every unanswered call of this person again, under its own key, and reports each outcome. Returns those of the runs in
 * `own` that went through: these must not be sent again. `some` says whether there was any: what was read before is old then.
 */
export async function resumeCalls(
  connection: Connection,
  streams: Streams,
  own: ReadonlySet<string>,
  wait: number,
): Promise<{ own: ReadonlyMap<string, ResumedRun>; some: boolean }> {
  const resumed = new Map<string, ResumedRun>()
  let some = false
  for (const call of storedCalls(connection)) {
    const isOwn = own.has(call.run)
    if (call.person !== connection.me.person.id || isSentElsewhere(call) || (call.state === 'given-up' && !isOwn)) continue
    const outcome = await resume(connection, streams, call, wait)
    some = true
    if (!outcome) continue
    const isWhole = call.step + 1 >= call.of
    if (isOwn) resumed.set(call.run, { ...outcome, isWhole })
    else streams.note(outcome.sentence)
  }
  return { own: resumed, some }
}

async function resume(
  connection: Connection,
  streams: Streams,
  call: KeptCall,
  wait: number,
): Promise<{ sentence: string; after: unknown } | null> {
  const command = intentById(call.intent) ? commandById(call.command) : (await pageFormOf({ id: call.command }))?.command
  const intent = intentById(call.intent)
  const name = command?.title ?? outcomeText.title
  const sender = senderOf(connection, streams, { typed: null, steps: call.of, wait })
  if (!intent) {
    sender.io.outbox.drop(call.key)
    streams.note(outcomeText.unknown(name))
    return null
  }
  const { target } = call
  const on = target ? entityByName(target.entity) : undefined
  const read = async () => (on && target ? readRecord(connection, on, target.id).catch(() => undefined) : undefined)
  const record = await read()
  const title = command ? titleSent(command, record, call.body) : titleOf(name, on, record)
  try {
    await sendOnce({ intent, at: call.at, body: call.body }, { ...call, title }, sender.io)
    const after = await read()
    const isKnown = command && changes(command) && (after !== undefined || !command.on)
    return { sentence: isKnown ? command.done.message(after, call.body) : outcomeText.wentThrough(title), after }
  } catch (error) {
    if (error instanceof SessionOver) throw stopBy(error)
    if (error instanceof GaveUp) throw new Stop('unknown', outcomeText.unknown(title), error.detail)
    if (!(error instanceof Refusal)) throw error
    const refusal = command && record !== undefined ? refusalOf(command, record, error.problem) : null
    streams.note(`${outcomeText.failed(title)} ${refusal?.sentence ?? error.message}`)
    return null
  }
}
