import { type Deduction, previewDeductionFile } from '#contract/deductions.ts'
import { deduction } from '#entities/deduction.ts'
import { Beside } from '#portal/record/beside.tsx'
import { RowTable } from '#portal/record/row-table.tsx'
import { wholeNumber } from '#domain/text.ts'

/** The tab File of a deduction: the start of its file, as generated now or as delivered. */
export const DeductionFile = ({ one }: { one: Deduction }) => (
  <Beside
    endpoint={previewDeductionFile}
    id={deduction.id(one)}
    version={one.version}
    failed="The file of this deduction could not be loaded."
  >
    {({ name, mapped, head, rows, lines }) => (
      <>
        <h3>{name}</h3>
        <p className="mb-3 text-muted">
          {one.delivered_at === null ? 'Not delivered yet: this is how it would be written now' : 'As it was delivered'},{' '}
          {mapped ? 'by the EWA mapping of the employer.' : 'in the general form, without a mapping.'}
          {rows.length < lines && ` The first ${wholeNumber(rows.length)} of ${wholeNumber(lines)} lines.`}
        </p>
        <div className="overflow-x-auto whitespace-nowrap">
          <RowTable
            label={`Lines of ${name}`}
            rows={rows.map((cells, at) => ({ at, cells }))}
            idOf={({ at }) => at}
            none="Nothing has to be withheld, so the file has no lines."
            columns={head.map((title, at) => ({ title, cell: ({ cells }: { cells: readonly string[] }) => cells[at] }))}
          />
        </div>
      </>
    )}
  </Beside>
)
