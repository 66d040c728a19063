import { type User, userSorts } from '#contract/users.ts'
import { employeeStatuses } from '#domain/employee.ts'
import { kycStatuses, userStatuses } from '#domain/user.ts'
import { user } from '#entities/user.ts'
import { orDash } from '#portal/format/cell-text.ts'
import { type Column, definePane } from '#portal/list/pane.ts'
import { changeWords } from '#portal/nouns/change-words.ts'
import { brands, named, phoneWords, plain, sortsOf, states, subline, times, twoLines } from '#portal/nouns/columns.tsx'
import { flowText } from '#portal/nouns/employees/pay.ts'
import { peopleLists } from '#portal/nouns/employees/lists.ts'
import { userFields, userStates, userValues } from '#portal/nouns/users/words.ts'
import { history } from '#portal/record/history.ts'
import { brandMark } from '#portal/ui/brand-mark.tsx'
import { later } from '#portal/ui/later.tsx'

const contact = plain<User>('email', 'E-mail, phone', 170, (one) => [one.email, one.phone_number].filter(Boolean).join(', '), {
  width: [190, 1.8],
  draw: (one) => twoLines(one.email, orDash(one.phone_number), 'plain'),
  aliases: phoneWords,
})

const employeeColumn: Column<User> = {
  id: 'employee',
  title: 'Employee, employer',
  width: [130, 1.2],
  text: (one) => (one.employee ? `${one.employee.id}, ${one.employee.employer.name}` : 'Not linked'),
  draw: (one) =>
    one.employee ? (
      twoLines(one.employee.employer.name, one.employee.id, 'plain')
    ) : (
      <span className="text-muted">Not linked</span>
    ),
}

const columns: readonly Column<User>[] = [
  named(user, 'Name, id', 150),
  contact,
  states('status', 'User status', 152, userStatuses, (one) => one.status, { sort: 'status', keep: 3 }),
  states('kyc', 'Identity check', 108, kycStatuses, (one) => one.kyc_status ?? undefined, { keep: 1 }),
  plain('password', 'Password change', 116, (one) => (one.force_password_change ? 'Required' : '—')),
  employeeColumn,
  plain('pending', 'E-mail to confirm', 150, (one) => orDash(one.pending_email), { long: true }),
  states('employee-status', 'Employee status', 116, employeeStatuses, (one) => (one.employee ? one.employee.status : undefined)),
  plain('flow', 'Flow', 80, (one) => (one.employee ? flowText(one.employee.flow) : '—')),
  brands(),
  times('joined', 'Joined', (one) => one.created_at, { sort: 'created_at' }),
  times('signed-in', 'Last sign-in', (one) => one.last_sign_in_at, { sort: 'last_sign_in_at' }),
]

/** Users, linked to an employee or not: the tab User Data beside that of the employees (SCR-039). */
export default definePane<User>({
  entity: user,
  title: 'Users',
  beside: peopleLists,
  columns,
  shown: ['name', 'email', 'status', 'kyc', 'password', 'employee', 'signed-in'],
  sorts: sortsOf(userSorts, columns, { name: 'Name' }),
  sub: (one) => subline(one.id, brandMark(one.brand), one.employee ? one.employee.employer.name : 'Not linked to an employee'),
  tabs: {
    general: later(async () => (await import('#portal/nouns/users/general.tsx')).UserGeneral),
    'linked-accounts': later(async () => (await import('#portal/nouns/users/linked-accounts.tsx')).UserLinkedAccounts),
    history,
  },
  words: changeWords(userFields, userStates, userValues),
})
