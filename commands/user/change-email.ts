import { changeEmail } from '#contract/user-changes.ts'
import { userStatuses } from '#domain/user.ts'
import { changeOfUser } from '#entities/forms/user-change.ts'

export default changeOfUser<{ email: string }>({
  id: 'user.change-email',
  titles: ['Change user e-mail', 'Change e-mail of linked user'],
  aliases: ['change email', 'update email', 'new e-mail address', 'edit email', 'edit e-mail'],
  icon: 'send',
  does: changeEmail,
  form: changeEmail.body.omit({ brand: true, version: true }),
  call: ({ id, brand, version }, { email }) => changeEmail({ id }, { email, brand, version }),
  undo: (before, { id, brand, version }) => changeEmail({ id }, { email: before.pending_email ?? before.email, brand, version }),
  preview: (one, { email }) =>
    email === undefined || email === one.email
      ? []
      : [
          { of: 'User', what: 'E-mail to confirm', before: one.pending_email ?? 'none', after: email },
          {
            of: 'User',
            what: 'Status',
            before: userStatuses.label(one.status),
            after: userStatuses.label('PENDING_EMAIL_UPDATE'),
          },
        ],
  warning: ({ email, pending_email }) =>
    pending_email === null
      ? `${email} stays the e-mail until the new one is confirmed from its own mailbox.`
      : `${pending_email} waits to be confirmed. Type ${email} to keep that one.`,
  done: (name) => `Mailed the new address of ${name} to have it confirmed`,
})
