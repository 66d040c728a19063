import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Config } from '#portal/api/config.ts'
import { createApp } from '#server/http/app.ts'
import { settingsFrom } from '#server/boot/settings.ts'
import { type TestServer, createServer } from '#tests/support/server.ts'

const portal = 'https://portal.example.com'
let server: TestServer
beforeAll(async () => {
  server = await createServer({ app: { portalOrigins: [portal] } })
})
afterAll(() => server?.close())

const preflight = (path: string, origin: string) =>
  fetch(server.origin + path, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'PATCH',
      'access-control-request-headers': 'authorization,idempotency-key',
    },
  })

describe('an API on another origin than the portal', () => {
  test('a preflight request lists what the portal may send', async () => {
    const answer = await preflight('/api/employees/1', portal)
    expect(answer.status).toBe(204)
    expect(answer.headers.get('access-control-allow-origin')).toBe(portal)
    expect(answer.headers.get('access-control-allow-methods')).toContain('PATCH')
    expect(answer.headers.get('access-control-allow-headers')).toMatch(/\bauthorization\b.*\bidempotency-key\b/)
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
  })

  test('every response, also a refusal, is readable for the portal, and varies by origin', async () => {
    for (const path of ['/api/me', '/api/openapi.json', '/api/nothing', '/api/employees/%zz']) {
      const answer = await fetch(server.origin + path, { headers: { origin: portal } })
      expect([path, answer.headers.get('access-control-allow-origin')]).toEqual([path, portal])
      expect([path, answer.headers.get('vary')?.split(', ')[0]]).toEqual([path, 'origin'])
    }
  })

  test('no other origin is allowed, and the pages of the portal are not opened up', async () => {
    for (const origin of ['https://portal.example.com.evil.example', 'http://portal.example.com', 'null']) {
      expect((await preflight('/api/me', origin)).status).toBe(405)
      const answer = await fetch(`${server.origin}/api/me`, { headers: { origin } })
      expect([origin, answer.headers.get('access-control-allow-origin')]).toEqual([origin, null])
    }
    const page = await fetch(`${server.origin}/config.json`, { headers: { origin: portal } })
    expect(page.headers.get('access-control-allow-origin')).toBeNull()
  })

  test('is configured by origins alone', () => {
    expect(settingsFrom({}).portalOrigins).toEqual([])
    expect(settingsFrom({ PORTAL_ORIGINS: `${portal}, http://127.0.0.1:4000` }).portalOrigins).toEqual([
      portal,
      'http://127.0.0.1:4000',
    ])
    for (const wrong of ['*', 'portal.example.com', `${portal}/`, `${portal}/employees`, 'null'])
      expect(() => settingsFrom({ PORTAL_ORIGINS: wrong })).toThrow(/^The setting PORTAL_ORIGINS cannot be/)
  })
})

test('[API-001] every environment gives the portal its own base address, and allows no other in its CSP', async () => {
  for (const environment of ['local', 'staging', 'sandbox', 'development', 'production']) {
    const settings = settingsFrom({
      ENVIRONMENT: environment,
      API_BASE: `https://${environment}.example.com/v1`,
      LOG_LEVEL: 'silent',
    })
    const app = await createApp(server.services, settings)
    const answer = await app.inject('/config.json')
    expect(Config.parse(answer.json())).toMatchObject({ environment, api: `https://${environment}.example.com/v1` })
    expect(answer.headers['content-security-policy']).toContain(`connect-src 'self' https://${environment}.example.com;`)
    await app.close()
  }
  expect(() => settingsFrom({ ENVIRONMENT: 'moon' })).toThrow()
  expect(Config.safeParse({ environment: 'moon', api: '/api', application_key: 'a', version: '1' }).success).toBe(false)
})
