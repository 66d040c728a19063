import { describe, expect, test } from 'vitest'
import { labelOf, markOf } from '#domain/status.ts'

describe('a status nobody mapped', () => {
  test('[STA-019] is shown as it came, with the quiet mark', () => {
    expect(labelOf('BRAND_NEW')).toBe('BRAND_NEW')
    expect(markOf('BRAND_NEW')).toBe('idle')
    expect(labelOf('constructor')).toBe('constructor')
    expect(markOf('__proto__')).toBe('idle')
  })
})
