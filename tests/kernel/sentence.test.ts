import { describe, expect, test } from 'vitest'
import { changes, type Command } from '#kernel/command.ts'
import type { AnyEntity } from '#kernel/entity.ts'
import { type Field, fieldsOf, formOf } from '#kernel/form.ts'
import { mainText, readArguments, wordsIn } from '#kernel/sentence/arguments.ts'
import { readSentences } from '#kernel/sentence/sentence.ts'
import { contextLike } from '#tests/kernel/context.ts'

const modules = import.meta.glob<{ default: Command | Command[] }>(['../../commands/*/*.ts', '!../../commands/**/*.page.ts'], {
  eager: true,
})
const commands = Object.values(modules).flatMap((module) => [module.default].flat())
const nouns = [...new Set(commands.flatMap(({ on }) => on ?? []))] as AnyEntity[]
const days: Readonly<Record<string, string>> = { 'nov 20': '2026-11-20', 'dec 4': '2026-12-04', '2026-12-04': '2026-12-04' }
const readDay = (words: string) => days[words] ?? null

const context = contextLike()
const changing = commands.filter(changes)
const fieldsFor = (command: Command): Field[] => {
  const form = formOf(command, context)
  return form ? fieldsOf(form) : []
}
const byId = (id: string): Command => commands.find((each) => each.id === id) as Command

const readIn = (id: string, words: string) => readArguments(wordsIn(words), fieldsFor(byId(id)), readDay)

describe('the words behind a command', () => {
  test.each([
    ['employee.pause', 'fraud', { reason: 'fraud' }],
    ['employee.pause', 'reason:fraud', { reason: 'fraud' }],
    [
      'employee.pause',
      'called about a card details:"two calls, Nov 20"',
      { reason: 'called about a card', details: 'two calls, Nov 20' },
    ],
    ['invoice.add-repayment', '250', { amount: 25_000 }],
    ['invoice.add-repayment', '$1,628.29 nov 20', { amount: 162_829, repayment_date: '2026-11-20' }],
    ['invoice.add-repayment', 'nov 20 250 paid twice', { amount: 25_000, repayment_date: '2026-11-20', notes: 'paid twice' }],
    ['invoice.add-repayment', 'amount:-50 reason: taken twice', { amount: -5_000, reason: 'taken twice' }],
    ['invoice.edit', '2026-12-04', { due_date: '2026-12-04' }],
    ['invoice.edit', 'due date:dec 4 reason:holiday on the 3rd', { due_date: '2026-12-04', reason: 'holiday on the 3rd' }],
    ['repayment.record-return', 'R01', { return_code: 'R01' }],
    ['employee.change-pay', 'weekly dec 4', { pay_frequency: 'WEEKLY', next_pay_date: '2026-12-04' }],
    ['user.change-email', 'ana.lopez@example.com', { email: 'ana.lopez@example.com' }],
    ['note.add.employee', 'called back about card at 10:30', { text: 'called back about card at 10:30' }],
    ['employer.edit', 'pilot ee count:25', { pilot_ee_count: 25 }],
  ])('%s %s', (id, words, values) => {
    expect(readIn(id, words)).toEqual({ values, left: [] })
  })

  test.each([
    ['integration.set-vendor', 'nobody knows', ['nobody', 'knows']],
    ['user.change-names', 'Ana Maria Lopez', ['Ana', 'Maria', 'Lopez']],
    ['user.change-email', 'ana.lopez@example', ['ana.lopez@example']],
    ['employee.change-pay', 'pay frequency:never', ['pay', 'frequency:never']],
    ['invoice.add-repayment', 'amount:lots', ['amount:lots']],
  ])('%s %s: what no field takes is left, and nothing is guessed', (id, words, left) => {
    expect(readIn(id, words)).toEqual({ values: {}, left })
  })

  test('a name of no field is part of the text', () => {
    expect(readIn('employee.pause', 'see ticket:50')).toEqual({ values: { reason: 'see ticket:50' }, left: [] })
  })
})

/** A text that is a value of the field, and the value. */
function sampleOf({ kind, options, title }: Field): readonly [words: string, value: unknown] | null {
  const option = options[0]
  if (kind === 'money') return ['1,234.50', 123_450]
  if (kind === 'percentage') return ['12.5%', 1_250]
  if (kind === 'integer') return ['25', 25]
  if (kind === 'date') return ['2026-12-04', '2026-12-04']
  if (kind === 'e-mail') return ['ana.lopez@example.com', 'ana.lopez@example.com']
  if (kind === 'code') return ['021000021', '021000021']
  if (kind === 'switch') return ['yes', true]
  if (kind === 'reference') return ['100467', '100467']
  if (kind === 'references') return ['100467,100468', ['100467', '100468']]
  if (kind === 'choice') return option ? [option.value, option.value] : null
  if (kind === 'choices') return option ? [option.value, [option.value]] : null
  if (kind === 'text' || kind === 'long-text')
    return option ? [option.value, option.value] : [`some ${title.toLowerCase()}`, `some ${title.toLowerCase()}`]
  return null
}

const spoken = changing.filter(({ on }) => on?.ids.isSpoken)
const sayId = (command: Command): string => (command.on as AnyEntity).ids.write('100467')

describe('every command that changes something', () => {
  test('takes each of its fields by name, in both word orders, and prints back what was said', () => {
    const said: string[] = []
    for (const command of spoken) {
      const samples = fieldsFor(command).flatMap((field) => {
        const sample = field.when ? null : sampleOf(field)
        return sample ? [{ field, words: sample[0], value: sample[1] }] : []
      })
      if (!samples.length) continue
      const end = samples.map(({ field, words }) => `${field.name}:"${words}"`).join(' ')
      const values = Object.fromEntries(samples.map(({ field, value }) => [field.name, value]))
      for (const sentence of [`${command.title} ${sayId(command)} ${end}`, `${sayId(command)} ${command.title} ${end}`]) {
        const own = readSentences(sentence, commands, nouns).filter((each) =>
          each.commands.some((one) => one.command === command),
        )
        expect(own, sentence).toHaveLength(1)
        expect(own[0]?.ids, sentence).toEqual(['100467'])
        expect(readArguments(own[0]?.words ?? [], fieldsFor(command), readDay), sentence).toEqual({ values, left: [] })
      }
      said.push(command.id)
    }
    expect(said.length).toBeGreaterThan(30)
  })

  test('leaves a word too many where no field takes text', () => {
    const left: string[] = []
    for (const command of changing) {
      const fields = fieldsFor(command)
      if (mainText(fields.filter(({ kind }) => kind === 'text' || kind === 'long-text'))) continue
      expect(readArguments(wordsIn('xyzzy'), fields, readDay), command.id).toEqual({ values: {}, left: ['xyzzy'] })
      left.push(command.id)
    }
    expect(left.length).toBeGreaterThan(20)
  })
})

const reading = (text: string) =>
  readSentences(text, commands, nouns).map(({ commands: named, ids, words }) => ({
    ids,
    commands: named.map(({ command }) => command.id),
    words: words.map(({ text }) => text),
  }))

describe('a sentence', () => {
  test.each([
    ['pause 100467 fraud', 'employee.pause', ['100467'], ['fraud']],
    ['100467 pause fraud', 'employee.pause', ['100467'], ['fraud']],
    ['pause employee 100467 fraud', 'employee.pause', ['100467'], ['fraud']],
    ['pause 100467 100468 fraud', 'employee.pause', ['100467', '100468'], ['fraud']],
    ['pause 100467, 100468 and 100469 fraud', 'employee.pause', ['100467', '100468', '100469'], ['fraud']],
    ['repay INV-40058 250', 'invoice.add-repayment', ['40058'], ['250']],
    ['add repayment inv-40058 $1,628.29', 'invoice.add-repayment', ['40058'], ['$1,628.29']],
    ['add repayment 250 INV-40058', 'invoice.add-repayment', ['40058'], ['250']],
    ['rollover INV-40102', 'invoice.rollover', ['40102'], []],
    ['note 100467 called back about card', 'note.add.employee', ['100467'], ['called', 'back', 'about', 'card']],
    ['note INV-40058 see INV-40059', 'note.add.invoice', ['40058'], ['see', 'INV-40059']],
  ])('%s', (text, id, ids, words) => {
    expect(reading(text)).toContainEqual({ ids, commands: expect.arrayContaining([id]), words })
  })

  test('an amount is no id, and a number in a text is part of the text', () => {
    expect(reading('add repayment 250')).toContainEqual({ ids: [], commands: ['invoice.add-repayment'], words: ['250'] })
    expect(reading('note about INV-40058').filter(({ commands: [id] }) => id === 'note.add.invoice')).toEqual([
      { ids: [], commands: ['note.add.invoice'], words: ['about', 'INV-40058'] },
    ])
  })

  test('is none without the whole name of a command', () => {
    for (const text of ['sadia barnes', 'paus 100467 fraud', '100467', 'overdue invoices laurel > 500', ''])
      expect(readSentences(text, commands, nouns), text).toEqual([])
  })
})
