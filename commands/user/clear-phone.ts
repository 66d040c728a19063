import { clearPhone } from '#contract/user-changes.ts'
import { changeOfUser } from '#entities/forms/user-change.ts'

export default changeOfUser({
  id: 'user.clear-phone',
  titles: ['Clear user phone number', 'Clear phone number of linked user'],
  aliases: [
    'remove phone',
    'lost phone',
    'new phone number',
    'delete phone number',
    'change phone',
    'edit phone',
    'update phone',
    'change phone number',
  ],
  icon: 'eraser',
  does: clearPhone,
  irreversible: true,
  call: ({ id, version }) => clearPhone({ id }, { version }),
  preview: (one) => [{ of: 'User', what: 'Phone', before: one.phone_number ?? 'none', after: 'none' }],
  warning: () => 'Only the person can add a phone number again, in the app.',
  done: (name) => `Cleared the phone number of ${name}`,
})
