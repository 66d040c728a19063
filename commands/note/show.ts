import { listNotes } from '#contract/notes.ts'
import type { User } from '#contract/users.ts'
import { employee } from '#entities/employee.ts'
import { noted } from '#entities/noted.ts'
import { user } from '#entities/user.ts'
import { defineCommand } from '#kernel/command.ts'

const common = {
  icon: 'note',
  reads: listNotes,
  keys: [{ scope: 'row', chord: 'n' }],
} as const

/** Opens the notes panel of a record, one command per noun with notes; a user shares the notes of the employee. */
export default [
  ...Object.values(noted).map((on) =>
    defineCommand<unknown>({
      ...common,
      id: `note.show.${on.name}`,
      title: `Show ${on.one} notes`,
      aliases: [`notes of ${on.one}`, 'comments'],
      on,
      button: (one, { notes }) => (notes?.entity === on.name && notes.id === on.id(one) ? 'Write a note' : null),
      act: (host, one) => host.notes({ entity: on.name, id: on.id(one), title: on.title(one) }),
    }),
  ),
  defineCommand<User>({
    ...common,
    id: 'note.show.user',
    title: 'Show notes of the linked employee',
    aliases: ['notes of user', 'comments'],
    on: user,
    button: ({ employee_id }, { notes }) =>
      notes?.entity === employee.name && notes.id === String(employee_id) ? 'Write a note' : 'Show notes',
    unavailable: (_, one) => (one && one.employee === null ? { sentence: 'This user is not linked to an employee.' } : null),
    act: (host, one) => host.notes({ entity: employee.name, id: String(one.employee_id), title: one.employee?.name ?? '' }),
  }),
]
