import { expect, test } from 'vitest'
import { editDistance, maxTypingErrors } from '#domain/edit-distance.ts'

test.each([
  ['john', 'john', 0],
  ['jhon', 'john', 1],
  ['chole', 'chloe', 1],
  ['smth', 'smith', 1],
  ['smitth', 'smith', 1],
  ['smyth', 'smith', 1],
  ['ochao', 'chloe', 3],
  ['obrian', 'obrien', 1],
  ['guadelupee', 'guadalupe', 2],
  ['', 'abc', 3],
  // With a letter between the swapped ones these are three changes (optimal string alignment).
  ['ca', 'abc', 3],
])('%s and %s are %i typing errors apart, in either order', (one, other, errors) => {
  expect([editDistance(one, other), editDistance(other, one)]).toEqual([errors, errors])
})

test('allows no error in 3 letters, one in 4 and 5, two in longer words', () => {
  expect([3, 4, 5, 6, 12].map(maxTypingErrors)).toEqual([0, 1, 1, 2, 2])
})
