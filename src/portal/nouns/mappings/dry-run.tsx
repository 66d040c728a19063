import { useEffect, useState } from 'react'
import { doubtfulCodeFault } from '#domain/changed-code.ts'
import type { StatusMapping } from '#domain/import.ts'
import { partsOfHour } from '#domain/mapping-cells.ts'
import { cellTypeOf, type MappingField, mappingFieldLabels, mappingFieldNames, type MappingKind } from '#domain/mapping-fields.ts'
import { faultInWords, type MappedRow } from '#domain/mapping-reading.ts'
import { formatCents } from '#domain/money.ts'
import { pluralize } from '#kernel/pluralize.ts'
import { shortDate } from '#portal/format/dates.ts'
import type { SampleAnswer } from '#portal/nouns/mappings/sample-messages.ts'
import { maxCompared } from '#portal/nouns/mappings/sample-messages.ts'
import { absentIn, type Compared, compareSample, waitsFor } from '#portal/nouns/mappings/compare-sample.ts'
import type { SampleReader } from '#portal/nouns/mappings/read-sample.ts'
import { RowTable } from '#portal/record/row-table.tsx'
import { wholeNumber } from '#domain/text.ts'

const ofLines = { one: 'line', many: 'lines' }
/** Maximum number of faults listed. */
const maxListed = 12

/** A mapped value as text. */
function inWords(field: MappingField, value: string | number | undefined): string {
  if (value === undefined || value === '') return '—'
  const type = cellTypeOf(field)
  if (type === 'money') return formatCents(value as number)
  if (type === 'hours') return `${Math.round(((value as number) * 100) / partsOfHour) / 100} h`
  return type === 'date' ? shortDate(String(value)) : String(value)
}

interface DryRunProps {
  kind: MappingKind
  /** The status mapping as typed. */
  statuses: readonly StatusMapping[]
  employerId: number
  answer: SampleAnswer
  /** Returns the rows of the sample for the comparison on the server. */
  lines: SampleReader['lines']
}

/** Result of the mapping on the sample: lines, faults, rows, and the effect on the employees. */
export function DryRun({ kind, statuses, employerId, answer, lines: linesOf }: DryRunProps) {
  const { reading, rows, report, questions } = answer
  const { refused, lines, good, faults, faultCount, duplicates, missing } = reading
  const fields = mappingFieldNames.filter((name) => rows.some(({ values }) => values[name] !== undefined))
  return (
    <>
      <h2>Dry run</h2>
      <p className="text-small text-muted">
        {[report.encoding, report.sheet && `Sheet ${report.sheet}`, `headers in line ${wholeNumber(report.header_line)}`]
          .filter(Boolean)
          .join(', ')}
      </p>
      {report.notes.length > 0 && (
        <ul className="text-small" aria-label="How the sample is read">
          {report.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      {questions.map(({ id, sentence }) => (
        <p key={id} role="alert">
          {sentence} An import of this file waits until a person answers.{' '}
          {id.startsWith('reading:') && 'Say it in the column “Read as” of the mapping.'}
        </p>
      ))}
      {refused ? (
        <p className="err" role="alert">
          {missing.length > 0
            ? `The file has no column ${missing.map((name) => `“${name}”`).join(', ')}.`
            : faultInWords(refused)}
        </p>
      ) : (
        <p role="status">
          {pluralize(lines, ofLines)}: <b>{wholeNumber(good)} good</b>
          {lines > good && <b className="err">, {wholeNumber(lines - good)} rejected</b>}
          {duplicates > 0 && `, of these ${pluralize(duplicates, { one: 'duplicate', many: 'duplicates' })}`}
        </p>
      )}
      {faultCount > 0 && (
        <ul className="sample-faults" aria-label="Rejected lines">
          {faults.slice(0, maxListed).map((fault) => (
            <li key={`${fault.line} ${fault.column} ${fault.message}`}>{faultInWords(fault)}</li>
          ))}
          {faultCount > maxListed && <li className="text-muted">and {wholeNumber(faultCount - maxListed)} more</li>}
        </ul>
      )}
      {rows.length > 0 && (
        <div className="sample-rows">
          <RowTable<MappedRow>
            label="First rows as they are read"
            rows={rows}
            idOf={({ line }) => line}
            none=""
            columns={[
              { title: 'Line', right: true, cell: ({ line }) => wholeNumber(line) },
              ...fields.map((field) => ({
                title: mappingFieldLabels[field],
                cell: ({ values }: MappedRow) => inWords(field, values[field]),
              })),
            ]}
          />
        </div>
      )}
      {rows.length > 0 && <Outcome kind={kind} statuses={statuses} employerId={employerId} answer={answer} lines={linesOf} />}
    </>
  )
}

/** Why readable lines would be rejected, given the known employees: one sentence each. */
const unlikely = ({ similar, doubtful, no_employer: noEmployer }: Compared): string[] => [
  ...similar.map(({ identifier, known }) => `Nobody is named ${identifier}: ${known} is known.`),
  ...doubtful.map((identifier) => doubtfulCodeFault.join(identifier)),
  ...(noEmployer > 0 ? [`${pluralize(noEmployer, ofLines)} without an employer code of the organization.`] : []),
]

/** The effect of the lines, given the known employees. */
function Outcome({ kind, statuses, employerId, answer, lines }: DryRunProps) {
  const [found, setFound] = useState<{ sum: Compared } | { problem: string } | null>(null)
  useEffect(() => {
    let wanted = true
    setFound(null)
    void compareSample({ kind, statuses, employerId, answer, lines }, () => wanted).then((now) => wanted && setFound(now))
    return () => {
      wanted = false
    }
  }, [kind, statuses, employerId, answer, lines])
  if (!found) return <p className="text-muted">Comparing with the employees of this employer</p>
  if ('problem' in found) return <p role="alert">{found.problem}</p>
  const { sum } = found
  const { known, changed, ended, unknown, left, as_unknown: asUnknown, not_mapped: notMapped, unclear, incremental } = sum
  const absent = absentIn(sum)
  const notTaken = unlikely(sum)
  const whole = answer.reading.good <= maxCompared
  const waits = kind === 'EMPLOYEE' && whole ? waitsFor(sum, answer.nameless) : null
  return (
    <>
      <h2>What it would do</h2>
      {waits && <p role="alert">{waits} An import of this file waits until a person decides.</p>}
      {sum.others > 0 && (
        <p>
          {pluralize(sum.others, ofLines)} about other employers of the organization: imported apart, if the file may be about
          them.
        </p>
      )}
      {notTaken.length > 0 && (
        <ul className="sample-faults" aria-label="Lines that an import rejects">
          {notTaken.slice(0, maxListed).map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
          {notTaken.length > maxListed && <li className="text-muted">and {wholeNumber(notTaken.length - maxListed)} more</li>}
        </ul>
      )}
      {kind === 'EMPLOYEE' ? (
        <dl className="facts">
          <Figure
            name="Created"
            count={unknown - left - notMapped}
            hint={left > 0 ? `${wholeNumber(left)} more have left, and are not added` : undefined}
          />
          {asUnknown > 0 && <Figure name="Status Unknown" count={asUnknown} hint="of those created, as the mapping says" />}
          <Figure name="Changed" count={changed} />
          <Figure name="No longer eligible" count={ended} hint={ended > 0 ? 'of those changed, by their status' : undefined} />
          {unclear + notMapped > 0 && <Figure name="Rejected" count={unclear + notMapped} hint="their status is not mapped" />}
          <Figure name="Left alone" count={known - changed - unclear} />
          {whole && !incremental && (
            <Figure name="Not in the file" count={absent} hint={absent > 0 ? 'they would no longer be eligible' : undefined} />
          )}
        </dl>
      ) : (
        <dl className="facts">
          <Figure name="About known employees" count={known} />
          <Figure name="About nobody known" count={unknown} hint={unknown > 0 ? 'these lines are rejected' : undefined} />
        </dl>
      )}
      {!whole && <p className="text-muted">Of the first {wholeNumber(maxCompared)} good lines.</p>}
    </>
  )
}

const Figure = ({ name, count, hint }: { name: string; count: number; hint?: string | undefined }) => (
  <>
    <dt>{name}</dt>
    <dd>
      {wholeNumber(count)} {hint && <small className="text-muted">{hint}</small>}
    </dd>
  </>
)
