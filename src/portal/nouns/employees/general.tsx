import { useAtomValue } from 'jotai'
import { type Employee, employeeCodes, employmentDetails } from '#contract/employees.ts'
import { formatCents } from '#domain/money.ts'
import { type PermissionName, permissionId, rightTo } from '#domain/permissions.ts'
import { kycStatuses, userStatuses } from '#domain/user.ts'
import { user as userEntity } from '#entities/user.ts'
import { dateAndTime, shortDate } from '#portal/format/dates.ts'
import { estimateNote, flowText, frequencyText, payTypeText, rateText } from '#portal/nouns/employees/pay.ts'
import { fromToday, lengthUntil } from '#portal/format/date-distance.ts'
import { orDash } from '#portal/format/cell-text.ts'
import { DetailFacts } from '#portal/nouns/details.tsx'
import { Fact, Facts } from '#portal/record/fact.tsx'
import { linkTo } from '#portal/record/record-link.tsx'
import { Sums } from '#portal/record/sums.tsx'
import { meAtom } from '#portal/api/session.ts'
import { store } from '#portal/platform/store.ts'
import { Status, statusOf } from '#portal/ui/status.tsx'

function useRights(): (name: PermissionName) => boolean {
  const me = useAtomValue(meAtom, { store })
  return (name) => me?.permissions.some((permission) => permission.id === permissionId(name)) ?? false
}

/** Shown in place of a value that the user may not see. */
const Needs = ({ rights }: { rights: readonly PermissionName[] }) => <span className="text-muted">Needs {rightTo(rights)}</span>

function Balance({ one }: { one: Employee }) {
  const may = useRights()('read:work-period-balances')
  const { balance } = one
  if (!may)
    return (
      <p className="mb-3 text-muted">
        Balances are hidden. <Needs rights={['read:work-period-balances']} />
      </p>
    )
  return (
    <>
      <Sums
        of={[
          ['Earned', balance?.earned_amount ?? null],
          ['Taken', balance?.taken_amount ?? null],
          ['Pending', balance?.pending_amount ?? null],
          ['Available', balance?.available_amount ?? null],
        ]}
      />
      {balance === null && <p className="mb-3 text-muted">No work period is open.</p>}
    </>
  )
}

function Pause({ pause }: { pause: NonNullable<Employee['pause']> }) {
  return (
    <p className="text-muted">
      Paused {shortDate(pause.at)} by {pause.by.name}: <span className="text-ink">{pause.reason}</span>
      {pause.details && <span className="block whitespace-pre-line text-ink">{pause.details}</span>}
    </p>
  )
}

function Pay({ one }: { one: Employee }) {
  const rights = useRights()
  const wages = rights('read:wages')
  const details = rights('read:compensations')
  const salary = wages && one.pay_type === 'SALARY' && one.rate_amount !== null
  return (
    <Fact name="Pay">
      {wages ? rateText(one) : <Needs rights={details ? ['read:wages'] : ['read:wages', 'read:compensations']} />}{' '}
      {details ? (
        <span className="text-muted">
          {wages && `${payTypeText(one.pay_type).toLowerCase()}, `}
          {frequencyText(one.pay_frequency).toLowerCase()}
        </span>
      ) : (
        wages && <Needs rights={['read:compensations']} />
      )}
      {salary && (
        <span className="block text-muted">
          * {estimateNote}: {formatCents(one.rate_amount ?? 0)} a year
        </span>
      )}
    </Fact>
  )
}

/** The lines of a postal address as on an envelope; empty if unknown. */
const addressLines = ({ address, city, state, zip, country }: Employee): string[] =>
  [address, [city, [state, zip].filter(Boolean).join(' ')].filter(Boolean).join(', '), country].flatMap((line) => line || [])

function PersonalDetails({ one }: { one: Employee }) {
  const may = useRights()('read:personal-details')
  const lines = addressLines(one)
  return (
    <>
      <h3>Personal details</h3>
      {may ? (
        <dl className="facts">
          <Fact name="Birth date">{shortDate(one.birth_date ?? null)}</Fact>
          <Fact name="Address">
            <span className="whitespace-pre-line">{orDash(lines.join('\n') || null)}</span>
          </Fact>
        </dl>
      ) : (
        <p className="mb-3 text-muted">
          Birth date and address are hidden. <Needs rights={['read:personal-details']} />
        </p>
      )}
    </>
  )
}

/** The tab General (SCR-042): sums of the open work period, employment, codes, personal details, user. */
export function EmployeeGeneral({ one }: { one: Employee }) {
  const rights = useRights()
  const today = useAtomValue(meAtom, { store })?.business_date ?? one.updated_at.slice(0, 10)
  const { user } = one
  return (
    <>
      <Balance one={one} />
      {one.pause && <Pause pause={one.pause} />}
      <Facts title="Employment">
        <Fact name="Employee code">{one.employee_code}</Fact>
        <DetailFacts of={employmentDetails} one={one} />
        <Fact name="Hired" hint={one.hire_date && lengthUntil(today, one.hire_date)}>
          {shortDate(one.hire_date)}
        </Fact>
        <Pay one={one} />
        <Fact name="Next pay date" hint={one.next_pay_date && fromToday(one.next_pay_date, today)}>
          {rights('read:compensations') ? shortDate(one.next_pay_date) : <Needs rights={['read:compensations']} />}
        </Fact>
        <Fact name="Flow">{flowText(one.flow)}</Fact>
      </Facts>
      <Facts title="Codes">
        <DetailFacts of={employeeCodes} one={one} />
      </Facts>
      <PersonalDetails one={one} />
      <h3>User</h3>
      {user ? (
        <dl className="facts">
          <Fact name="User" hint={String(user.id)}>
            {linkTo(userEntity, user.id, `${user.first_name} ${user.last_name}`)}
          </Fact>
          <Fact name="E-mail" hint={user.pending_email && `${user.pending_email} waits to be confirmed`}>
            {user.email}
          </Fact>
          <Fact name="Phone">{orDash(user.phone_number)}</Fact>
          <Fact name="Status">{statusOf(userStatuses, user.status)}</Fact>
          <Fact name="Identity check">{user.kyc_status ? <Status of={kycStatuses} state={user.kyc_status} /> : '—'}</Fact>
          <Fact name="Password change">{user.force_password_change ? 'Required at the next sign-in' : 'Not required'}</Fact>
          <Fact name="Last sign-in">{dateAndTime(user.last_sign_in_at)}</Fact>
        </dl>
      ) : (
        <p className="text-muted">
          Not linked to a user.{one.email && ` E-mail on file: ${one.email}.`}
          {one.phone_number && ` Phone on file: ${one.phone_number}.`}
        </p>
      )}
    </>
  )
}
