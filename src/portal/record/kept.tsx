import { dateAndTime } from '#portal/format/dates.ts'
import { Fact, Facts } from '#portal/record/fact.tsx'

interface KeptProps {
  one: { created_at: string; updated_at: string }
  /** Who created it, if the API returns it. */
  by?: string
}

/** When a record was created and last changed. */
export const Kept = ({ one, by }: KeptProps) => (
  <>
    <Facts title="Record">
      <Fact name="Created" hint={by && `by ${by}`}>
        {dateAndTime(one.created_at)}
      </Fact>
      <Fact name="Changed">{dateAndTime(one.updated_at)}</Fact>
    </Facts>
  </>
)
