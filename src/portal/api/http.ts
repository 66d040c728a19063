import ky, { type KyInstance } from 'ky'

let client: KyInstance | null = null

/** The one HTTP client. It never retries: the kernel does, since it knows which calls are safe to repeat. */
export const http = (): KyInstance => {
  client ??= ky.create({ retry: 0, timeout: 20_000, throwHttpErrors: false, credentials: 'omit' })
  return client
}
