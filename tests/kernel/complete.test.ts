import { describe, expect, test } from 'vitest'
import { changes, type Command } from '#kernel/command.ts'
import { allArguments, type FindRecord } from '#kernel/sentence/arguments.ts'
import { fieldsFor, isReference } from '#kernel/sentence/typed-fields.ts'
import { completionsOf, type Unfinished } from '#kernel/sentence/complete.ts'
import { wordsIn } from '#kernel/sentence/words.ts'
import { contextLike } from '#tests/kernel/context.ts'

const modules = import.meta.glob<{ default: Command | Command[] }>(['../../commands/*/*.ts', '!../../commands/**/*.page.ts'], {
  eager: true,
})
const changing = Object.values(modules)
  .flatMap((module) => [module.default].flat())
  .filter(changes)
const context = contextLike()
const readDay = (words: string) => (words === 'today' ? '2026-11-30' : null)
const find: FindRecord = ({ entity }, words) =>
  words.toLowerCase() === 'acme' ? [{ id: entity === 'employer' ? '12' : '7', title: 'Acme' }] : []

/** A sentence about a command whose head has this many words. */
function unfinished(command: Command, text: string, head: number, suggested: readonly string[] = []): Unfinished {
  const fields = fieldsFor(command, context)
  return {
    ...{ text, fields },
    read: (typed) => {
      const [one, ...others] = allArguments(wordsIn(typed).slice(head), fields, readDay, find)
      return others.length ? null : (one ?? null)
    },
    suggest: (field) => (isReference(field) ? ['Acme'] : field.kind === 'date' ? ['today'] : suggested),
  }
}
const byId = (id: string): Command => changing.find((command) => command.id === id) as Command
const completed = (id: string, text: string, suggested?: readonly string[]) =>
  completionsOf(unfinished(byId(id), text, 2, suggested))

describe('Tab completes', () => {
  test('the labels of a choice, one text for each', () => {
    const texts = ['pay 100467 Weekly', 'pay 100467 Bi-weekly', 'pay 100467 Semi-monthly', 'pay 100467 Monthly']
    expect(completed('employee.change-pay', 'pay 100467 ')).toEqual(texts)
    expect(completed('employee.change-pay', 'pay 100467')).toEqual(texts)
  })

  test('the label that begins with the last words', () => {
    expect(completed('employee.change-pay', 'pay 100467 semi')).toEqual(['pay 100467 Semi-monthly'])
    expect(completed('repayment.record-return', 'return REP-70001 insuff')).toEqual(['return REP-70001 R01 Insufficient funds'])
    expect(completed('repayment.record-return', 'return REP-70001 nonsense')).toEqual([])
  })

  test('the next field, once the one before has its value', () => {
    expect(completed('employee.change-pay', 'pay 100467 weekly')).toEqual(['pay 100467 weekly today'])
    expect(completed('employee.change-pay', 'pay 100467 weekly today')).toEqual([])
  })

  test('a recent value, in quotes and with the name of its field only where it needs them', () => {
    expect(completed('employee.pause', 'pause 100467 ', ['suspected fraud'])).toContain('pause 100467 suspected fraud')
    expect(completed('employee.pause', 'pause 100467 reason:fraud ', ['two calls'])).toContain(
      'pause 100467 reason:fraud details:"two calls"',
    )
  })

  test('the name of a field without a value to suggest', () => {
    expect(completed('invoice.add-repayment', 'repay INV-40058 ')).toEqual(['repay INV-40058 amount: '])
  })

  test('a record, with the field that it belongs to where several could take it', () => {
    expect(completed('account-manager.connect', 'link maria ')).toEqual(['link maria organizations:Acme'])
    expect(completed('organization.set-csm', 'csm 200001 ')).toEqual(['csm 200001 Acme'])
  })

  test('every command to its end: each step gives a field its value, and leaves no word', () => {
    let steps = 0
    for (const command of changing) {
      const head = command.on ? 'do 1' : 'do it'
      const names = new Set<string>()
      let text = `${head} `
      for (;;) {
        const [next] = completionsOf(unfinished(command, text, 2, ['words']))
        if (next === undefined || next.endsWith(': ')) break
        const [read] = allArguments(wordsIn(next).slice(2), fieldsFor(command, context), readDay, find)
        expect([command.id, next, read?.left]).toEqual([command.id, next, []])
        const now = Object.keys(read?.values ?? {})
        expect([command.id, next, now.length > names.size]).toEqual([command.id, next, true])
        for (const name of now) names.add(name)
        text = `${next} `
        steps++
      }
    }
    expect(steps).toBeGreaterThan(60)
  })
})
