import { cleanup, screen } from '@testing-library/react'
import { atom } from 'jotai/vanilla'
import { afterEach, expect, test, vi } from 'vitest'
import type { Me } from '#contract/session.ts'
import { store } from '#portal/platform/store.ts'
import { loadCapabilities } from '#portal/api/capabilities.ts'
import { loadConfig } from '#portal/api/config.ts'
import { register } from '#portal/platform/registry.ts'
import { employer } from '#entities/employer.ts'
import { Chips } from '#portal/list/chips.tsx'
import { EmptyNotice } from '#portal/list/empty-notice.tsx'
import type { List } from '#portal/list/list.ts'
import { rightsChanged } from '#portal/shell/rights-watch.ts'
import { meAtom, setApplicationKey, setToken } from '#portal/api/session.ts'
import { showAlone } from '#tests/portal/alone.tsx'
import { adminWithout } from '#tests/support/examples.ts'

afterEach(cleanup)

const harbor = { id: 100101, name: 'Harbor Foods' }
const connected = (employers: (typeof harbor)[], organizations: (typeof harbor)[] = []): Me => ({
  ...adminWithout(),
  grants: { organizations, employers },
})

test('a person who lost all connections sees that, and no other reason', () => {
  const nothing = 'No organization or employer is connected to you any more.'
  const other = 'You are connected to other organizations or employers.'
  expect(rightsChanged(connected([harbor]), connected([]))).toBe(nothing)
  expect(rightsChanged(connected([], [harbor]), connected([]))).toBe(nothing)
  expect(rightsChanged(connected([harbor]), connected([], [harbor]))).toBe(other)
  expect(rightsChanged(connected([]), connected([harbor]))).toBe(other)
  expect(rightsChanged(connected([]), connected([]))).toBeNull()
})

const employees = (filters: readonly object[] = []) =>
  ({
    filtersAtom: atom(filters),
    searchAtom: atom(new URLSearchParams()),
    definition: { many: 'employees' },
    scope: { of: null },
    side: 'main',
  }) as unknown as List

test.each<[who: string, me: Me, filters: object[], sentence: string]>([
  [
    'an account manager without connections',
    connected([]),
    [],
    'No organization or employer is connected to you. An admin can connect them.',
  ],
  ['an account manager of an employer', connected([harbor]), [], 'There are no employees yet.'],
  ['an admin', adminWithout(), [], 'There are no employees yet.'],
  ['anybody with filters', connected([]), [{ id: 'status' }], 'No employees match.'],
])('an empty list says to %s why it is empty', (_, me, filters, sentence) => {
  store.set(meAtom, me)
  showAlone(<EmptyNotice list={employees(filters)} />)
  expect(screen.getByRole('status').textContent).toContain(sentence)
})

test.each([
  ['not-found', 404, true],
  ['permission-denied', 403, false],
])('an inaccessible employer in a filter, answered %s, is named in chip and empty list', async (code, status, says) => {
  register({ entities: [employer], commands: [] })
  const json = (body: unknown, at = 200) =>
    new Response(JSON.stringify(body), { status: at, headers: { 'content-type': 'application/json' } })
  let asked = 0
  vi.stubGlobal('fetch', async (input: URL | Request | string) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input, 'https://portal.example.com')
    if (pathname.endsWith('openapi.json')) return json({ paths: { '/employers/{id}': { get: {} } } })
    if (pathname.endsWith('config.json'))
      return json({ environment: 'local', api: '/api', application_key: 'public', version: '1' })
    asked += 1
    return json({ type: 'about:blank', title: 'No', status, code, detail: 'No.' }, status)
  })
  await loadConfig()
  await loadCapabilities()
  setApplicationKey('key')
  setToken('token')
  store.set(meAtom, connected([harbor]))
  const field = { kind: 'reference', entity: 'employer' }
  const filter = {
    id: 'employer',
    title: 'Employer',
    type: 'is',
    value: '100003',
    problem: null,
    filter: { field, title: 'Employer' },
  }
  const list = employees([filter])
  const { container } = showAlone(
    <>
      <Chips list={list} />
      <EmptyNotice list={list} />
    </>,
  )
  const chip = says ? '100003 (out of reach)' : '100003'
  const line = 'No employer 100003, or none that you have access to.'
  await vi.waitFor(() => expect(asked).toBe(2), { timeout: 15_000 })
  await vi.waitFor(() => expect(container.querySelector('.chip b')?.textContent).toBe(chip))
  if (says) await screen.findByText(line)
  else expect(container.textContent).not.toContain(line)
  vi.unstubAllGlobals()
})
