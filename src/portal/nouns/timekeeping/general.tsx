import type { TimeEntry } from '#contract/timekeeping.ts'
import { placementCodes } from '#domain/employee.ts'
import { mappingFieldLabels } from '#domain/mapping-fields.ts'
import { hoursText } from '#domain/time-entry.ts'
import { employee } from '#entities/employee.ts'
import { orDash } from '#portal/format/cell-text.ts'
import { shortDate } from '#portal/format/dates.ts'
import { Decision } from '#portal/record/decision.tsx'
import { EmployerLink } from '#portal/nouns/company-links.tsx'
import { Fact, Facts } from '#portal/record/fact.tsx'
import { linkTo } from '#portal/record/record-link.tsx'
import { Amount } from '#portal/ui/amount.tsx'

/** The total of the day, if it has other entries. */
const ofDay = ({ day_minutes, minutes, status }: TimeEntry): string | undefined =>
  day_minutes !== undefined && day_minutes !== (status === 'REJECTED' ? 0 : minutes)
    ? `${hoursText(day_minutes)} in all on this day`
    : undefined

/** The tab General of a time entry: who worked when, and the decision. */
export function TimeEntryGeneral({ one }: { one: TimeEntry }) {
  return (
    <>
      {one.period_over && <p className="mb-3 text-muted">Its work period is over, so nothing can be decided about it.</p>}
      <Facts title="Time">
        <Fact name="Employee">{linkTo(employee, one.employee_id, one.employee_name)}</Fact>
        <Fact name="Employer">
          <EmployerLink of={one.employer} />
        </Fact>
        <Fact name="Day">{shortDate(one.work_date)}</Fact>
        <Fact name="Time" hint={ofDay(one)}>
          {hoursText(one.minutes)}
        </Fact>
        {placementCodes.map((code) => {
          const text = one.codes?.[code]
          return (
            text && (
              <Fact key={code} name={mappingFieldLabels[code]}>
                {text}
              </Fact>
            )
          )
        })}
        {one.import_id && <Fact name="Came with">import {one.import_id}</Fact>}
        <Fact name="Earned">{one.earned_amount === null ? orDash(null) : <Amount cents={one.earned_amount} />}</Fact>
      </Facts>
      <Decision one={one} {...(one.status === 'AUTO' ? { none: 'Approved automatically.' } : {})} />
    </>
  )
}
