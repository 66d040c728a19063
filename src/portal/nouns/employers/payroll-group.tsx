import type { Employer } from '#contract/employers.ts'
import { listCurrentPeriods, listPayGroups, type PayGroup } from '#contract/pay-groups.ts'
import { adjustmentLabels, payGroupStates } from '#domain/pay-group.ts'
import { employer } from '#entities/employer.ts'
import { payGroup } from '#entities/pay-group.ts'
import { shortDate } from '#portal/format/dates.ts'
import type { Column } from '#portal/list/pane.ts'
import { dates, plain, states } from '#portal/nouns/columns.tsx'
import { frequencyText, periodText } from '#portal/nouns/employees/pay.ts'
import { AroundList } from '#portal/record/around-list.tsx'
import { Beside } from '#portal/record/beside.tsx'
import { Fact } from '#portal/record/fact.tsx'
import { tabList } from '#portal/record/tab-list.tsx'

/** The current period, or the next one. */
const underWay = ({ periods: [one] = [] }: Partial<PayGroup>): string =>
  one ? periodText({ period_start: one.start_date, period_end: one.end_date }) : 'None from today on'

const columns: readonly Column<PayGroup>[] = [
  {
    id: 'name',
    title: 'Pay group, code',
    width: [140, 1.2],
    keep: 3,
    text: (one) => `${one.name}, ${one.external_code}`,
    draw: (one) => (
      <>
        <strong>{one.name}</strong>
        <small>{one.external_code}</small>
      </>
    ),
  },
  plain('frequency', 'Payroll frequency', 104, (one) => frequencyText(one.payroll_frequency), { keep: 2 }),
  plain('period', 'Pay period', 168, underWay, { keep: 2, width: [168, 1] }),
  dates('report', 'Report date', (one) => one.periods?.[0]?.report_date),
  dates('payment', 'Payment date', (one) => one.periods?.[0]?.payment_date, { keep: 3 }),
  plain('adjustment', 'On a closed day', 130, (one) => adjustmentLabels[one.adjustment_type]),
  states('state', 'State', 96, payGroupStates, (one) => (one.derived ? 'DERIVED' : 'CONFIRMED'), { keep: 3 }),
]

/** Pay groups of an employer. One derived from the periods of invoices generates no further periods until it is confirmed. */
const PayGroups = tabList<Employer>({
  of: employer,
  tab: 'payroll-group',
  rows: payGroup,
  list: (one) => ({
    title: 'Pay groups',
    many: 'pay groups',
    columns,
    none: 'This employer has no pay group.',
    source: {
      endpoint: listPayGroups,
      query: () => ({ 'organization-id': String(one.organization_id), 'employer-id': employer.id(one) }),
      rows: (answer: { paygroups: PayGroup[] }) => answer.paygroups,
    },
  }),
})

/** The current pay period of each pay group of the employer, filtered from all that the user may see (API-043). */
const CurrentPeriods = ({ one }: { one: Employer }) => (
  <Beside
    endpoint={listCurrentPeriods}
    id={employer.id(one)}
    version={one.version}
    failed="The current pay periods could not be loaded."
  >
    {({ periods }) => (
      <dl className="facts" aria-label="Current pay periods">
        {periods
          .filter((period) => period.employer_id === one.id)
          .map((period) => (
            <Fact key={period.pay_group_id} name={period.name} hint={`· paid ${shortDate(period.payment_date)}`}>
              {periodText({ period_start: period.start_date, period_end: period.end_date })}
            </Fact>
          ))}
      </dl>
    )}
  </Beside>
)

/** The tab Payroll Group of an employer (SCR-036): the current periods, and its pay groups. */
export const EmployerPayrollGroup = ({ one }: { one: Employer }) => (
  <AroundList endpoint={listPayGroups} above={<CurrentPeriods one={one} />} list={<PayGroups one={one} />} below={null} />
)
