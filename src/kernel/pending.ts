/** A call whose answer is not known yet: kept until it is, also over a reload, so that it is never sent under another key. */
export interface PendingCall {
  /** The idempotency key. */
  key: string
  /** Who sent it; another person's pending call is never sent. */
  person: string
  command: string
  /** 'Pause employee, Benjamin Ortiz', for the line that says what is not confirmed. */
  title: string
  intent: string
  at: Record<string, string | number>
  body: Record<string, unknown>
  since: number
}

/** Where pending calls are kept. */
export interface PendingStore {
  put(call: PendingCall): void
  drop(key: string): void
  all(): readonly PendingCall[]
}

/** Kept in memory: for tests and the terminal. */
export function memoryPending(): PendingStore {
  const calls = new Map<string, PendingCall>()
  return { put: (call) => void calls.set(call.key, call), drop: (key) => void calls.delete(key), all: () => [...calls.values()] }
}
