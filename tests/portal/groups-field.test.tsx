// @vitest-environment happy-dom
import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { rightsFields } from '#contract/staff.ts'
import { fieldsOf } from '#kernel/form.ts'
import { store } from '#portal/platform/store.ts'
import { ChoicesField } from '#portal/form/fields/choices-field.tsx'
import { meAtom } from '#portal/api/session.ts'
import { showAlone } from '#tests/portal/alone.tsx'
import { adminWithout } from '#tests/support/examples.ts'

afterEach(cleanup)

test('a group with permissions that the granting person lacks is marked with them beforehand', () => {
  store.set(meAtom, adminWithout('read:work-period-balances'))
  const field = fieldsOf(z.object(rightsFields('ACCOUNT_MANAGER'))).find(({ name }) => name === 'group_ids')
  if (!field) throw new Error('The form of rights has no groups.')
  showAlone(
    <>
      <span id="groups-label">Groups</span>
      <ChoicesField
        id="groups"
        field={field}
        value={[]}
        onChange={() => {}}
        onBlur={() => {}}
        invalid={false}
        describedBy={undefined}
        focusRef={() => {}}
        check={() => {}}
        unparsed={new Map()}
      />
    </>,
  )
  const marked = screen.getAllByRole('option').filter((option) => option.textContent?.includes('not all yours'))
  expect(marked.map((option) => option.textContent)).toEqual(['Human resourcesnot all yours', 'Payrollnot all yours'])
  expect(marked[0]?.getAttribute('aria-description')).toBe('You do not hold: See work period balances.')
  expect(screen.queryByText(/You do not hold/)).toBeNull()
  fireEvent.keyDown(screen.getByRole('listbox'), { key: 'End' })
  screen.getByText('Payroll: You do not hold: See work period balances.')
})
