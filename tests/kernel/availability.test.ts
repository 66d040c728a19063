import { expect, test } from 'vitest'
import type { Employee } from '#contract/employees.ts'
import force from '#commands/employee/force-password-change.ts'
import opens from '#commands/link/open.ts'
import pause from '#commands/employee/pause.ts'
import configure from '#commands/employer/configure.page.ts'
import resume from '#commands/employee/resume.ts'
import notes from '#commands/note/show.ts'
import cancelOfUser from '#commands/user/cancel-password-change.ts'
import forceOfUser from '#commands/user/force-password-change.ts'
import theme from '#commands/view/theme.ts'
import { listings } from '#contract/listings.ts'
import type { User } from '#contract/users.ts'
import { all, any, asEntity, noPermission, permissionId, type PermissionName, rightLacked } from '#domain/permissions.ts'
import { employee } from '#entities/employee.ts'
import { availability, lockedTo, guard, onBrokenPredicate, reasonOf } from '#kernel/availability.ts'
import { type Command, defineCommand } from '#kernel/command.ts'
import type { CommandHost } from '#kernel/command-host.ts'
import type { CommandContext } from '#kernel/command-context.ts'
import { lackedIn } from '#kernel/api-client.ts'
import { employerLike } from '#tests/support/examples.ts'

const open = opens.find(({ id }) => id === 'link.open.employee') as Command

const contextWith = (...names: PermissionName[]): CommandContext => ({
  signedIn: true,
  held: new Set(names.map(permissionId)),
  supports: () => true,
  selection: null,
  pane: null,
  open: null,
  online: true,
})
const mia = (change: Partial<Employee> = {}): Employee =>
  ({
    id: 1,
    first_name: 'Mia',
    last_name: 'Torres',
    status: 'ACTIVE',
    flow: 'PAYROLL',
    user_id: 2,
    version: 1,
    user: { force_password_change: false },
    ...change,
  }) as Employee

test('[PERM-037] a command without its permission is locked, and names what is lacking', () => {
  expect(availability(resume, contextWith('write:employees'), mia({ status: 'PAUSED' }))).toEqual({
    state: 'locked',
    sentence: noPermission,
    lacks: ['write:unpause'],
    last: 'and',
  })
})

test('[PERM-037] alternative rights are named with ’or’, and all required ones with ’and’', () => {
  const passwords = 'the right to reset passwords of payroll users or passwords of consumer users'
  const state = (command: Command, names: PermissionName[], target?: unknown) => {
    const found = availability(command, contextWith(...names), target)
    return 'sentence' in found ? reasonOf(found) : found.state
  }
  expect(state(force, [])).toBe(`${noPermission} It needs ${passwords}.`)
  expect(state(force, [], mia())).toBe(`${noPermission} It needs the right to reset passwords of payroll users.`)
  const readers = any('read:employers', 'read:organizations')
  expect(rightLacked(new Set(), readers)).toBe('the right to see employers or organizations')
  expect(rightLacked(contextWith('read:employers').held, readers)).toBeNull()
  expect(rightLacked(new Set(), all('read:wages', 'read:compensations'))).toBe('the right to see wages and compensations')
  const note = { entity: 'note' }
  expect(rightLacked(new Set(), asEntity(), note)).toBe('the right to see employees or employers or organizations or billing')
})

test('a right that several calls of a command need is named once', () => {
  expect(guard(configure.command, new Set(), employerLike()).lacks).toEqual(['write:employers'])
})

test('[PERM-037] a refusal names all that is lacking, with alternatives', () => {
  const refused = (path: string) => ({
    type: 'urn:admin-portal:problem:permission-denied',
    title: 'Forbidden',
    status: 403,
    code: 'permission-denied',
    errors: ['write:billing', 'write:users'].map((message) => ({ path, message })),
  })
  expect(lackedIn(refused('permission'))).toBe('the right to change billing and users')
  expect(lackedIn(refused('one-of-permissions'))).toBe('the right to change billing or users')
  expect(lackedIn({ ...refused('permission'), code: 'status-forbids' })).toBeNull()
})

test('[EMP-001, EMP-004] the state of the record decides, in the words of the rule that the server uses, too', () => {
  const may = contextWith('read:employees', 'write:employees', 'write:unpause')
  expect(availability(pause, may)).toEqual({ state: 'ask' })
  expect(availability(pause, may, mia())).toEqual({ state: 'ready' })
  expect(availability(pause, may, mia({ status: 'PAUSED' }))).toEqual({ state: 'off', sentence: 'Already paused.' })
  expect(availability(resume, may, mia())).toEqual({ state: 'off', sentence: 'Actions unavailable when in Active.' })
})

test('a permission that depends on the target is undecided until there is one', () => {
  const { held } = contextWith('write-password-change:payroll')
  expect(guard(force, held).verdict).toBe('depends')
  expect(guard(force, held, mia()).verdict).toBe('yes')
  expect(guard(force, held, mia({ flow: 'CONSUMER' }))).toEqual({
    verdict: 'no',
    lacks: ['write-password-change:consumer'],
    last: 'and',
  })
})

test('[PERM-037] a record that may not be read cannot be acted on: the right to see it is named', () => {
  const may = contextWith('write-password-change:payroll')
  expect(availability(force, may)).toEqual({ state: 'locked', sentence: noPermission, lacks: ['read:employees'], last: 'and' })
  expect(availability(force, contextWith('write-password-change:payroll', 'read:employees'))).toEqual({ state: 'ask' })
  expect(availability(force, may, mia())).toEqual({ state: 'ready' })
})

test('the record of the user applies the same permission and rule to the linked employee', () => {
  const of = (change: Partial<NonNullable<User['employee']>> | null, force_password_change = false): User =>
    ({
      id: 2,
      version: 1,
      force_password_change,
      employee_id: change && 1,
      employee: change && {
        id: 1,
        name: 'Mia Torres',
        status: 'ACTIVE',
        flow: 'PAYROLL',
        employer: { id: 1, name: 'Harbor' },
        ...change,
      },
    }) as User
  const may = contextWith('write-password-change:payroll')
  expect(guard(forceOfUser, may.held, of({ flow: 'CONSUMER' }))).toMatchObject({
    verdict: 'no',
    lacks: ['write-password-change:consumer'],
  })
  expect(availability(forceOfUser, may, of({}))).toEqual({ state: 'ready' })
  expect(availability(cancelOfUser, may, of({}, true))).toEqual({ state: 'ready' })
  for (const [command, one, sentence] of [
    [forceOfUser, of({}, true), 'A password change is already required.'],
    [cancelOfUser, of({}), 'No password change is required.'],
    [forceOfUser, of({ status: 'PAUSED' }), 'Unavailable while the employee is paused.'],
    [forceOfUser, of(null), 'This user is not linked to an employee.'],
  ] as const)
    expect(availability(command, may, one)).toEqual({ state: 'off', sentence })
})

test('n on a user opens the notes of the linked employee', () => {
  const opened: unknown[] = []
  const host = { notes: (of: unknown) => opened.push(of) } as unknown as CommandHost
  const show = notes.find(({ id }) => id === 'note.show.user') as Command
  const one = { id: 2, employee_id: 1, employee: { id: 1, name: 'Mia Torres' } }
  if ('act' in show) show.act(host, one, {})
  expect(opened).toEqual([{ entity: 'employee', id: '1', title: 'Mia Torres' }])
  expect(availability(show, contextWith('read:employees'), { id: 2, employee_id: null, employee: null })).toEqual({
    state: 'off',
    sentence: 'This user is not linked to an employee.',
  })
})

test('the right to read an entity is that of the entity that the command is on', () => {
  const noting = defineCommand<Employee, Record<string, never>>({
    id: 'x.y',
    title: 'Note',
    on: employee,
    reads: { ...listings.employees, needs: asEntity() },
    act: () => {},
  })
  expect(guard(noting, contextWith('read:employees').held).verdict).toBe('yes')
  expect(guard(noting, contextWith('read:billing').held)).toMatchObject({ verdict: 'no', lacks: ['read:employees'] })
})

test('a command that the API does not support says so; one without permission is available', () => {
  expect(availability(open, { ...contextWith('read:employees'), supports: () => false }, mia())).toEqual({
    state: 'off',
    sentence: 'Not offered by this API',
  })
  expect(availability(theme, contextWith())).toEqual({ state: 'ready' })
})

test('a predicate that throws disables only its own command, and is reported once', () => {
  const reports: string[] = []
  const { report } = onBrokenPredicate
  onBrokenPredicate.report = (command) => void reports.push(command.id)
  const broken = { ...theme, id: 'broken.one', unavailable: { because: () => JSON.parse('{') } } as Command
  const first = availability(broken, contextWith())
  const second = availability(broken, contextWith())
  onBrokenPredicate.report = report
  expect(first).toEqual({ state: 'off', sentence: 'Unavailable: it could not be checked.' })
  expect(second).toEqual(first)
  expect(reports).toEqual(['broken.one'])
})

test('[PERM-037] a page names the right that it needs', () => {
  const { held } = contextWith('read:employees')
  expect(lockedTo(held, all('read:billing'))).toBe(`${noPermission} It needs the right to see billing.`)
  expect(lockedTo(held, any('read:employers', 'read:organizations'))).toBe(
    `${noPermission} It needs the right to see employers or organizations.`,
  )
})
