import { globSync, readFileSync } from 'node:fs'
import { beforeEach, describe, expect, test, vi } from 'vitest'

describe('a deferred part', () => {
  beforeEach(() => vi.resetModules())

  test('is available at once without a loader', async () => {
    const { everything, haveEverything } = await import('#portal/platform/bundle.ts')
    expect(haveEverything()).toBe(true)
    await expect(everything()).resolves.toBeUndefined()
  })

  test('is fetched once, however often it is requested', async () => {
    const { everything, haveEverything, provideEverything } = await import('#portal/platform/bundle.ts')
    const fetch = vi.fn(async () => {})
    provideEverything(fetch)
    expect(haveEverything()).toBe(false)
    await Promise.all([everything(), everything()])
    await everything()
    expect(fetch).toHaveBeenCalledOnce()
    expect(haveEverything()).toBe(true)
  })

  test('is requested again after a failure', async () => {
    const { everything, haveEverything, provideEverything } = await import('#portal/platform/bundle.ts')
    const fetch = vi.fn().mockRejectedValueOnce(new Error('away')).mockResolvedValueOnce(undefined)
    provideEverything(fetch)
    await expect(everything()).rejects.toThrow('away')
    expect(haveEverything()).toBe(false)
    await everything()
    expect(haveEverything()).toBe(true)
  })
})

test('every change the portal sends is loaded with the commands, so that it can be retried', async () => {
  vi.resetModules()
  for (const path of globSync('commands/**/*.ts')) await import(new URL(`../../${path}`, import.meta.url).href)
  const { intentById } = await import('#contract/define.ts')
  const read = (pattern: string) =>
    globSync(pattern)
      .map((path) => readFileSync(path, 'utf8'))
      .join('\n')
  const senders = read('{commands,src/portal,src/entities}/**/*.{ts,tsx}')
  // Read as text: importing the modules here would load them.
  const declared = /const (\w+) = (?:intent\(\w+, |action\()\{[^}]*?\s+id: '([^']+)'/g
  const sent = [...read('src/contract/*.ts').matchAll(declared)].filter(([, name]) => new RegExp(`\\b${name}\\b`).test(senders))
  expect(sent.length).toBeGreaterThan(25)
  expect(sent.map(([, , id]) => id as string).filter((id) => intentById(id) === undefined)).toEqual([])
})
