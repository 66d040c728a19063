import { globSync, readFileSync } from 'node:fs'
import { beforeEach, describe, expect, test, vi } from 'vitest'

describe('what comes after the first list', () => {
  beforeEach(() => vi.resetModules())

  test('is there from the beginning where nobody says how it is fetched', async () => {
    const { everything, haveEverything } = await import('#portal/platform/bundle.ts')
    expect(haveEverything()).toBe(true)
    await expect(everything()).resolves.toBeUndefined()
  })

  test('is fetched once, however often it is asked for', async () => {
    const { everything, haveEverything, provideEverything } = await import('#portal/platform/bundle.ts')
    const fetch = vi.fn(async () => {})
    provideEverything(fetch)
    expect(haveEverything()).toBe(false)
    await Promise.all([everything(), everything()])
    await everything()
    expect(fetch).toHaveBeenCalledOnce()
    expect(haveEverything()).toBe(true)
  })

  test('is asked for again after it did not come', async () => {
    const { everything, haveEverything, provideEverything } = await import('#portal/platform/bundle.ts')
    const fetch = vi.fn().mockRejectedValueOnce(new Error('away')).mockResolvedValueOnce(undefined)
    provideEverything(fetch)
    await expect(everything()).rejects.toThrow('away')
    expect(haveEverything()).toBe(false)
    await everything()
    expect(haveEverything()).toBe(true)
  })
})

test('with the commands comes every change that the portal sends, so that one without an answer can be asked for again', async () => {
  vi.resetModules()
  for (const path of globSync('commands/**/*.ts')) await import(new URL(`../../${path}`, import.meta.url).href)
  const { intentById } = await import('#contract/define.ts')
  const read = (pattern: string) =>
    globSync(pattern)
      .map((path) => readFileSync(path, 'utf8'))
      .join('\n')
  const senders = read('{commands,src/portal,src/entities}/**/*.{ts,tsx}')
  // Read as text: what is imported here would be there for that alone.
  const sent = [...read('src/contract/*.ts').matchAll(/const (\w+) = intent\(\w+, \{\s+id: '([^']+)'/g)].filter(([, name]) =>
    new RegExp(`\\b${name}\\b`).test(senders),
  )
  expect(sent.length).toBeGreaterThan(25)
  expect(sent.map(([, , id]) => id as string).filter((id) => intentById(id) === undefined)).toEqual([])
})
