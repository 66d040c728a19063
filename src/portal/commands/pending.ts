import { z } from 'zod'
import { intentById } from '#contract/define.ts'
import { hasSecret } from '#contract/secrets.ts'
import type { PendingCall, PendingStore } from '#kernel/pending.ts'
import { writeStorage, readStorage } from '#portal/platform/storage.ts'

/** The server keeps replies for 24 hours: an older key no longer makes a retry safe. */
const keptFor = 24 * 3_600_000
const name = 'admin-portal.pending'

const Kept = z.array(
  z.object({
    key: z.string(),
    person: z.string(),
    command: z.string(),
    target: z.object({ entity: z.string(), id: z.string() }).nullable(),
    intent: z.string(),
    at: z.record(z.string(), z.coerce.string()),
    body: z.record(z.string(), z.unknown()),
    since: z.number(),
    gaveUp: z.boolean().optional(),
  }),
)

/** Calls whose body contains a secret: they are kept in memory, never in the browser's storage. */
const secret = new Map<string, PendingCall>()
const read = (): PendingCall[] => (readStorage(name, Kept) ?? []).filter((call) => Date.now() - call.since < keptFor)
const write = (calls: readonly PendingCall[]) => writeStorage(name, calls.length ? calls : null)

/** Calls that this page retries; other tabs see the lock and leave them alone. */
const asked = new Map<string, () => void>()
const lockOf = (key: string): string => `${name}.${key}`

function hold(key: string): void {
  if (asked.has(key)) return
  let free = () => {}
  const freed = new Promise<void>((resolve) => (free = resolve))
  asked.set(key, free)
  void globalThis.navigator?.locks?.request(lockOf(key), () => freed)
}

function free(key: string): void {
  asked.get(key)?.()
  asked.delete(key)
}

/** Runs `ask` unless this page or another tab is already retrying the call. */
export async function unlessAsked(key: string, ask: () => Promise<void>): Promise<void> {
  if (asked.has(key)) return
  const { locks } = navigator
  await (locks ? locks.request(lockOf(key), { ifAvailable: true }, (lock) => (lock ? ask() : undefined)) : ask())
}

/** Unanswered calls, kept in this browser by person. */
export const pendingCalls: PendingStore = {
  put(call) {
    hold(call.key)
    const intent = intentById(call.intent)
    if (intent && hasSecret(intent.body)) secret.set(call.key, call)
    else write([...read().filter((each) => each.key !== call.key), call])
  },
  drop(key) {
    free(key)
    secret.delete(key)
    write(read().filter((call) => call.key !== key))
  },
  leave(key, gaveUp) {
    free(key)
    if (gaveUp) write(read().map((call) => (call.key === key ? { ...call, gaveUp } : call)))
  },
  all: () => [...read(), ...secret.values()],
}
