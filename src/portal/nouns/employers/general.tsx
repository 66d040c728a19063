import { type Employer, getEmployerAdditionalInfo } from '#contract/employers.ts'
import { companyStatuses, missingLms } from '#domain/company.ts'
import { organization } from '#entities/organization.ts'
import { employer } from '#entities/employer.ts'
import { orDash } from '#portal/format/cell-text.ts'
import { shortDate } from '#portal/format/dates.ts'
import { Beside } from '#portal/record/beside.tsx'
import { Fact, Facts } from '#portal/record/fact.tsx'
import { Kept } from '#portal/record/kept.tsx'
import { linkTo } from '#portal/record/record-link.tsx'
import { Amount } from '#portal/ui/amount.tsx'
import { BrandMark } from '#portal/ui/brand-mark.tsx'
import { statusOf } from '#portal/ui/status.tsx'
import { wholeNumber } from '#domain/text.ts'

/** Facts of an employer from another call: people, money, and account managers. */
const People = ({ one }: { one: Employer }) => (
  <Beside
    endpoint={getEmployerAdditionalInfo}
    id={employer.id(one)}
    query={{ 'employer-ids': employer.id(one) }}
    version={one.version}
    failed="The figures of this employer could not be loaded."
  >
    {({ employers: [more] }) =>
      more && (
        <dl className="facts">
          <Fact name="Employees" hint={`· ${wholeNumber(more.linked_employee_count)} linked to a user`}>
            {wholeNumber(more.employee_count)}
          </Fact>
          {more.overdue_amount !== null && (
            <Fact name="Overdue">
              <Amount cents={more.overdue_amount} />
            </Fact>
          )}
          <Fact name="Customer success manager">{orDash(more.csm?.name)}</Fact>
        </dl>
      )
    }
  </Beside>
)

/** The tab General of an employer (SCR-029): names, state, dates, and people. */
export function EmployerGeneral({ one }: { one: Employer }) {
  return (
    <>
      {one.status === 'INACTIVE' && !one.lms_configured && <p className="mb-3 text-muted">{missingLms}</p>}
      <Facts title="Names">
        <Fact name="Internal name">{one.internal_name}</Fact>
        <Fact name="External name">{one.external_name}</Fact>
        <Fact name="External code">{one.external_code}</Fact>
        <Fact name="Lookup name">{one.lookup_name}</Fact>
        <Fact name="Organization" hint={String(one.organization_id)}>
          {linkTo(organization, one.organization_id, one.organization_name)}
        </Fact>
        <Fact name="Brand">
          <BrandMark brand={one.brand} />
        </Fact>
        <Fact name="Direct customer">{one.direct_customer ? 'Yes' : 'No'}</Fact>
      </Facts>
      <Facts title="State">
        <Fact name="Status">{statusOf(companyStatuses, one.status)}</Fact>
        <Fact name="Onboarded">{one.onboarded ? 'Yes' : 'No'}</Fact>
        <Fact name="Go-live date">{shortDate(one.go_live_date)}</Fact>
        <Fact name="Cancellation date">{shortDate(one.cancellation_date)}</Fact>
        <Fact name="Pilot EE count">{one.pilot_ee_count === null ? '—' : wholeNumber(one.pilot_ee_count)}</Fact>
        <Fact name="Pilot launch date">{shortDate(one.pilot_launch_date)}</Fact>
      </Facts>
      <h3>People and money</h3>
      <People one={one} />
      <Kept one={one} />
    </>
  )
}
