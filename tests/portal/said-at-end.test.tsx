import { cleanup } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { store } from '#portal/platform/store.ts'
import { showToast, toastsAtom } from '#portal/platform/toasts.ts'
import { meAtom } from '#portal/api/session.ts'
import { LiveRegions } from '#portal/shell/live-regions.tsx'
import { watchSaid } from '#portal/shell/watches.ts'
import { showAlone } from '#tests/portal/alone.tsx'
import { adminWithout } from '#tests/support/examples.ts'

afterEach(cleanup)

test('messages disappear with the session, except for that about its end', async () => {
  store.set(meAtom, adminWithout())
  const stop = watchSaid()
  const { container } = showAlone(<LiveRegions />)
  const isSpoken = (text: string) => vi.waitFor(() => expect(container.textContent).toBe(text))
  showToast('Approved the time of Sadia Barnes', { tone: 'good' })
  await isSpoken('Approved the time of Sadia Barnes')
  store.set(meAtom, null)
  await isSpoken('')
  expect(store.get(toastsAtom)).toEqual([])
  showToast('Not sent: your session had ended.')
  await isSpoken('Not sent: your session had ended.')
  // The next sign-in does not remove it.
  store.set(meAtom, adminWithout())
  expect(store.get(toastsAtom)).toHaveLength(1)
  stop()
})
