import type { Admin } from '#contract/admins.ts'
import { staffStatuses } from '#domain/staff.ts'
import { orDash } from '#portal/format/cell-text.ts'
import { invitationHint } from '#portal/nouns/staff-columns.tsx'
import { Fact, Facts } from '#portal/record/fact.tsx'
import { Kept } from '#portal/record/kept.tsx'
import { statusOf } from '#portal/ui/status.tsx'

/** The tab General of an admin (SCR-015). */
export function AdminGeneral({ one }: { one: Admin }) {
  return (
    <>
      <Facts title="Person">
        <Fact name="Name">{one.name}</Fact>
        <Fact name="E-mail">{one.email}</Fact>
        <Fact name="Phone">{orDash(one.phone_number)}</Fact>
      </Facts>
      <Facts title="State">
        <Fact name="Status" hint={one.last_super_admin ? 'the last super-admin' : invitationHint(one)}>
          {statusOf(staffStatuses, one.status)}
        </Fact>
        {one.authenticator !== undefined && <Fact name="Authenticator">{one.authenticator ? 'Set up' : 'Not set up'}</Fact>}
      </Facts>
      <Kept one={one} />
    </>
  )
}
