import { describe, expect, test } from 'vitest'
import { absentIn, type Compared, waitsFor } from '#portal/nouns/mappings/compare-sample.ts'

const compared = (more: Partial<Compared>): Compared => ({
  staff: 40,
  present: 40,
  known: 40,
  changed: 0,
  ended: 0,
  unknown: 0,
  left: 0,
  as_unknown: 0,
  not_mapped: 0,
  unclear: 0,
  others: 0,
  no_employer: 0,
  incremental: false,
  similar: [],
  doubtful: [],
  ...more,
})

describe('an import of a sample would wait', () => {
  test('over a tenth of the staff missing, or anybody where a code is missing or was changed', () => {
    expect(waitsFor(compared({ present: 36 }), 0)).toBeNull()
    expect(waitsFor(compared({ present: 35 }), 0)).toBe('The file leaves out 5 of 40 employees, who would no longer be eligible.')
    const rejectedLinesHint = / They may be in the rejected lines whose code is missing or was changed by a spreadsheet\./
    expect(waitsFor(compared({ present: 39 }), 1)).toMatch(rejectedLinesHint)
    expect(waitsFor(compared({ present: 39, doubtful: ['12-Mar'] }), 0)).toMatch(rejectedLinesHint)
    expect(waitsFor(compared({}), 1)).toBeNull()
    expect(waitsFor(compared({ present: 0, incremental: true }), 1)).toBeNull()
  })

  test('nobody whose code is in a line except for zeros', () => {
    const similar = [
      { identifier: '417', known: '0417', staff: true },
      { identifier: '0 417', known: '0417', staff: true },
      { identifier: '18', known: '018', staff: false },
    ]
    expect(absentIn(compared({ present: 39, similar }))).toBe(0)
  })
})
