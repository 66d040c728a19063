import { expect, test } from 'vitest'
import { respelled } from '#kernel/sentence/spelling.ts'
import { type } from '#tests/portal/typing.ts'

/** What Enter types instead of a text; null if it does something else. */
function onEnter(text: string): string | null {
  const { active } = type(text)
  return active?.kind === 'text' ? active.text : null
}

test.each([
  ['puase 100467 fraud', 'pause 100467 fraud'],
  ['100467 puase fraud', '100467 pause fraud'],
  ['reusme 100467', 'resume 100467'],
  ['puase sadia', 'pause sadia'],
  ['sadia puase', 'sadia pause'],
  ['puase sadia barnes lost card', 'pause sadia barnes lost card'],
  ['apporve WOF-70001', 'approve WOF-70001'],
  ['chnage email sadia', 'change email sadia'],
  ['pasue everyone at birch', 'pause everyone at birch'],
  ['apporve all write-offs', 'approve all write-offs'],
  ['approve write-ofs under 50', 'approve write-offs under 50'],
  ['ovedue invoices', 'overdue invoices'],
  ['ovedue invoices birch', 'overdue invoices birch'],
  ['invoces over 500', 'invoices over 500'],
  ['paused employes at birch', 'paused employees at birch'],
  ['employeees with no email', 'employees with no email'],
  ['invoices due yesterady', 'invoices due yesterday'],
  ['repayments since novmber', 'repayments since november'],
  ['show pasued', 'show paused'],
  ['pasue emplyoee', 'pause employee'],
  ['Puase 100467', 'pause 100467'],
])('%s: Enter types it as %s', (text, corrected) => {
  expect(onEnter(text)).toBe(corrected)
})

test.each([
  // Names, though a letter makes them a word.
  'paused raven park',
  'maia chen',
  'rose',
  'paula',
  // A finished sentence, whatever its text contains.
  'note 100467 caled back',
  'pause 100467 susspected fraud',
  // Forms of a known word, and plain words.
  'show me everyone at birch hired after june',
  'duplicate phone numbers',
  'write off the rest of INV-40058',
  // Nothing that is said.
  'xyzzy',
  'teh',
  // In quotes, with its name, or in an id or address.
  '"puase" 100467',
  'puase@example.com',
])('%s: nothing else is typed', (text) => {
  expect(onEnter(text)).toBeNull()
})

test('what a typing error leaves behind stays below the correction', () => {
  const rows = (text: string) => type(text).groups.map(({ title, rows: of }) => [title, of.map((row) => row.title)])
  expect(rows('reusme 100467')).toEqual([
    ['Did you mean', ['resume 100467']],
    ['Employees', ['Sadia Barnes']],
  ])
  expect(rows('ovedue invoices')).toEqual([
    ['Did you mean', ['overdue invoices']],
    ['Lists', ['Show all invoices · Search for “ovedue”']],
  ])
})

test('a word that may be several is each of them, and one that is in the text stays', () => {
  const texts = (said: string, ...titles: string[]) =>
    respelled(said, titles.map((title) => ({ title })) as never, []).map(({ text }) => text)
  expect(texts('colse INV-40058', 'Close')).toEqual(['close INV-40058'])
  expect(texts('reslve this', 'Resolve', 'Reslave')).toEqual(['resolve this', 'reslave this'])
  expect(texts('close this', 'Close', 'Closed')).toEqual([])
  // A text that was pasted.
  expect(texts(`colse ${'this '.repeat(20)}`, 'Close')).toEqual([])
})
