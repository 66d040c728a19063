import { describe, expect, test } from 'vitest'
import { states } from '#domain/status.ts'

const switches = states({ ON: ['On', 'good'], OFF: ['Off', 'bad'] })

describe('an unmapped state', () => {
  test('[STA-019] is shown as received, with the neutral mark', () => {
    for (const unknown of ['BRAND_NEW', 'constructor', '__proto__']) {
      expect(switches.label(unknown)).toBe(unknown)
      expect(switches.mark(unknown)).toBe('idle')
    }
  })
})

test('a masked state reads Restricted, and reveals nothing', () => {
  expect(switches.label(null)).toBe('Restricted')
  expect(switches.mark(null)).toBe('idle')
})
