import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import setVendor from '#commands/integration/set-vendor.ts'
import { setVendor as call } from '#contract/integrations.ts'
import { rightsFields } from '#contract/staff.ts'
import type { Command } from '#kernel/command.ts'
import { Refusal, type ApiClient } from '#kernel/api-client.ts'
import { apiClient } from '#portal/api/client.ts'
import { store } from '#portal/platform/store.ts'
import { chooser } from '#portal/form/fields/deferred.ts'
import { meAtom } from '#portal/api/session.ts'
import { showForm } from '#tests/portal/alone.tsx'
import { adminWithout } from '#tests/support/examples.ts'

/** The lists of another API, by call. */
const lists: Record<string, unknown> = {
  '/integrations/metadata': { vendors: [{ id: 'ACME', name: 'Acme Payroll', supports_timekeeping: true, products: [] }] },
  '/permissions?entity=ADMIN': {
    groups: [{ id: 9, name: 'treasury' }],
    permissions: [
      { id: 1, short_name: 'read:billing' },
      { id: 2001, short_name: 'read:treasury' },
    ],
  },
}
const asked = vi.fn()
let isOffered: boolean

beforeEach(async () => {
  isOffered = true
  asked.mockClear()
  store.set(meAtom, adminWithout())
  vi.spyOn(apiClient, 'read').mockImplementation((async (endpoint, _, query = {}) => {
    const address = [endpoint.path, new URLSearchParams(query as Record<string, string>).toString()].filter(Boolean).join('?')
    asked(address)
    if (!isOffered) throw new Refusal({ type: 'about:blank', title: 'Not offered by this API', status: 404, code: 'not-found' })
    return lists[address]
  }) as ApiClient['read'])
  await chooser.fetch()
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const vendorForm = z.object({ vendor: call.body.shape.vendor })
const rightsForm = z.object(rightsFields('ADMIN'))

test('[API-095] a vendor is one of those that the API lists, and is sent by its id', async () => {
  const submit = showForm({ command: setVendor as Command, schema: vendorForm })
  fireEvent.click(await screen.findByRole('radio', { name: 'Acme Payroll' }))
  expect(screen.queryByText('Payharbor')).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: /^Do it/ }))
  await vi.waitFor(() => expect(submit).toHaveBeenCalledWith({ vendor: 'ACME' }))
})

test('where the API has no such call, the known vendors are offered', async () => {
  isOffered = false
  showForm({ command: setVendor as Command, schema: vendorForm })
  expect(await screen.findByText('Payharbor')).toBeTruthy()
})

test('[API-014] groups and permissions are those of the catalogue, which is read once', async () => {
  showForm({ command: setVendor as Command, schema: rightsForm })
  expect(await screen.findByRole('gridcell', { name: /^read:treasury/ })).toBeTruthy()
  expect(screen.getByRole('option', { name: 'Treasury' })).toBeTruthy()
  expect(screen.queryByText('Human resources')).toBeNull()
  expect(asked.mock.calls).toEqual([['/permissions?entity=ADMIN']])
})
