import { expect, test } from 'vitest'
import { z } from 'zod'
import { type Call, endpoint, intent, type Undoing } from '#contract/define.ts'
import { nothing, text, version } from '#contract/fields.ts'
import { all, byIntent } from '#domain/permissions.ts'
import { employee } from '#entities/employee.ts'
import { invoice } from '#entities/invoice.ts'
import { importedFile } from '#entities/import.ts'
import { repayment } from '#entities/repayment.ts'
import { writeOff } from '#entities/write-off.ts'
import { defineCommand, undoable } from '#kernel/command.ts'
import { defineEntity, nameOf, pathOf } from '#kernel/entity.ts'
import { numbers, uuids } from '#kernel/ids.ts'
import { callOf, planOf, undoing } from '#kernel/plan.ts'
import { sameCall } from '#kernel/outbox.ts'
import { employeeLike, invoiceLike, repaymentLike } from '#tests/support/examples.ts'
import pause from '#commands/employee/pause.ts'
import { pause as pauseIntent } from '#contract/employee-changes.ts'

const uuid = '0198c2a4-7d3e-7b1a-9f00-3c5d2e8a41b7'

// People have UUIDs.
const Person = z.object({ id: z.uuid(), name: z.string(), version: z.int() })
type Person = z.infer<typeof Person>
const call = { path: '/people/{id}', summary: '', tag: 'People', query: nothing, answer: Person }
const byUuid = z.object({ id: z.uuid() })
const rename = intent(endpoint({ ...call, method: 'PATCH', params: byUuid, needs: byIntent }), {
  id: 'person.rename',
  body: z.object({ name: text('Name'), version: version() }),
  needs: all('write:employees'),
  event: 'Renamed',
  undo: ({ id, version }: Undoing, before: Person): Call => rename({ id }, { name: before.name, version }),
})
const person = defineEntity<Person>({
  ...(employee as unknown as ReturnType<typeof defineEntity<Person>>),
  name: 'person',
  one: 'person',
  many: 'people',
  ids: uuids,
  path: '/people',
  schema: Person,
  id: (one) => one.id,
  title: (one) => one.name,
})
const renamePerson = defineCommand({
  id: 'person.rename',
  title: 'Rename person',
  on: person,
  does: rename,
  undo: ({ before, after }) => undoing(rename, after, before),
  done: () => 'Renamed',
  failed: () => 'Something went wrong',
})
const ada: Person = { id: uuid, name: 'Ada', version: 3 }

test('a command on a record with a UUID is planned and undone with that very text', () => {
  expect(planOf(renamePerson, ada, { name: 'Ada L.' })).toMatchObject([
    { at: { id: uuid }, body: { name: 'Ada L.', version: 3 } },
  ])
  expect(undoable(renamePerson, ada)).toBe(true)
  expect(undoing(rename, { ...ada, version: 4 }, ada)).toMatchObject([{ at: { id: uuid }, body: { name: 'Ada', version: 4 } }])
  expect(pathOf(person, uuid)).toBe(`/people/${uuid}`)
})

test('two calls are the same whether their id is typed text or from a row', () => {
  const [step] = planOf(pause, employeeLike(104234, 'Benjamin', 'Ortiz'), { reason: 'Leave' })
  const { intent: of, at, body } = callOf(step as never, [])
  const kept = {
    state: 'unknown' as const,
    key: 'k',
    person: 'ada',
    command: '',
    target: null,
    since: 0,
    intent: of.id,
    at,
    body,
  }
  const fromRow = pauseIntent({ id: 104234 }, { reason: 'Leave', version: 1 })
  expect(fromRow.at).toEqual({ id: '104234' })
  expect(sameCall([kept], { person: 'ada', intent: of.id, at: fromRow.at, body })).toBe(kept)
})

test('an entity recognizes its ids, alone and after its noun', () => {
  expect(employee.ids.readAlone('104233')).toBe('104233')
  expect([employee.ids.readAlone('12'), employee.ids.read('12')]).toEqual([null, '12'])
  expect(employee.ids.read('0104233')).toBeNull()
  expect([invoice.ids.readAlone('inv-7'), invoice.ids.readAlone('40001'), invoice.ids.read('7')]).toEqual(['7', '40001', '7'])
  expect(numbers({ prefix: 'DED' }).readAlone('40001')).toBeNull()
  expect(uuids.readAlone(uuid.toUpperCase())).toBe(uuid)
  expect([uuids.readAlone('104233'), employee.ids.read(uuid)]).toEqual([null, null])
})

test('a name includes the id where people use it, and no id that nobody knows', () => {
  expect(nameOf(employee, employeeLike(104234, 'Benjamin', 'Ortiz'))).toBe('Benjamin Ortiz · 104234')
  expect(nameOf(invoice, invoiceLike())).toBe('INV-40001')
  expect(nameOf(repayment, repaymentLike())).toBe(repaymentLike().reference_id)
  expect(nameOf(writeOff, { id: 6, employee_name: 'Jordan Morris', invoice_number: 'INV-40891' })).toBe(
    'Jordan Morris, INV-40891',
  )
  // Its number is shown in lists, and finds it.
  expect(nameOf(importedFile, { id: 5, file_name: 'EMP_1.csv' })).toBe('EMP_1.csv · 5')
})
