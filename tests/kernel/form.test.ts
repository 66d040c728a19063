import { expect, test } from 'vitest'
import { z } from 'zod'
import pauseCommand from '#commands/employee/pause.ts'
import resumeCommand from '#commands/employee/resume.ts'
import force from '#commands/employee/force-password-change.ts'
import theme from '#commands/view/theme.ts'
import { choice, choices, date, longText, money, onOff, text } from '#contract/fields.ts'
import { fieldsOf, formOf, stepsOf } from '#kernel/form.ts'
import { contextLike } from '#tests/kernel/context.ts'

const context = contextLike({ held: new Set() })
const names = (schema: z.ZodObject | null) => (schema ? fieldsOf(schema).map((field) => field.name) : null)

test('[EMP-002, EMP-003, EMP-005, CARD-002] a form is the body of its intent, without fixed fields and the version', () => {
  expect(names(formOf(pauseCommand, context))).toEqual(['reason', 'details'])
  expect(names(formOf(resumeCommand, context))).toEqual(['notes'])
  expect(formOf(force, context)).toBeNull()
  const schema = formOf(pauseCommand, context) as z.ZodObject
  expect(schema.safeParse({ details: 'Only details' }).error?.issues).toMatchObject([
    { path: ['reason'], message: 'This is a required field.' },
  ])
  expect(schema.safeParse({ reason: '  Fraud check ' }).data).toEqual({ reason: 'Fraud check' })
})

test('[CARD-002] field metadata is found through optional, nullable and default', () => {
  const schema = z.object({
    second: money('Amount').nullable().optional(),
    first: text('Name', 20, { order: -1 }),
    on: onOff('Active').default(true),
    when: date('Start').optional(),
    kind: choice('Kind', ['a', 'b'], { a: 'Alpha', b: 'Beta' }),
    several: choices('Several', ['x', 'y'], { x: 'Ex', y: 'Why' }),
  })
  expect(fieldsOf(schema)).toMatchObject([
    { name: 'first', kind: 'text', title: 'Name', optional: false },
    { name: 'second', kind: 'money', title: 'Amount', optional: true },
    { name: 'on', kind: 'switch', optional: true, initial: true },
    { name: 'when', kind: 'date', optional: true },
    {
      name: 'kind',
      kind: 'choice',
      options: [
        { value: 'a', label: 'Alpha' },
        { value: 'b', label: 'Beta' },
      ],
    },
    {
      name: 'several',
      kind: 'choices',
      options: [
        { value: 'x', label: 'Ex' },
        { value: 'y', label: 'Why' },
      ],
    },
  ])
})

test('the steps of a wizard are in the order in which they are first named', () => {
  const schema = z.object({
    name: text('Name', 20, { step: 'Person' }),
    groups: choices('Groups', ['a'], { a: 'A' }, { step: 'Rights' }),
    notes: longText('Notes', 500, { step: 'Person' }),
  })
  expect(stepsOf(fieldsOf(schema))).toEqual(['Person', 'Rights'])
  expect(stepsOf(fieldsOf(formOf(theme, context) as z.ZodObject))).toEqual([''])
})
