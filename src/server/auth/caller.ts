/**
 * The origin of a request; `device` is the value stored by its browser: the secret of a known device (`device.ts`), or a made-up
 * value.
 */
export interface Caller {
  address: string
  device: string | null
  /** The User-Agent header. */
  userAgent?: string | undefined
  /** True if the request names this machine by a local host name, as opposed to a foreign name that resolves to it. */
  local?: boolean
  /** Aborted once nobody waits for the answer any more: the answer was sent early, or the connection closed. */
  gone?: AbortSignal
}
