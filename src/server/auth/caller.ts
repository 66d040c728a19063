/** Where a request comes from; `device` is what its browser keeps: the secret of a known device (`device.ts`), or made up. */
export interface Caller {
  address: string
  device: string | null
  /** How its browser names itself. */
  userAgent?: string | undefined
  /** True when this machine was asked for by a name of its own, not by a foreign name that leads here. */
  local?: boolean
  /** Aborted once nobody waits for the answer any more: the answer was sent early, or the connection closed. */
  gone?: AbortSignal
}
