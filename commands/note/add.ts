import { addNote, deleteNote } from '#contract/notes.ts'
import { notedEntities } from '#domain/note.ts'
import { noted } from '#entities/noted.ts'
import { defineCommand } from '#kernel/command.ts'
import { answerTo } from '#kernel/plan.ts'

const { text, user_id } = addNote.body.shape

/** Adds a note to one or several records, one command per noun with notes; undo deletes it. */
export default notedEntities.map((entity_type) => {
  const on = noted[entity_type]
  return defineCommand<unknown, { text: string; user_id: string }>({
    id: `note.add.${on.name}`,
    title: `Add ${on.one} note`,
    aliases: [`add note to ${on.one}`, 'write a note', 'comment', 'note'],
    icon: 'note',
    on,
    does: [addNote],
    form: ({ person }) => addNote.body.pick({ text: true }).extend({ text, user_id: user_id.default(person ?? '') }),
    bulk: true,
    plan: (one, params) => [addNote({ id: on.id(one) }, { ...params, entity_type })],
    undo: {
      steps: ({ answers: [added] }) => [deleteNote({ id: answerTo(addNote, added).id }, {})],
      done: (one) => `Deleted the note on ${on.title(one)}`,
    },
    done: (one) => `Added a note to ${on.title(one)}`,
  })
})
