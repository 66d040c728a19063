import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { deferred } from '#portal/platform/deferred.ts'

afterEach(() => vi.unstubAllGlobals())

test('callers of a part whose prefetch fails get it by a request of their own', async () => {
  const held = Promise.withResolvers<void>()
  let requests = 0
  const server = createServer((incoming, outgoing) => {
    requests += 1
    if (requests > 2) outgoing.end('export {}')
    else void held.promise.then(() => incoming.socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const network = fetch
  // The test page has no origin: relative addresses resolve against the test server.
  vi.stubGlobal('fetch', (address: string) => network(new URL(address, origin)))
  const append = ({ href, onload, onerror }: Pick<HTMLLinkElement, 'href'> & Record<'onload' | 'onerror', () => void>) =>
    fetch(href).then(onload, onerror)
  vi.stubGlobal('document', { createElement: () => ({ remove: () => {} }), head: { append } })
  try {
    const part = () => deferred(async () => 'the part', ['assets/part.js'])
    const ahead = part().catch((error: Error) => error.message)
    await expect.poll(() => requests).toBe(1)
    const asked = Promise.all([part(), part()])
    held.resolve()
    expect(await ahead).toBe('A part of the portal could not be loaded. Check the network and try again.')
    expect(await asked).toEqual(['the part', 'the part'])
    // Failed, probed for the reason, and once more for both callers.
    expect(requests).toBe(3)
  } finally {
    server.close()
  }
})
