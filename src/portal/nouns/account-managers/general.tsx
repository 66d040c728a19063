import type { AccountManager } from '#contract/account-managers.ts'
import { staffOriginLabels, staffStatuses } from '#domain/staff.ts'
import { dateAndTime } from '#portal/format/dates.ts'
import { Fact } from '#portal/record/fact.tsx'
import { BrandMark } from '#portal/ui/brand-mark.tsx'
import { Status } from '#portal/ui/status.tsx'

/** The tab General of an account manager (SCR-009). */
export function AccountManagerGeneral({ one }: { one: AccountManager }) {
  return (
    <>
      <h3>Person</h3>
      <dl className="facts">
        <Fact name="Name">{one.name}</Fact>
        <Fact name="E-mail">{one.email}</Fact>
        <Fact name="Brand">{one.brand === null ? '—' : <BrandMark brand={one.brand} />}</Fact>
      </dl>
      <h3>State</h3>
      <dl className="facts">
        <Fact name="Status">
          <Status of={staffStatuses} state={one.status} />
        </Fact>
        <Fact name="Origin">{staffOriginLabels[one.origin]}</Fact>
      </dl>
      <h3>Record</h3>
      <dl className="facts">
        <Fact name="Created">{dateAndTime(one.created_at)}</Fact>
        <Fact name="Changed">{dateAndTime(one.updated_at)}</Fact>
      </dl>
    </>
  )
}
