import type { Session } from '#contract/sessions.ts'
import { dateAndTime } from '#portal/format/dates.ts'
import { Fact, Facts } from '#portal/record/fact.tsx'

/** The tab General of a session: device, start, and end. */
export function SessionGeneral({ one }: { one: Session }) {
  return (
    <>
      <Facts title="Device">
        <Fact name="Device">{one.device}</Fact>
        <Fact name="Address">{one.address}</Fact>
      </Facts>
      <Facts title="Times">
        <Fact name="Signed in">{dateAndTime(one.created_at)}</Fact>
        <Fact name="Last used">{dateAndTime(one.last_active_at)}</Fact>
        <Fact name="Ends at the latest">{dateAndTime(one.expires_at)}</Fact>
      </Facts>
    </>
  )
}
