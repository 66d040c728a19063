import ky, { type KyInstance } from 'ky'

let client: KyInstance | null = null

/** The one client of the API. It never retries: the kernel does, which knows what may be sent twice. */
export const http = (): KyInstance => {
  client ??= ky.create({ retry: 0, timeout: 20_000, throwHttpErrors: false, credentials: 'omit' })
  return client
}
