import { listNotes } from '#contract/notes.ts'
import { employee } from '#entities/employee.ts'
import { invoice } from '#entities/invoice.ts'
import { defineCommand } from '#kernel/command.ts'
import type { AnyEntity } from '#kernel/entity.ts'

/** Opens the drawer with the notes of a record, one command for each noun that has notes. */
export default [employee, invoice].map((on: AnyEntity) =>
  defineCommand<unknown>({
    id: `note.show.${on.name}`,
    title: `Show ${on.one} notes`,
    aliases: [`notes of ${on.one}`, 'comments'],
    icon: 'note',
    on,
    reads: listNotes,
    keys: [{ scope: 'row', chord: 'n' }],
    button: (one, { notes }) => (notes?.entity === on.name && notes.id === on.id(one) ? 'Write a note' : null),
    act: (desk, one) => desk.notes({ entity: on.name, id: on.id(one), title: on.title(one) }),
  }),
)
