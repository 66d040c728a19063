import { describe, expect, test } from 'vitest'
import { changes, type Command } from '#kernel/command.ts'
import type { AnyEntity } from '#kernel/entity.ts'
import type { Field } from '#kernel/form.ts'
import { initialValues } from '#kernel/form-values.ts'
import { allArguments, type FindRecord, readArguments } from '#kernel/sentence/arguments.ts'
import { fieldsFor, isReference, mainText } from '#kernel/sentence/typed-fields.ts'
import { readSentences } from '#kernel/sentence/sentence.ts'
import { wordsIn } from '#kernel/sentence/words.ts'
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
const fieldsOn = (command: Command): Field[] => fieldsFor(command, context)
const byId = (id: string): Command => commands.find((each) => each.id === id) as Command

const readIn = (id: string, words: string) => readArguments(wordsIn(words), fieldsOn(byId(id)), readDay)

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
  if (kind === 'references') return ['100467,100468', { add: ['100467', '100468'] }]
  if (kind === 'choice') return option ? [option.value, option.value] : null
  if (kind === 'choices') return option ? [option.value, { add: [option.value] }] : null
  if (kind === 'text' || kind === 'long-text')
    return option ? [option.value, option.value] : [`some ${title.toLowerCase()}`, `some ${title.toLowerCase()}`]
  return null
}

const named: Readonly<Record<string, readonly { id: string; title: string }[]>> = {
  employer: [
    { id: '12', title: 'Acme' },
    { id: '13', title: 'Acme North' },
    { id: '14', title: 'Cedar East' },
    { id: '15', title: 'Cedar West' },
  ],
  organization: [{ id: '7', title: 'Laurel Group' }],
  'customer-success-manager': [{ id: '501', title: 'Jane Doe' }],
  repayment: [{ id: '70001', title: 'REP-70001' }],
}

/** The records whose name is the words, else those whose name begins with them; none has an id of its own here. */
const findNamed: FindRecord = ({ entity = '' }, words) => {
  const known = named[entity] ?? []
  const whole = known.filter(({ id, title }) => id === words || title.toLowerCase() === words.toLowerCase())
  return whole.length ? whole : known.filter(({ title }) => title.toLowerCase().startsWith(`${words.toLowerCase()} `))
}

const readNamed = (id: string, words: string) =>
  allArguments(wordsIn(words), fieldsOn(byId(id)), readDay, findNamed).map(({ values, left }) => ({ values, left }))

describe('a field that refers to a record', () => {
  const connect = 'account-manager.connect'
  test.each([
    [connect, 'to acme', { employer_ids: { add: ['12'] } }],
    [connect, 'to employer acme', { employer_ids: { add: ['12'] } }],
    [connect, 'to acme north', { employer_ids: { add: ['13'] } }],
    [connect, 'to acme and laurel', { employer_ids: { add: ['12'] }, organization_ids: { add: ['7'] } }],
    [connect, 'to acme, acme north', { employer_ids: { add: ['12', '13'] } }],
    [connect, 'from acme', { employer_ids: { remove: ['12'] } }],
    [connect, 'to acme from acme north', { employer_ids: { add: ['12'], remove: ['13'] } }],
    [connect, 'employers:acme', { employer_ids: { add: ['12'] } }],
    [connect, 'employers:"acme north"', { employer_ids: { add: ['13'] } }],
    ['organization.set-csm', 'jane doe', { csm_id: '501' }],
    ['organization.set-csm', 'to jane', { csm_id: '501' }],
    ['import.upload', 'for laurel', { organization_id: '7' }],
    [
      'account-manager.create',
      'ann lee ann@example.com for acme',
      {
        ...{ full_name: 'ann lee', email: 'ann@example.com', employer_ids: { add: ['12'] } },
      },
    ],
  ])('%s %s', (id, words, values) => {
    expect(readNamed(id, words)).toEqual([{ values, left: [] }])
  })

  test('a name of several records is a choice', () => {
    expect(readNamed(connect, 'to cedar').map(({ values }) => values)).toEqual([
      { employer_ids: { add: ['14'] } },
      { employer_ids: { add: ['15'] } },
    ])
  })

  test('a name of no record is left, and a word between two names is no part of them', () => {
    expect(readNamed(connect, 'to nobody')).toEqual([{ values: {}, left: ['to', 'nobody'] }])
    expect(readNamed('organization.set-csm', 'jane doe of nowhere')).toEqual([
      { values: { csm_id: '501' }, left: ['of', 'nowhere'] },
    ])
  })

  test('a named employer of a billing account makes it one of employers', () => {
    const [first] = readNamed('organization.add-billing-account', 'for acme')
    expect(first?.values).toMatchObject({ scope: 'EMPLOYERS', employer_ids: { add: ['12'] } })
  })

  test('a list keeps what a sentence does not name', () => {
    const start = { employer_ids: ['13', '14'], organization_ids: ['7'] }
    const values = { employer_ids: { add: ['12', '14'], remove: ['13'] } }
    expect(initialValues(fieldsOn(byId(connect)), start, values)).toMatchObject({
      employer_ids: ['14', '12'],
      organization_ids: ['7'],
    })
  })

  test('every command with such a field puts the record into its form, by id and by name', () => {
    const said: string[] = []
    for (const command of changing)
      for (const field of fieldsOn(command).filter(isReference)) {
        const { kind, name, title, entity = '' } = field
        const one = named[entity]?.[0]
        expect([command.id, name, one]).not.toEqual([command.id, name, undefined])
        const value = kind === 'references' ? { add: [one?.id] } : one?.id
        const noun = entity.replaceAll('-', ' ')
        for (const words of [one?.id, `"${one?.title}"`])
          for (const end of [`${name}:${words}`, `${title}:${words}`, `for ${noun} ${words}`, `to ${noun} ${words}`]) {
            const sentence = `${command.title} ${command.on ? `${command.on.ids.write('100467')} ` : ''}${end}`
            const own =
              (command.on?.ids.isSpoken ?? true)
                ? readSentences(sentence, commands, nouns).find((each) => each.commands.some((one) => one.command === command))
                : { words: wordsIn(end) }
            const [read, ...others] = allArguments(own?.words ?? [], fieldsOn(command), readDay, findNamed)
            expect([sentence, read?.left, others.length]).toEqual([sentence, [], 0])
            expect([sentence, initialValues(fieldsOn(command), read?.values)[name]]).toEqual([
              sentence,
              initialValues([field], { [name]: value })[name],
            ])
          }
        said.push(`${command.id} ${name}`)
      }
    expect(said.length).toBeGreaterThan(8)
  })
})

const spoken = changing.filter(({ on }) => on?.ids.isSpoken)
const sayId = (command: Command): string => (command.on as AnyEntity).ids.write('100467')

describe('every command that changes something', () => {
  test('takes each of its fields by name, in both word orders, and prints back what was said', () => {
    const said: string[] = []
    for (const command of spoken) {
      const samples = fieldsOn(command).flatMap((field) => {
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
        const { values: read, left } = readArguments(own[0]?.words ?? [], fieldsOn(command), readDay)
        expect({ read, left }, sentence).toEqual({ read: values, left: [] })
      }
      said.push(command.id)
    }
    expect(said.length).toBeGreaterThan(30)
  })

  test('leaves a word too many where no field takes text', () => {
    const left: string[] = []
    for (const command of changing) {
      const fields = fieldsOn(command)
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
    ['add repayment 250 on nov 20 to INV-40058', 'invoice.add-repayment', ['40058'], ['250', 'on', 'nov', '20']],
    ['change due date dec 20 INV-40058', 'invoice.edit', ['40058'], ['dec', '20']],
    ['change due date reason:holiday dec 20 INV-40058', 'invoice.edit', ['40058'], ['holiday', 'dec', '20']],
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
