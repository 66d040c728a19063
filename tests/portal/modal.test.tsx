import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { OutdatedDialog } from '#portal/session/outdated-dialog.tsx'
import { Modal } from '#portal/ui/modal.tsx'
import { showAlone } from '#tests/portal/alone.tsx'

afterEach(cleanup)

test('Escape leaves the focus in a dialog that cannot be closed, also for the key right after it', async () => {
  showAlone(<OutdatedDialog />)
  const button = await screen.findByRole('button', { name: 'Log in again' })
  await vi.waitFor(() => expect(document.activeElement).toBe(button))
  fireEvent.keyDown(button, { key: 'Escape' })
  expect(document.activeElement).toBe(button)
})

test('Escape closes a dialog once, unless a field of it has used the key', async () => {
  const onClose = vi.fn()
  showAlone(
    <Modal title="Keys" onClose={onClose}>
      <input aria-label="Search" data-autofocus onKeyDown={(event) => event.key === 'Escape' && event.preventDefault()} />
      <button type="button">Close</button>
    </Modal>,
  )
  fireEvent.keyDown(await screen.findByLabelText('Search'), { key: 'Escape' })
  expect(onClose).not.toHaveBeenCalled()
  fireEvent.keyDown(screen.getByRole('button'), { key: 'Escape' })
  expect(onClose).toHaveBeenCalledTimes(1)
})
