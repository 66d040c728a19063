import { describe, expect, test } from 'vitest'
import { states } from '#domain/status.ts'

const switches = states({ ON: ['On', 'good'], OFF: ['Off', 'bad'] })

describe('a state nobody mapped', () => {
  test('[STA-019] is shown as it came, with the quiet mark', () => {
    for (const unknown of ['BRAND_NEW', 'constructor', '__proto__']) {
      expect(switches.label(unknown)).toBe(unknown)
      expect(switches.mark(unknown)).toBe('idle')
    }
  })
})

test('a state that is masked is restricted, and says nothing of what it is', () => {
  expect(switches.label(null)).toBe('Restricted')
  expect(switches.mark(null)).toBe('idle')
})
