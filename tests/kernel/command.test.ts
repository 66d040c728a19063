import { expect, test } from 'vitest'
import addRepayment from '#commands/invoice/add-repayment.ts'
import resetPassword from '#commands/admin/reset-password.ts'
import changePay from '#commands/employee/change-pay.ts'
import pause from '#commands/employee/pause.ts'
import invite from '#commands/admin/invite.ts'
import approve from '#commands/time-entry/approve.ts'
import filters from '#commands/filter/by.ts'
import theme from '#commands/view/theme.ts'
import { buttonOf, type Command, failureOf, filterOf, groupOf } from '#kernel/command.ts'
import { bulkable } from '#kernel/dry-run.ts'
import { formOf } from '#kernel/form.ts'

test('a trait may be declared by its main member alone', () => {
  expect(pause).toMatchObject({ undo: { steps: expect.any(Function) }, done: { message: expect.any(Function) } })
  expect(changePay).toMatchObject({ form: { start: expect.any(Function) }, undo: { applies: expect.any(Function) } })
  const [byStatus] = filters
  expect(byStatus).toMatchObject({ form: { schema: expect.any(Function), start: expect.any(Function) } })
  expect(formOf(pause, {} as never)?.shape).toHaveProperty('reason')
})

test('the label of a button is the title without the noun and the word before it', () => {
  const labelOf = (command: Command) => buttonOf(command, {} as never, {})
  expect([pause, resetPassword, invite].map(labelOf)).toEqual(['Pause', 'Reset password', 'Send the invitation again'])
})

test('a failure without a sentence of its own has that of its title', () => {
  const entry = { employee_name: 'Mia Torres', work_date: '2026-11-04' }
  expect(failureOf(approve, entry)).toBe('Could not approve time entry: Mia Torres, 4 Nov 2026')
  expect(failureOf(approve, undefined)).toBe('Could not approve time entry')
  expect(failureOf(theme, undefined)).toBe('Something went wrong')
})

test('a command with a plan of its own runs on one record unless it says otherwise', () => {
  expect([pause, approve, resetPassword].map(bulkable)).toEqual([true, true, false])
  expect(addRepayment).toMatchObject({ bulk: { together: expect.any(Function) } })
})

test('icon, group and filter follow from the id', () => {
  expect([approve.icon, pause.icon, resetPassword.icon]).toEqual(['check', 'pause', 'lock'])
  const grouped = (id: string) => groupOf({ id })
  expect(['open.employees', 'link.tab.employee-history', 'history.filter.user', 'link.copy.id'].map(grouped)).toEqual([
    ...['Navigation', 'Tabs', 'Filters', 'View'],
  ])
  expect(filterOf(filters.find(({ id }) => id === 'filter.by.invoice.status') as Command)).toEqual({
    list: 'invoice',
    id: 'status',
  })
  expect(filterOf(pause)).toBeUndefined()
})
