import { expect, test } from 'vitest'
import { csvLine } from '#server/documents/csv.ts'

test('a line quotes separators, and escapes what a spreadsheet would run as a formula', () => {
  expect(csvLine(['N1', 'Ann Lee', '21.50', '2026-11-02', 'ann@example.com', '', '08:30', 'A/B#2'])).toBe(
    'N1,Ann Lee,21.50,2026-11-02,ann@example.com,,08:30,A/B#2',
  )
  expect(csvLine(['N1', 'Lee, Ann', 'Ann "Bo" Lee', 'a\nb', 'Zoë'])).toBe('N1,"Lee, Ann","Ann ""Bo"" Lee","a\nb",Zoë')
  for (const formula of ['=1+1', '+1', '-1', '@sum']) expect(csvLine(['N1', formula])).toBe(`N1,'${formula}`)
  expect(csvLine(['Ann, Lee'])).toBe('"Ann, Lee"')
})
