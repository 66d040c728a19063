import { countUsers, getUser, listUserEvents, listUsers, User, userEventFilters, userFilters } from '#contract/users.ts'
import { brandOf } from '#domain/brand.ts'
import { isolated } from '#domain/text.ts'
import { userStatuses } from '#domain/user.ts'
import { defineEntity } from '#kernel/entity.ts'
import { numbers } from '#kernel/ids.ts'

/** Anybody with an account of the service, linked to an employee or not. */
export const user = defineEntity<User>({
  name: 'user',
  one: 'user',
  many: 'users',
  instead: {
    'Nobody is locked out of the service: resume the employee if they are paused, or force a password change.': [
      ...['unlock', 'unlock user', 'unlock account', 'unlock employee'],
      ...['locked users', 'locked out users', 'users locked out', 'locked accounts'],
    ],
  },
  icon: 'user',
  ids: numbers({ alone: true }),
  path: '/users',
  schema: User,
  get: getUser,
  list: listUsers,
  count: countUsers,
  events: listUserEvents,
  eventFilters: userEventFilters,
  query: {},
  rows: (answer: { users: User[] }) => answer.users,
  filters: userFilters,
  orders: { date: 'created_at' },
  pane: true,
  tabs: { 'linked-accounts': 'Linked Accounts', history: 'History' },
  id: (one) => String(one.id),
  title: (one) => isolated(`${one.first_name} ${one.last_name}`),
  subtitle: (one) =>
    [one.id, one.employee ? isolated(one.employee.employer.name) : `${brandOf(one.brand).name}, no employee`].join(' · '),
  status: { of: (one) => one.status, states: userStatuses },
  version: (one) => one.version,
  keywords: (one) => [one.email, one.pending_email, one.phone_number].filter((word) => word !== null),
  confirmWith: (one) => `${one.first_name} ${one.last_name}`,
})
