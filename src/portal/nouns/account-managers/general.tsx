import type { AccountManager } from '#contract/account-managers.ts'
import { staffOriginLabels, staffStatuses } from '#domain/staff.ts'
import { invitationHint } from '#portal/nouns/staff-columns.tsx'
import { Fact, Facts } from '#portal/record/fact.tsx'
import { Kept } from '#portal/record/kept.tsx'
import { BrandMark } from '#portal/ui/brand-mark.tsx'
import { statusOf } from '#portal/ui/status.tsx'

/** The tab General of an account manager (SCR-009). */
export function AccountManagerGeneral({ one }: { one: AccountManager }) {
  return (
    <>
      <Facts title="Person">
        <Fact name="Name">{one.name}</Fact>
        <Fact name="E-mail">{one.email}</Fact>
        <Fact name="Brand">{one.brand === null ? '—' : <BrandMark brand={one.brand} />}</Fact>
      </Facts>
      <Facts title="State">
        <Fact name="Status" hint={invitationHint(one)}>
          {statusOf(staffStatuses, one.status)}
        </Fact>
        {one.authenticator !== undefined && <Fact name="Authenticator">{one.authenticator ? 'Set up' : 'Not set up'}</Fact>}
        <Fact name="Origin">{staffOriginLabels[one.origin]}</Fact>
      </Facts>
      <Kept one={one} />
    </>
  )
}
