import { expect, test } from 'vitest'
import { permissionIds, permissionNames } from '#domain/permissions.ts'
import { registerPanes } from '#portal/list/panes.ts'
import accountManagers from '#portal/nouns/account-managers/list.tsx'
import admins from '#portal/nouns/admins/list.tsx'
import employees from '#portal/nouns/employees/list.tsx'
import employers from '#portal/nouns/employers/list.tsx'
import invoices from '#portal/nouns/invoices/list.tsx'
import organizations from '#portal/nouns/organizations/list.tsx'
import users from '#portal/nouns/users/list.tsx'
import { type } from '#tests/portal/typing.ts'

registerPanes([accountManagers, admins, employees, employers, invoices, organizations, users])

/** The record that Enter opens, with the answer in its row; null if Enter would do nothing or something else. */
function answerTo(text: string, held = new Set<number>(permissionIds)): string | null {
  const { active } = type(text, { held })
  return active?.kind === 'record' ? `${active.title}, ${active.answer}` : null
}

test.each([
  // What is between the value and the record, or an id, makes it a question.
  ['due date of INV-40058', 'INV-40058, Due date: 9 Nov 2026'],
  ['what is the due date of INV-40058?', 'INV-40058, Due date: 9 Nov 2026'],
  ['outstanding amount of INV-40058', 'INV-40058, Outstanding: $6,000.00'],
  ['INV-40058 report date', 'INV-40058, Report date: 20 Oct 2026'],
  ['payment 40058', 'INV-40058, Payment: Self Pay'],
  ["sadia's hire date", 'Sadia Barnes, Hired: —'],
  ["what is sadia's employee code", 'Sadia Barnes, Employee code: HF-100467'],
  ['hire date 100467', 'Sadia Barnes, Hired: —'],
  ['phone number of sadia', 'Sadia Barnes, E-mail, phone: sadia.barnes@example.com'],
  ['email of sadia', 'Sadia Barnes, E-mail, phone: sadia.barnes@example.com'],
  ['balance of sadia', 'Sadia Barnes, Available: —'],
  ['employer of sadia', 'Sadia Barnes, Employer: Birch Foods, BF'],
  ['csm of laurel', 'Laurel Group, Customer success manager: —'],
  ['go-live date of birch', 'Birch Foods, Go-live date: 3 Mar 2025'],
  ['laurel csm', 'Laurel Group, Customer success manager: —'],
  ['who is the csm of laurel', 'Laurel Group, Customer success manager: —'],
  ['can you tell me the phone number of tom okafor pls', 'Tom Okafor, E-mail, phone: tom.okafor@example.com'],
  // Behind a name the same words may be a part of it, if somebody is called so.
  ['sadia phone', 'Sadia Barnes, E-mail, phone: sadia.barnes@example.com'],
  ['sadia status', 'Sadia Barnes, Status: Active'],
  ['birch foods external code', 'Birch Foods, External code: HF-01'],
])('%s: %s', (text, answer) => {
  expect(answerTo(text)).toBe(answer)
})

test('a value that the person may not see is hidden', () => {
  const withoutWages = new Set(permissionIds.filter((id) => permissionNames[id] !== 'read:wages'))
  expect(answerTo('rate of sadia')).toBe('Sadia Barnes, Rate: —')
  expect(answerTo('rate of sadia', withoutWages)).toBe('Sadia Barnes, Rate: Hidden')
})

test.each(['pause employee', 'close invoice', 'edit employer', 'set status'])('%s is no question', (text) => {
  expect(type(text).rows.filter((row) => row.kind === 'record' && row.answer)).toEqual([])
})

test('the answer comes before a change of the value, and words for a list or a tab mean that', () => {
  const { active, rows } = type('INV-40058 due date')
  expect(rows.map(({ title }) => title)).toEqual(['INV-40058', 'Change due date: INV-40058'])
  expect(active).toMatchObject({ title: 'INV-40058', answer: 'Due date: 9 Nov 2026' })
  expect(type('employees of birch').active?.title).toBe('Show employees of Birch Foods')
  expect(type('birch paid').active?.title).toMatch(/^Show paid invoices/)
})

test.each([
  // By the permission that a command needs, and by the name of one.
  ['who can approve write-offs', 'Approve write-offs'],
  ['who may resume an employee?', 'Resume employees'],
  ['who has permission to add a repayment', 'Change billing'],
  ['who can see billing', 'See billing'],
])('%s: the staff with that permission', (text, permission) => {
  expect(type(text).rows.map(({ title }) => title)).toEqual([
    `Show all account managers · Permission is ${permission}`,
    `Show all admins · Permission is ${permission}`,
  ])
})

test('of the staff one list may be asked for, and who can see admins is only asked of admins', () => {
  const titles = (text: string) => type(text).rows.map(({ title }) => title)
  expect(titles('admins who can approve write-offs')).toEqual(['Show all admins · Permission is Approve write-offs'])
  expect(titles('which account managers can pause employees')).toEqual([
    'Show all account managers · Permission is Change employees',
  ])
  expect(titles('who is allowed to see admins')).toEqual(['Show all admins · Permission is See admins'])
  // About a record it is a question of access, and no order.
  expect(type('who can resume 100467').active).toBeNull()
})
