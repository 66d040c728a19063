import { cleanup, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import page from '#commands/employer/add-mapping.page.ts'
import deactivate from '#commands/employer/deactivate.ts'
import type { Command } from '#kernel/command.ts'
import { chooser } from '#portal/form/fields/deferred.ts'
import { PageForm } from '#portal/form/page-form.tsx'
import { tableField } from '#portal/form/table/deferred.ts'
import { focusOf, scopesOf } from '#portal/keyboard/focus.ts'
import { keysNow } from '#portal/keyboard/key-choice.ts'
import { meAtom } from '#portal/session/session.ts'
import { store } from '#portal/app/store.ts'
import { showAlone } from '#tests/portal/alone.tsx'
import { adminWithout } from '#tests/support/examples.ts'

const targets = { entity: 'employer', ids: ['100101'], filter: null, count: 1 }

beforeEach(async () => {
  store.set(meAtom, adminWithout())
  sessionStorage.clear()
  await Promise.all([chooser.fetch(), tableField.fetch()])
})
afterEach(cleanup)

function show(saved: Record<string, unknown>) {
  showAlone(
    <div className="page" data-region="page">
      <PageForm
        page={page}
        targets={targets}
        saved={saved}
        inherited={null}
        confirms={null}
        above={null}
        blocked={null}
        frozen={false}
        facts={{ employer_id: 100101 }}
        submit={vi.fn(async () => null)}
        leave={vi.fn()}
      />
    </div>,
  )
}

test('no letter does anything to the employer while a box of its mapping has the focus', () => {
  show({ columns: [{ header: 'Mail', static: false }] })
  const letters = (element: Element) =>
    keysNow([deactivate as Command], scopesOf(focusOf(element)), 'employer', {
      letters: true,
      text: focusOf(element) === 'text',
    }).map(({ chord }) => chord)
  const controls = screen.getByRole('form').querySelectorAll('input, select, button, [role=switch], [tabindex="0"]')
  expect([...controls].some((control) => control instanceof HTMLInputElement && control.type === 'checkbox')).toBe(true)
  for (const control of controls) expect(letters(control), control.outerHTML).toEqual([])
})
