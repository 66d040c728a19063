import { cleanup, screen } from '@testing-library/react'
import { type ComponentType, useLayoutEffect } from 'react'
import { afterEach, expect, test } from 'vitest'
import { type Later, Part } from '#portal/ui/later.tsx'
import { showAlone } from '#tests/portal/alone.tsx'

afterEach(cleanup)

test('a part that another caller loaded while it was being rendered is shown', async () => {
  let found: ComponentType<object> | undefined
  const of: Later<object> = { part: () => found, fetch: async () => {} }
  // Between render and effect, like a file that arrives then.
  function LatePart() {
    useLayoutEffect(() => {
      found = () => <p>Here</p>
    }, [])
    return null
  }
  showAlone(
    <>
      <Part of={of} props={{}} waiting={<p>On its way</p>} />
      <LatePart />
    </>,
  )
  expect(await screen.findByText('Here')).toBeTruthy()
  expect(screen.queryByText('On its way')).toBeNull()
})
