import type { Employer } from '#contract/employers.ts'
import { adjustmentLabels, listPayGroups, type PayGroup } from '#contract/pay-groups.ts'
import { employer } from '#entities/employer.ts'
import { shortDate } from '#portal/format/dates.ts'
import { frequencyText, periodText } from '#portal/nouns/employees/pay.ts'
import { Beside } from '#portal/record/beside.tsx'
import { Fact } from '#portal/record/fact.tsx'
import { RowTable, type TableColumn } from '#portal/record/row-table.tsx'

type Period = PayGroup['periods'][number]

const columns: readonly TableColumn<Period>[] = [
  { title: 'Pay period', cell: (one) => periodText({ period_start: one.start_date, period_end: one.end_date }) },
  { title: 'Report date', cell: (one) => shortDate(one.report_date) },
  { title: 'Payment date', cell: (one) => shortDate(one.payment_date) },
]

function Group({ one }: { one: PayGroup }) {
  return (
    <>
      <h3>{one.name}</h3>
      <dl className="facts">
        <Fact name="External code">{one.external_code}</Fact>
        <Fact name="Payroll frequency">{frequencyText(one.payroll_frequency)}</Fact>
        <Fact name="On a closed day">{adjustmentLabels[one.adjustment_type]}</Fact>
      </dl>
      {one.derived && (
        <p className="my-2 text-muted">
          Taken from the periods of invoices. It makes no further periods until somebody confirms it.
        </p>
      )}
      <RowTable
        label={`Pay periods of ${one.name}`}
        rows={one.periods}
        columns={columns}
        idOf={(period) => period.start_date}
        none="It has no pay period from today on."
      />
    </>
  )
}

/** The tab Payroll Group of an employer (SCR-036): who is paid together, and the pay periods from today on. */
export const EmployerPayrollGroup = ({ one }: { one: Employer }) => (
  <Beside
    endpoint={listPayGroups}
    id={employer.id(one)}
    query={{ 'employer-id': employer.id(one) }}
    version={one.version}
    failed="The pay groups of this employer could not be loaded."
  >
    {({ paygroups }) =>
      paygroups.length === 0 ? (
        <p className="text-muted">This employer has no pay group.</p>
      ) : (
        paygroups.map((group) => <Group key={group.id} one={group} />)
      )
    }
  </Beside>
)
