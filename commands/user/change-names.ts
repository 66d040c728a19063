import { changeNames } from '#contract/user-changes.ts'
import { changeOfUser } from '#entities/forms/user-change.ts'

interface Names {
  first_name: string
  last_name: string
}

export default changeOfUser<Names>({
  id: 'user.change-names',
  titles: ['Change user names', 'Change names of linked user'],
  aliases: ['rename', 'rename user', 'first name', 'last name'],
  does: changeNames,
  form: changeNames.body.omit({ version: true }),
  start: ({ first_name, last_name }) => ({ first_name, last_name }),
  call: ({ id, version }, { first_name, last_name }) => changeNames({ id }, { first_name, last_name, version }),
  undo: ({ first_name, last_name }, { id, version }) => changeNames({ id }, { first_name, last_name, version }),
  preview: (one, { first_name = one.first_name, last_name = one.last_name }) => [
    { of: 'User', what: 'First name', before: one.first_name, after: first_name },
    { of: 'User', what: 'Last name', before: one.last_name, after: last_name },
  ],
  done: (name) => `Changed the names of ${name}`,
})
