import { cleanup, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { listConfigurations } from '#contract/configurations.ts'
import { loadConfig } from '#portal/api/config.ts'
import { loadCapabilities } from '#portal/api/capabilities.ts'
import { store } from '#portal/platform/store.ts'
import { Beside } from '#portal/record/beside.tsx'
import { meAtom, setApplicationKey, setToken } from '#portal/api/session.ts'
import { showAlone } from '#tests/portal/alone.tsx'
import { adminWithout } from '#tests/support/examples.ts'

let problem: { status: number; code: string; detail: string }
const json = (body: unknown, status = 200) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })

beforeEach(async () => {
  vi.stubGlobal('fetch', async (input: URL | Request | string) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input, 'https://portal.example.com')
    if (pathname.endsWith('openapi.json'))
      return json({ paths: { [listConfigurations.path]: { get: { parameters: [{ name: 'organization-id' }] } } } })
    if (pathname.endsWith('config.json'))
      return json({ environment: 'local', api: '/api', application_key: 'public', version: '1' })
    return json({ type: 'about:blank', title: 'No', ...problem }, problem.status)
  })
  await loadConfig()
  await loadCapabilities()
  store.set(meAtom, adminWithout())
  setApplicationKey('key')
  setToken('token')
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const show = () =>
  showAlone(
    <Beside
      endpoint={listConfigurations}
      id="1"
      query={{ 'organization-id': '1' }}
      version={1}
      failed="The configuration could not be loaded."
    >
      {() => null}
    </Beside>,
  )

test('an inaccessible part of a record is not reported as missing, and not read again', async () => {
  problem = { status: 404, code: 'not-found', detail: "This record doesn't exist, or you don't have access to it." }
  show()
  await screen.findByText("The configuration could not be loaded. You don't have access to it.")
  expect(screen.queryByRole('button')).toBeNull()
})

test('a part refused for another reason says why, and can be retried', async () => {
  problem = { status: 429, code: 'too-many-attempts', detail: 'Too many requests.' }
  show()
  await screen.findByText('Too many requests.')
  expect(screen.getByRole('button').textContent).toBe('Try again')
})
