import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fold } from '#kernel/fold.ts'
import { frecency, scores, used } from '#kernel/frecency.ts'
import { type Findable, findable, findableCommand, wordsOf } from '#kernel/findable.ts'
import { tier } from '#kernel/match.ts'
import { ranges } from '#kernel/ranges.ts'
import { finder } from '#kernel/rank.ts'

const never = () => 0
const item = (title: string, ids: string[] = [], aliases: string[] = []) => findable(title, title, title, ids, aliases)
const finding = <T>(items: readonly Findable<T>[], typed: string, often: (key: string) => number) => finder(items)(typed, often)
const tierOf = (title: string, typed: string, ids: string[] = [], aliases: string[] = []): number | null =>
  finding([item(title, ids, aliases)], typed, never)[0]?.tier ?? null

test.each([
  ['104234', tier.exactId],
  ['benjamin ortiz', tier.exactTitle],
  ['benj', tier.prefix],
  ['1042', tier.prefix],
  ['ort', tier.wordStart],
  ['ortiz benj', tier.wordStart],
  ['Ortiz, Benj', tier.wordStart],
  ['ortiz,benj', tier.wordStart],
  ['bo', tier.initials],
  ['jami', tier.substring],
  ['rtiz jam', tier.substring],
  ['benjmain', tier.typingError],
  ['benjamin x', null],
  ['xyz', null],
])('%s is found in its tier', (typed, expected) => {
  expect(tierOf('Benjamin Ortiz', typed, ['104234'])).toBe(expected)
})

test.each([
  ['Suggest write-offs', 'writeoff', tier.wordStart],
  ['Suggest write-offs', 'write off', tier.wordStart],
  ['Suggest write-offs', 'write-off', tier.wordStart],
  ['Log out', 'logout', tier.exactTitle],
  ['Logout', 'log out', tier.exactTitle],
  ['Close invoice', 'ci', tier.initials],
  ['Download list', 'dl', tier.initials],
  ['Approve write-off', 'wo app', tier.initials],
  ['Approve write-off', 'app wo', tier.initials],
  ['Approve write-off', 'wroff', tier.initials],
  ['Approve write-off', 'wo rep', null],
  ['Change due date', 'duedate', tier.wordStart],
  ['Change due date', 'ud', null],
])('the command %s is found by %s in its tier', (title, typed, expected) => {
  const command = findableCommand(title, title, title, [])
  expect(finding([command], typed, never).filter((hit) => hit.tier !== tier.typingError)[0]?.tier ?? null).toBe(expected)
})

test('alternative titles of a command are matched like its title', () => {
  const open = findableCommand('open', 'Open repayments', 'open', ['payments'], ['repayments'])
  const add = findableCommand('add', 'Add repayment', 'add', [], [])
  const found = finding([add, open], 'repay', never)
  expect(found.map((hit) => [hit.item.key, hit.tier, hit.by])).toEqual([
    ['open', tier.prefix, null],
    ['add', tier.wordStart, null],
  ])
})

test('a complete alias counts as exact, and is shown', () => {
  const resume = findableCommand('resume', 'Resume employee', 'resume', ['unpause'])
  const [hit] = finding([resume], 'Unpause', never)
  expect([hit?.tier, hit?.by]).toEqual([tier.exactId, 'unpause'])
  const [part] = finding([item('Resume employee', [], ['unpause'])], 'pau', never)
  expect([part?.tier, part?.by]).toEqual([tier.substring, 'unpause'])
})

test('a complete alias of a record ranks after a record with that name', () => {
  for (const typed of ['Harbor', 'Harbor Foods']) {
    const found = finding([item('INV-40001', [], [typed]), item(typed)], typed, never)
    expect(found.map((hit) => [hit.item.title, hit.tier])).toEqual([
      [typed, tier.exactTitle],
      ['INV-40001', tier.exactTitle],
    ])
  }
})

test('words may match different texts of one record', () => {
  const [hit] = finding([item('Benjamin Ortiz', ['104234'], ['HF-0234'])], 'ortiz hf', never)
  expect([hit?.tier, hit?.by]).toEqual([tier.wordStart, 'HF-0234'])
})

test('diacritics and hyphens make no difference', () => {
  expect(fold('Chloé Tremblay-Núñez')).toBe('chloe tremblay nunez')
  expect(tierOf('Chloé Tremblay-Núñez', 'nunez')).toBe(tier.wordStart)
  expect(tierOf('write-off approval', 'write off')).toBe(tier.prefix)
})

test('a telephone number is found in any notation', () => {
  for (const typed of ['(212) 555-0148', '2125550148', '+1 212 555 0148', '555-0148'])
    expect(tierOf('Benjamin Ortiz', typed, [], ['+12125550148'])).not.toBeNull()
  expect(wordsOf('(212) 555-0148').query).toBe('2125550148')
  // A telephone shows it with the country code, which records may omit.
  expect(tierOf('Benjamin Ortiz', '+1 212 555 0148', [], ['(212) 555-0148', '2125550148'])).not.toBeNull()
})

test('the last digits of a telephone number rank before the prefix of a code', () => {
  const byCode = item('Benjamin Ortiz', ['104234'], ['01480-Q'])
  const byPhone = item('Ana Silva', ['104235'], ['(212) 555-0148', '2125550148'])
  for (const typed of ['0148', '555-0148'])
    expect(finding([byCode, byPhone], typed, never)[0]).toMatchObject({ item: byPhone, tier: tier.exactTitle })
  expect(finding([byCode, byPhone], '0148', never).map((hit) => hit.by)).toEqual(['(212) 555-0148', '01480-Q'])
  // Fewer digits could be anything, and a code with this ending is no telephone number.
  expect(tierOf('Ana Silva', '148', [], ['2125550148'])).toBe(tier.substring)
  expect(tierOf('Ana Silva', '0148', [], ['LH 870148'])).toBe(tier.substring)
})

test('numbers match without typo tolerance, so that an id is the only result', () => {
  const items = Array.from({ length: 50 }, (_, index) => item(`Employee ${117800 + index}`, [`${117800 + index}`]))
  expect(finding(items, '117830', never).map((hit) => hit.item.title)).toEqual(['Employee 117830'])
})

test('typos are tolerated only where fewer than five results match otherwise', () => {
  const near = item('Pausd list')
  const whole = (count: number) => Array.from({ length: count }, (_, index) => item(`Pause ${index}`))
  expect(finding([near, ...whole(4)], 'pause', never).map((hit) => hit.tier)).toContain(tier.typingError)
  expect(finding([near, ...whole(5)], 'pause', never).map((hit) => hit.tier)).not.toContain(tier.typingError)
})

test.each([
  ['pause', 'puase', true],
  ['pause', 'pase', true],
  ['pause', 'paause', true],
  ['pause', 'pawse', true],
  ['pause', 'peuze', false],
  ['pause', 'ause', false],
])('%s nearly matches %s: %s', (word, typed, expected) => {
  expect(tierOf(word, typed) === tier.typingError).toBe(expected)
})

test('usage breaks ties within a tier, and never beats a better tier', () => {
  const items = [item('Pause employee'), item('Pause employer'), item('Show paused')]
  const often = (key: string) => (key === 'Show paused' ? 1000 : key === 'Pause employer' ? 10 : 0)
  expect(finding(items, 'pau', often).map((hit) => hit.item.title)).toEqual(['Pause employer', 'Pause employee', 'Show paused'])
})

test('the usage score decays with age', () => {
  const hour = 3_600_000
  const now = 1_000 * hour
  const ages = [1, 3, 4, 24, 25, 72, 73, 168, 169, 336, 337]
  expect(ages.map((age) => frecency({ a: [now - age * hour] }, 'a', now))).toEqual([100, 100, 80, 80, 60, 60, 30, 30, 10, 10, 0])
  const uses = used(used({}, 'a', now), 'a', now)
  expect([scores(uses, now)('a'), scores(uses, now)('b')]).toEqual([200, 0])
})

const word = fc.stringMatching(/^[a-e]{1,4}$/)
const things = fc.array(
  fc.record({ title: fc.array(word, { minLength: 1, maxLength: 3 }), alias: word, id: fc.stringMatching(/^[1-3]{2,4}$/) }),
  { maxLength: 30 },
)
const prepared = (all: { title: string[]; alias: string; id: string }[]) =>
  all.map(({ title, alias, id }, index) => findable(String(index), title.join(' '), index, [id], [alias]))

test('tiers are strict and titles rank before aliases, whatever the usage', () => {
  fc.assert(
    fc.property(things, fc.oneof(word, fc.stringMatching(/^[1-3]{1,4}$/)), fc.func(fc.nat(500)), (all, typed, score) => {
      const found = finding(prepared(all), typed, (key) => score(key))
      const rank = (hit: (typeof found)[number]) => hit.tier + (hit.by !== null && hit.item.aliases.includes(hit.by) ? 0.5 : 0)
      const order = found.map(rank)
      expect(order).toEqual([...order].sort((a, b) => a - b))
      for (let i = 1; i < found.length; i++) {
        const [before, after] = [found[i - 1], found[i]]
        if (before && after && rank(before) === rank(after))
          expect(score(before?.item.key as string)).toBeGreaterThanOrEqual(score(after?.item.key as string))
      }
    }),
  )
})

test('typing letter by letter, and deleting, finds the same as typing at once', () => {
  fc.assert(
    fc.property(things, fc.array(fc.stringMatching(/^[a-e1-3 ]{1,6}$/), { maxLength: 6 }), (all, texts) => {
      const items = [
        ...prepared(all),
        ...all.map(({ title, alias }, index) => findableCommand(`c${index}`, title.join(' '), index, [alias])),
      ]
      const growing = finder(items)
      const steps = texts.flatMap((text) => [
        ...Array.from(text, (_, index) => text.slice(0, index + 1)),
        ...Array.from(text, (_, index) => text.slice(0, text.length - index)),
      ])
      for (const typed of steps)
        expect(growing(typed, never).map((hit) => [hit.item.key, hit.tier, hit.by])).toEqual(
          finding(items, typed, never).map((hit) => [hit.item.key, hit.tier, hit.by]),
        )
    }),
  )
})

test('every typed word is contained in each result', () => {
  fc.assert(
    fc.property(things, fc.array(word, { minLength: 1, maxLength: 3 }), (all, words) => {
      for (const { item: each, tier: of } of finding(prepared(all), words.join(' '), never)) {
        // Words may be typed together or split.
        if (of === tier.typingError || each.folded.replaceAll(' ', '').includes(words.join(''))) continue
        const texts = [each.title, ...each.aliases, ...each.ids, each.initials].join('\n')
        expect(words.filter((one) => !texts.includes(one))).toEqual([])
      }
    }),
  )
})

test('the matching letters are highlighted', () => {
  expect(ranges('Pause employee', 'pau')).toEqual([[0, 3]])
  expect(ranges('Benjamin Ortiz', 'ort ben')).toEqual([
    [0, 3],
    [9, 12],
  ])
  expect(ranges('Pause employee', 'pe')).toEqual([
    [0, 1],
    [6, 7],
  ])
  expect(ranges('Pause employee', 'xyz')).toEqual([])
})
