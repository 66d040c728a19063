import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import refresh from '#commands/list/refresh.ts'
import { balanceMessages } from '#domain/work-period.ts'
import { employee } from '#entities/employee.ts'
import '#portal/commands/host.ts'
import { loadCapabilities } from '#portal/api/capabilities.ts'
import { loadConfig } from '#portal/api/config.ts'
import { navigate } from '#portal/platform/location.ts'
import { register } from '#portal/platform/registry.ts'
import { store } from '#portal/platform/store.ts'
import employees from '#portal/nouns/employees/list.tsx'
import { EmployeePayPeriod } from '#portal/nouns/employees/pay-period.tsx'
import { registerPanes } from '#portal/list/panes.ts'
import { meAtom, setApplicationKey, setToken } from '#portal/api/session.ts'
import { provide } from '#portal/main/provide.ts'
import { showAlone } from '#tests/portal/alone.tsx'
import { adminWithout, employeeLike } from '#tests/support/examples.ts'

// Another API, on another origin, with only the specified calls; each test sets its answers.
let read: number
let answer: () => Response
let id = 105000
const json = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status })
const balance = (more: object = {}) => ({
  id,
  period_start: '2026-11-14',
  period_end: '2026-11-20',
  earned_amount: 900_00,
  limit_amount: 450_00,
  taken_amount: 42_99,
  pending_amount: 0,
  available_amount: 407_01,
  ...more,
})

beforeAll(() => {
  provide()
  register({ entities: [employee], commands: [refresh].flat() })
  registerPanes([employees])
})
beforeEach(async () => {
  read = 0
  id += 1
  vi.stubGlobal('fetch', async (input: string | URL | Request) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input, 'https://portal.example.com')
    if (pathname.endsWith('/config.json'))
      return json({ environment: 'sandbox', api: 'https://api.example.com/v1', application_key: 'public', version: '1' })
    if (pathname.endsWith('/openapi.json')) return json({}, 404)
    if (!pathname.endsWith('/work-period-balances')) return json({ data: [] })
    read += 1
    return answer()
  })
  setApplicationKey('key')
  setToken('token')
  store.set(meAtom, adminWithout())
  await loadConfig()
  await loadCapabilities()
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function show(more: Parameters<typeof employeeLike>[3] = { user_id: 7 }) {
  navigate(`/employees/${id}?tab=pay-period`)
  showAlone(<EmployeePayPeriod one={employeeLike(id, 'Mia', 'Torres', more)} />)
}
const sums = () => document.querySelector('.sums')?.textContent

test('a balance is read once, and shown with its specified fields', async () => {
  answer = () => json({ data: [balance()] })
  show()
  await screen.findByText('14 Nov to 20 Nov 2026.')
  expect(sums()).toBe('Earned$900.00Limit$450.00Taken$42.99Pending$0.00Available$407.01')
  expect(screen.queryByRole('alert')).toBeNull()
  expect(read).toBe(1)
})

test('the requests and the report date are beside it where the API has them', async () => {
  const requests = { per_cycle: 4, granted: 1, used: 4, left: 1 }
  const open = balance({ is_open: true, version: 1 })
  answer = () =>
    json({ data: [open, balance({ id: 1, is_open: false })], current: { ...open, requests, report_date: '2026-11-24' } })
  show()
  await screen.findByText('14 Nov to 20 Nov 2026, reported 24 Nov 2026. 1 request left of 4 and 1 additional.')
  expect(read).toBe(1)
})

test('[ERR-018] the message has the key of the specification', () => {
  expect(balanceMessages).toEqual({ 'employee-details.balance-error': 'The balance cannot be loaded.' })
})

test('[ERR-018] a balance that fails to load is reported once, with the API’s message, and can be retried', async () => {
  answer = () => json({ detail: 'The payroll system is away.' }, 400)
  show()
  const said = await screen.findByRole('alert')
  expect(said.textContent).toContain('The balance cannot be loaded.The payroll system is away.')
  expect(screen.getAllByRole('alert')).toHaveLength(1)
  expect([read, screen.getAllByRole('button', { name: /^Try again/ }).length]).toEqual([1, 1])
  answer = () => json({ data: [balance()] })
  fireEvent.click(screen.getByRole('button', { name: /^Try again/ }))
  await screen.findByText('14 Nov to 20 Nov 2026.')
  expect([read, screen.queryByRole('alert')]).toEqual([2, null])
})

test('without an open period it says why: no linked user, or no balance', async () => {
  answer = () => json({ data: [balance({ is_open: false })] })
  show({ user_id: null })
  await screen.findByText('No work period is open: the employee is not linked to a user.')
  cleanup()
  id += 1
  answer = () => json({ data: [] })
  show()
  expect((await screen.findByRole('alert')).textContent).toBe('The balance cannot be loaded.')
  await screen.findByText('This employee has no work period balance.')
})
