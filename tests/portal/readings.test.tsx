import { describe, expect, test } from 'vitest'
import { withList } from '#entities/with-list.ts'
import type { Command } from '#kernel/command.ts'
import type { AnyEntity } from '#kernel/entity.ts'
import { fold } from '#kernel/fold.ts'
import { inOwnWords, whyNotHere } from '#kernel/sentence/own-words.ts'
import { parse } from '#kernel/sentence/parse.ts'
import { listsIn, readTyped } from '#kernel/sentence/reading.ts'
import { commandFinder } from '#portal/palette/command-rows.ts'
import { factsOf } from '#portal/palette/facts.ts'
import { spanFrom } from '#portal/palette/filter-rows.ts'

const modules = import.meta.glob<{ default: Command | Command[] }>(['../../commands/**/*.ts', '!../../commands/**/*.page.ts'], {
  eager: true,
})
const commands: readonly Command[] = Object.values(modules).flatMap((module) => [module.default].flat())

/** The lists of any reading of a text, as `employee.paused laurel`. */
function lists(text: string): string[] {
  const readings = parse(readTyped(text, withList, location.origin), {
    ...{ commands, entities: withList, find: commandFinder(commands), used: () => 0 },
    ...{ spanOf: spanFrom, isSearched: () => true, facts: factsOf, origin: location.origin },
  })
  const each = [0, 1, 2, 3, 4, 5].flatMap((place) => readings(place) ?? [])
  return each.flatMap(listsIn).map(({ command: { id }, q }) => `${id.replace('filter.show.', '')} ${fold(q)}`)
}

const synonymsOf = (entity: AnyEntity): string[] => [
  ...(entity.aliases ?? []),
  ...Object.values(entity.phrases ?? {}).flat(),
  ...entity.filters.flatMap(({ synonyms = {} }) => Object.values(synonyms).flat()),
]

describe('every noun', () => {
  test.each(withList.map((entity) => [entity.many, entity] as const))(
    '%s: each of its words leads to its list',
    (many, entity) => {
      for (const words of [many, ...(entity.aliases ?? [])])
        for (const text of [`${words} zephyr`, `zephyr ${words}`])
          expect([text, lists(text)]).toEqual([text, expect.arrayContaining([`${entity.name}.all zephyr`])])
    },
  )

  const withStatus = withList.filter(({ filters }) => filters.some(({ id }) => id === 'status'))
  test.each(withStatus.map((entity) => [entity.many, entity] as const))('%s: each status leads to its part', (many, entity) => {
    const options = entity.filters.find(({ id }) => id === 'status')?.field.options ?? []
    for (const { value, label } of options)
      for (const text of [`${label} ${many} zephyr`, `zephyr ${label} ${many}`]) {
        const id = `${entity.name}.${value.toLowerCase().replaceAll('_', '-')}`
        expect([text, lists(text)]).toEqual([text, expect.arrayContaining([`${id} zephyr`])])
      }
  })
})

test('a synonym stands for words that have none, and so is read once', () => {
  const synonyms = [
    ...withList.flatMap(synonymsOf),
    ...commands.flatMap(({ sentence }) => Object.values(sentence?.phrases ?? {}).flat()),
  ]
  expect(synonyms.length).toBeGreaterThan(60)
  for (const words of synonyms) {
    const own = inOwnWords(`${words.replace('…', 'zephyr')} zephyr`, commands)
    expect([words, own]).not.toEqual([words, null])
    expect([words, own, inOwnWords(own ?? '', commands)]).toEqual([words, own, null])
  }
})

test('a request that does not exist here has a sentence, and no command has its title', () => {
  const requests = withList.flatMap(({ instead = {} }) => Object.entries(instead))
  expect(requests.length).toBeGreaterThan(1)
  for (const [sentence, words] of requests)
    for (const request of words) {
      for (const text of [request, `${request} 40001`, request.replace(' ', ' the ')])
        expect([text, whyNotHere(text, commands)]).toEqual([text, sentence])
      expect(commands.filter(({ title }) => fold(title).startsWith(`${fold(request)} `))).toEqual([])
    }
})
