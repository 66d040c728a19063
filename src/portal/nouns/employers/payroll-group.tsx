import type { Employer } from '#contract/employers.ts'
import { listPayGroups, type PayGroup } from '#contract/pay-groups.ts'
import { adjustmentLabels, payGroupStates } from '#domain/pay-group.ts'
import { employer } from '#entities/employer.ts'
import { payGroup } from '#entities/pay-group.ts'
import type { Column } from '#portal/list/pane.ts'
import { dates, plain, states } from '#portal/nouns/columns.tsx'
import { frequencyText, periodText } from '#portal/nouns/employees/pay.ts'
import { tabList } from '#portal/record/tab-list.tsx'

/** The period under way, or the next one. */
const underWay = ({ periods: [one] }: PayGroup): string =>
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
  dates('report', 'Report date', (one) => one.periods[0]?.report_date),
  dates('payment', 'Payment date', (one) => one.periods[0]?.payment_date, { keep: 3 }),
  plain('adjustment', 'On a closed day', 130, (one) => adjustmentLabels[one.adjustment_type]),
  states('state', 'State', 96, payGroupStates, (one) => (one.derived ? 'DERIVED' : 'CONFIRMED'), { keep: 3 }),
]

/**
 * The tab Payroll Group of an employer (SCR-036): who is paid together, each with the period under way. One that was derived
 * from the periods of invoices makes no further ones until somebody confirms it.
 */
export const EmployerPayrollGroup = tabList<Employer>({
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
      query: () => ({ 'employer-id': employer.id(one) }),
      rows: (answer: { paygroups: PayGroup[] }) => answer.paygroups,
    },
  }),
})
