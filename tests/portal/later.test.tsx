import { cleanup, screen } from '@testing-library/react'
import { type ComponentType, useLayoutEffect } from 'react'
import { afterEach, expect, test } from 'vitest'
import { type Later, Part } from '#portal/ui/later.tsx'
import { showAlone } from '#tests/portal/alone.tsx'

afterEach(cleanup)

test('a part that somebody else fetched while it was being drawn is drawn', async () => {
  let found: ComponentType<object> | undefined
  const of: Later<object> = { part: () => found, fetch: async () => {} }
  // Between drawing and what follows it, as a file that arrives then.
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
