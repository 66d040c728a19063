import { type Employee, employeeCodes, employeeSorts, employmentDetails } from '#contract/employees.ts'
import { employeeStatuses } from '#domain/employee.ts'
import { all } from '#domain/permissions.ts'
import { kycStatuses, userStatuses } from '#domain/user.ts'
import { employee } from '#entities/employee.ts'
import { shortDate } from '#portal/format/dates.ts'
import { orDash } from '#portal/format/cell-text.ts'
import {
  amounts,
  brands,
  dayValue,
  named,
  phoneWords,
  plain,
  sortsOf,
  states,
  subline,
  times,
  twoLines,
} from '#portal/nouns/columns.tsx'
import { detailColumns } from '#portal/nouns/details.tsx'
import { peopleLists } from '#portal/nouns/employees/lists.ts'
import { flowText, frequencyText, payTypeText, rateText, rateValue } from '#portal/nouns/employees/pay.ts'
import { employeeWords } from '#portal/nouns/employees/words.ts'
import { later } from '#portal/ui/later.tsx'
import { type Column, definePane } from '#portal/list/pane.ts'
import { brandMark } from '#portal/ui/brand-mark.tsx'
import { Status } from '#portal/ui/status.tsx'

const wages = all('read:wages')
const compensations = all('read:compensations')
const balances = all('read:work-period-balances')

const name = named<Employee>(employee, 'Name, id', 150)

const employerColumn: Column<Employee> = {
  id: 'employer',
  title: 'Employer',
  width: [130, 1.2],
  sort: 'employer',
  keep: 1,
  text: (one) => (one.employer ? `${one.employer.name}, ${one.employer.code}` : '—'),
  draw: (one) => one.employer && twoLines(one.employer.name, one.employer.code, 'plain'),
}

const status = states<Employee>('status', 'Status', 108, employeeStatuses, (one) => one.status, { sort: 'status', keep: 2 })

const brand = brands<Employee>()

const available = amounts<Employee>('available', 'Available', (one) => one.balance?.available_amount, {
  width: [104, 0.5],
  sort: 'available',
  keep: 3,
  aliases: ['balance', 'available balance'],
  under: (one) => <Status of={employeeStatuses} state={one.status} />,
  needs: balances,
})

const employeeColumns: readonly Column<Employee>[] = [
  name,
  employerColumn,
  status,
  plain('rate', 'Rate', 100, rateText, { align: 'right', value: rateValue, sort: 'rate', needs: wages, width: [100, 0.5] }),
  plain('frequency', 'Pay frequency', 104, (one) => frequencyText(one.pay_frequency), { needs: compensations }),
  brand,
  plain('code', 'Employee code', 110, (one) => one.employee_code, { long: true }),
  ...detailColumns(employmentDetails, { external_tk_id: { id: 'external' } }),
  ...detailColumns(employeeCodes, {
    department_code: { id: 'department' },
    business_unit_code: { id: 'business-unit' },
    location_code: { id: 'location' },
  }),
  plain('hired', 'Hired', 92, (one) => shortDate(one.hire_date), {
    sort: 'hire_date',
    aliases: ['start date'],
    value: (one) => dayValue(one.hire_date),
  }),
  plain('pay-type', 'Pay type', 74, (one) => payTypeText(one.pay_type), { needs: all('read:compensations', 'read:wages') }),
  plain('next-pay', 'Next pay date', 96, (one) => shortDate(one.next_pay_date), {
    needs: compensations,
    value: (one) => dayValue(one.next_pay_date),
  }),
  plain('flow', 'Flow', 80, (one) => flowText(one.flow)),
  plain(
    'email',
    'E-mail, phone',
    170,
    (one) => [one.user?.email ?? one.email, one.user?.phone_number ?? one.phone_number].filter(Boolean).join(', ') || '—',
    {
      width: [170, 1.4],
      aliases: phoneWords,
      draw: (one) => twoLines(orDash(one.user?.email ?? one.email), orDash(one.user?.phone_number ?? one.phone_number), 'plain'),
    },
  ),
  plain('user-id', 'User id', 80, (one) => orDash(one.user_id)),
  plain('user-status', 'User status', 130, (one) => (one.user ? userStatuses.label(one.user.status) : 'Not linked'), {
    draw: (one) =>
      one.user ? <Status of={userStatuses} state={one.user.status} /> : <span className="text-muted">Not linked</span>,
  }),
  states('kyc', 'Identity check', 116, kycStatuses, (one) => one.user?.kyc_status ?? undefined),
  times('updated', 'Changed', (one) => one.updated_at, { sort: 'updated_at' }),
  available,
]

/** Employees: the tab Employee Data beside that of the users (SCR-038). */
export default definePane<Employee>({
  entity: employee,
  title: 'Employees',
  beside: peopleLists,
  columns: employeeColumns,
  shown: ['name', 'employer', 'status', 'rate', 'frequency', 'brand', 'available'],
  sorts: sortsOf(employeeSorts, employeeColumns, { name: 'Name' }),
  sub: (one) => subline(one.id, brandMark(one.brand), one.employer?.name),
  tabs: {
    general: later(async () => (await import('#portal/nouns/employees/general.tsx')).EmployeeGeneral),
    'linked-accounts': later(async () => (await import('#portal/nouns/employees/linked-accounts.tsx')).LinkedAccounts),
    history: later(async () => (await import('#portal/nouns/employees/history.tsx')).EmployeeHistory),
    invoices: later(async () => (await import('#portal/nouns/employees/invoices.tsx')).EmployeeInvoices),
    'pay-period': later(async () => (await import('#portal/nouns/employees/pay-period.tsx')).EmployeePayPeriod),
    rewards: later(async () => (await import('#portal/nouns/employees/rewards.tsx')).Rewards),
    timekeeping: later(async () => (await import('#portal/nouns/employees/timekeeping.tsx')).EmployeeTimekeeping),
    transactions: later(async () => (await import('#portal/nouns/employees/transactions.tsx')).EmployeeTransactions),
  },
  words: employeeWords,
})
