import { useAtomValue } from 'jotai'
import { atom } from 'jotai/vanilla'
import { z } from 'zod'
import { type Outbox, type OutboxCall, touched } from '#kernel/outbox.ts'
import { carriesSecret, isRepeatable, StoredCall } from '#kernel/outbox-storage.ts'
import { writeStorage, readStorage } from '#portal/platform/storage.ts'
import { store } from '#portal/platform/store.ts'

const name = 'admin-portal.pending'
const Stored = z.array(StoredCall)

const read = (): OutboxCall[] => (readStorage(name, Stored) ?? []).filter(isRepeatable)
const write = (calls: readonly OutboxCall[]) => writeStorage(name, calls.length ? calls : null)

/** A call that this page sends. */
interface OwnCall extends OutboxCall {
  /** 'Pause employee, Mia Torres' */
  title: string
}

const isSent = ({ state }: OutboxCall): boolean => state === 'sending' || state === 'unknown'

/** The calls that this page sends, and those with secrets. */
const ownAtom = atom<readonly OwnCall[]>([])

const none: readonly OwnCall[] = []

/** The calls of this page whose outcome is unknown, for the status bar and the forms, until the answer arrives. */
export const unconfirmedAtom = atom((get) => {
  const calls = get(ownAtom).filter(({ state }) => state === 'unknown')
  return calls.length ? calls : none
})

/** A held Web Lock by key while this page sends the call: other tabs leave it alone. */
const locks = new Map<string, () => void>()
const lockOf = (key: string): string => `${name}.${key}`

function lock(key: string): void {
  if (locks.has(key)) return
  const { promise, resolve } = Promise.withResolvers<void>()
  locks.set(key, resolve)
  void globalThis.navigator?.locks?.request(lockOf(key), () => promise)
}

function unlock(key: string): void {
  locks.get(key)?.()
  locks.delete(key)
}

/** Runs `send` unless this page or another tab already sends the call. */
export async function unlessSent(key: string, send: () => Promise<void>): Promise<void> {
  if (locks.has(key)) return
  const manager = navigator.locks
  await (manager ? manager.request(lockOf(key), { ifAvailable: true }, (free) => (free ? send() : undefined)) : send())
}

const without = <Each extends OutboxCall>(calls: readonly Each[], key: string): Each[] => calls.filter((call) => call.key !== key)

/** Unanswered calls, kept in this browser by person. */
export const outbox: Outbox = {
  put(call, title) {
    const [sent, secret] = [isSent(call), carriesSecret(call)]
    if (sent) lock(call.key)
    else unlock(call.key)
    store.set(ownAtom, (now) => [...without(now, call.key), ...(sent || secret ? [{ ...call, title }] : [])])
    if (!secret) write([...without(read(), call.key), call])
  },
  drop(key) {
    unlock(key)
    store.set(ownAtom, (now) => without(now, key))
    write(without(read(), key))
  },
  all: () => [...read(), ...store.get(ownAtom).filter(carriesSecret)],
}

const isFrom = (call: OwnCall, command: { id: string }, id: string | null): boolean =>
  call.command === command.id && (call.target?.id ?? null) === id

/** Whether the outcome of this command on the record with this id, or without a record, is unknown. */
export const useIsUnconfirmed = (command: { id: string }, id: string | null = null): boolean =>
  useAtomValue(unconfirmedAtom).some((call) => isFrom(call, command, id))

/** Whether a call is this command on one of these records, or changes one of them. */
export const concerns = (
  call: OwnCall,
  command: { id: string; on?: { name: string } | undefined },
  ids: readonly string[],
): boolean =>
  (ids.length ? ids : [null]).some((id) => isFrom(call, command, id)) ||
  ids.some((id) => touched(call).includes(`${command.on?.name} ${id}`))
