import type { PendingCall, PendingStore } from '#kernel/pending.ts'

/** In-memory store of pending calls. */
export function memoryPending(): PendingStore {
  const calls = new Map<string, PendingCall>()
  return {
    put: (call) => void calls.set(call.key, call),
    drop: (key) => void calls.delete(key),
    leave: (key, gaveUp) => {
      const call = calls.get(key)
      if (call && gaveUp) calls.set(key, { ...call, gaveUp })
    },
    all: () => [...calls.values()],
  }
}
