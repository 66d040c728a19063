import type { Deduction } from '#contract/deductions.ts'
import type { Employer } from '#contract/employers.ts'
import { deduction } from '#entities/deduction.ts'
import { employer } from '#entities/employer.ts'
import type { Column } from '#portal/list/pane.ts'
import deductions from '#portal/nouns/deductions/list.tsx'
import { narrowed, tabList } from '#portal/record/tab-list.tsx'

const nameOf = ({ file_name }: Deduction): string => file_name ?? 'Not delivered'

const file: Column<Deduction> = {
  id: 'ewa-file',
  title: 'File, invoice',
  width: [190, 1.6],
  sort: 'id',
  keep: 3,
  long: true,
  text: (one) => `${nameOf(one)}, ${one.invoice_number}`,
  draw: (one) => (
    <>
      <strong className={one.file_name === null ? 'text-muted' : ''}>{nameOf(one)}</strong>
      <small>{one.invoice_number}</small>
    </>
  ),
}

/** The tab EWA Files of an employer (SCR-033): the amounts it was asked to withhold, file by file. */
export const EmployerEwaFiles = tabList<Employer>({
  of: employer,
  tab: 'ewa-files',
  rows: deduction,
  list: (one) => {
    const whole = narrowed(
      deductions,
      { 'employer-id': employer.id(one) },
      {
        shown: ['ewa-file', 'status', 'reported', 'employees', 'delivered-at', 'fetched-at', 'amount'],
        none: 'This employer has no EWA file.',
      },
    )
    // The employer is the record around the list.
    return { ...whole, columns: [file, ...whole.columns.filter(({ id }) => id !== 'invoice')] }
  },
})
