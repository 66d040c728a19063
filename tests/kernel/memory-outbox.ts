import type { Outbox, OutboxCall } from '#kernel/outbox.ts'

/** In-memory outbox. */
export function memoryOutbox(): Outbox {
  const calls = new Map<string, OutboxCall>()
  return {
    put: (call) => void calls.set(call.key, call),
    drop: (key) => void calls.delete(key),
    all: () => [...calls.values()],
  }
}
