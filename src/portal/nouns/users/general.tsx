import { getCurrentAddress, getKyc, type User } from '#contract/users.ts'
import { brandOf } from '#domain/brand.ts'
import { employeeStatuses } from '#domain/employee.ts'
import { documentWords, kycStatuses } from '#domain/user.ts'
import { employee } from '#entities/employee.ts'
import { user } from '#entities/user.ts'
import { orDash } from '#portal/format/cell-text.ts'
import { dateAndTime, shortDate } from '#portal/format/dates.ts'
import { flowText } from '#portal/nouns/employees/pay.ts'
import { Beside } from '#portal/record/beside.tsx'
import { Fact, Facts } from '#portal/record/fact.tsx'
import { linkTo } from '#portal/record/record-link.tsx'
import { statusOf } from '#portal/ui/status.tsx'

function Address({ one }: { one: User }) {
  return (
    <Beside endpoint={getCurrentAddress} id={user.id(one)} version={one.version} failed="The address could not be loaded.">
      {({ address }) =>
        address ? (
          <address className="not-italic">
            {[address.line_1, address.line_2].filter(Boolean).join(', ')}
            <br />
            {address.city}, {address.state} {address.postal_code}
            <span className="block text-muted">since {shortDate(address.since)}</span>
          </address>
        ) : (
          <p className="text-muted">No address is known.</p>
        )
      }
    </Beside>
  )
}

function IdentityCheck({ one }: { one: User }) {
  return (
    <Beside endpoint={getKyc} id={user.id(one)} version={one.version} failed="The identity check could not be loaded.">
      {({ kyc }) =>
        kyc ? (
          <dl className="facts">
            <Fact name="Status">{statusOf(kycStatuses, kyc.status)}</Fact>
            <Fact name="Documents">{documentWords(kyc.document_types)}</Fact>
            <Fact name="Submitted">{dateAndTime(kyc.submitted_at)}</Fact>
            <Fact name="Reviewed" hint={kyc.reviewed_by && `by ${kyc.reviewed_by}`}>
              {dateAndTime(kyc.reviewed_at)}
            </Fact>
            {kyc.reason && <Fact name="Reason">{kyc.reason}</Fact>}
          </dl>
        ) : (
          <p className="text-muted">The identity check has not started.</p>
        )
      }
    </Beside>
  )
}

/** The tab General of a user: identity, address, identity check, sign-in, and the linked employee. */
export function UserGeneral({ one }: { one: User }) {
  const linked = one.employee
  return (
    <>
      <Facts title="Contact">
        <Fact name="First name">{one.first_name}</Fact>
        <Fact name="Last name">{one.last_name}</Fact>
        <Fact name="E-mail">{one.email}</Fact>
        {one.pending_email && <Fact name="E-mail to confirm">{one.pending_email}</Fact>}
        <Fact name="Phone">{orDash(one.phone_number)}</Fact>
        <Fact name="Brand">{brandOf(one.brand).name}</Fact>
      </Facts>
      <h3>Employee</h3>
      {linked ? (
        <dl className="facts">
          <Fact name="Employee" hint={String(linked.id)}>
            {linkTo(employee, linked.id, linked.name)}
          </Fact>
          <Fact name="Status">{statusOf(employeeStatuses, linked.status)}</Fact>
          <Fact name="Employer">{linked.employer.name}</Fact>
          <Fact name="Flow">{flowText(linked.flow)}</Fact>
        </dl>
      ) : (
        <p className="text-muted">Not linked to an employee.</p>
      )}
      <Facts title="Sign-in">
        <Fact name="Last sign-in">{dateAndTime(one.last_sign_in_at)}</Fact>
        <Fact name="Password change">{one.force_password_change ? 'Required at the next sign-in' : 'Not required'}</Fact>
        <Fact name="Joined">{dateAndTime(one.created_at)}</Fact>
      </Facts>
      <h3>Identity check</h3>
      <IdentityCheck one={one} />
      <h3>Current address</h3>
      <Address one={one} />
    </>
  )
}
