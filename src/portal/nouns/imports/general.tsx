import { type Import, listImports } from '#contract/imports.ts'
import {
  canMendImport,
  importKindLabels,
  importSourceLabels,
  lacksMapping,
  leftAlone,
  maxStoredFaults,
  shrinkingFiles,
} from '#domain/import.ts'
import { employer } from '#entities/employer.ts'
import { importedFile } from '#entities/import.ts'
import { organization } from '#entities/organization.ts'
import { dateAndTime } from '#portal/format/dates.ts'
import { wholeNumber } from '#domain/text.ts'
import { ReadAs } from '#portal/nouns/imports/read-as.tsx'
import { bytes } from '#portal/nouns/imports/words.ts'
import { CommandLink } from '#portal/record/command-link.tsx'
import { Fact, Facts } from '#portal/record/fact.tsx'
import { linkTo, RecordLink } from '#portal/record/record-link.tsx'
import { useAnswer, useRefresh } from '#portal/records/use-query.ts'

/** Labels of the counts of a file, by its kind. */
const figures: Record<Import['kind'], { created?: string; changed: string }> = {
  EMPLOYEE: { created: 'Employees created', changed: 'Employees changed' },
  TIMEKEEPING: { created: 'Time entries created', changed: 'Time entries corrected' },
  CONFIRMATION: { changed: 'Deductions confirmed' },
}

/** The result of a file, once it is known. */
function Result({ one }: { one: Import }) {
  const { kind } = one
  const names = figures[kind]
  /** Nothing is applied yet, so there are no counts. */
  const waits = one.status === 'PAUSED'
  const applied = !waits && one.status !== 'FAIL'
  return (
    <Facts title={waits ? 'What it would do' : 'Result'}>
      <Fact name="Lines">{wholeNumber(one.lines)}</Fact>
      <Fact name="Accepted">{wholeNumber(one.accepted)}</Fact>
      {kind === 'EMPLOYEE' && one.incremental === false && one.employer_id !== null && <FilesBefore one={one} />}
      <Fact name="Rejected" hint={one.rejected > maxStoredFaults && `the first ${wholeNumber(maxStoredFaults)} are kept`}>
        {wholeNumber(one.rejected)}
      </Fact>
      {!canMendImport(one) && (
        <Fact name="Correct them">
          <CommandLink run="import.download" entity={importedFile} one={one}>
            Download the lines
          </CommandLink>
          {', correct them, and '}
          <CommandLink run="import.mend" entity={importedFile} one={one}>
            import them alone
          </CommandLink>
        </Fact>
      )}
      {applied && names.created && <Fact name={names.created}>{wholeNumber(one.created)}</Fact>}
      {one.unknown > 0 && (
        <Fact
          name="Status Unknown"
          hint={waits ? 'would be created so, as the mapping says' : 'of those created, as the mapping says'}
        >
          {wholeNumber(one.unknown)}
        </Fact>
      )}
      {applied && <Fact name={names.changed}>{wholeNumber(one.changed)}</Fact>}
      {kind === 'EMPLOYEE' && (
        <>
          {applied && (
            <Fact name="No longer eligible" hint="of those changed">
              {wholeNumber(one.ended)}
            </Fact>
          )}
          {one.status === 'SUCCESS' && <Fact name="Left alone">{wholeNumber(leftAlone(one))}</Fact>}
          {one.incremental === false && one.status !== 'FAIL' && (
            <Fact name="Not in the file" hint={waits && one.absent > 0 && 'would no longer be eligible'}>
              {wholeNumber(one.absent)}
            </Fact>
          )}
        </>
      )}
      {one.held_for !== null && <Fact name="Employees held for">{`${wholeNumber(one.held_for)} ms`}</Fact>}
    </Facts>
  )
}

/** The number of people in earlier full files: if it shrinks each time, the export may be filtered. */
function FilesBefore({ one }: { one: Import }) {
  const query = { 'employer-id': String(one.employer_id), kind: one.kind, status: 'SUCCESS', limit: '50' }
  const { value: answer } = useAnswer(listImports, {}, { query, version: one.version })
  const before = (answer?.imports ?? [])
    .filter(({ received_at, incremental }) => received_at < one.received_at && incremental === false)
    .slice(0, shrinkingFiles - 1)
    .toReversed()
  return (
    before.length > 0 && (
      <Fact name="People in the files before" hint="the oldest first">
        {before.map(({ accepted }) => wholeNumber(accepted)).join(', ')}
      </Fact>
    )
  )
}

/** Other waiting files of the employer: the absent people of each are counted separately. */
function AlsoWaiting({ one }: { one: Import }) {
  const query = { 'employer-id': String(one.employer_id), kind: one.kind, status: one.status, limit: '10' }
  const { value: answer } = useAnswer(listImports, {}, { query, version: one.version })
  const others = answer?.imports.filter(({ id }) => id !== one.id) ?? []
  return (
    others.length > 0 && (
      <Fact name="Also waiting" hint="counted apart from this one">
        {others.map(({ id, file_name }) => (
          <span key={id} className="block">
            <RecordLink entity={importedFile} id={id}>
              {file_name}
            </RecordLink>
          </span>
        ))}
      </Fact>
    )
  )
}

/** The current step of a pending file. */
function underWay({ phase, lines }: Import): string {
  const read = lines === 1 ? '1 line' : `${wholeNumber(lines)} lines`
  if (phase === 'READING') return lines === 0 ? 'It is being read.' : `It is being read: ${read} so far.`
  if (phase === 'APPLYING') return `All is read, and its ${read} ${lines === 1 ? 'is' : 'are'} being imported.`
  return 'It waits for its turn: the files of an organization are imported in the order in which they arrived.'
}

/** The next step for a file that matches no mapping. */
const MappingLacking = ({ one }: { one: Import }) => (
  <p>
    {one.employer_id === null ? (
      'Add a file mapping to the employer whose file it is'
    ) : (
      <CommandLink run="import.add-mapping" entity={importedFile} one={one}>
        Add a file mapping
      </CommandLink>
    )}
    {', then '}
    <CommandLink run="import.again" entity={importedFile} one={one}>
      import the file again
    </CommandLink>
    .
  </p>
)

/** Milliseconds between two reads of a pending file. */
const soon = 1_500

/** The tab General of an import: its employer, its source, and its result. */
export function ImportGeneral({ one }: { one: Import }) {
  useRefresh(importedFile, one.status === 'PENDING' ? String(one.id) : null, { fresh: soon })
  const scope = one.incremental === null ? undefined : one.incremental ? 'Incremental' : 'The whole staff'
  return (
    <>
      {one.message && (
        <p role="status" className={one.status === 'FAIL' ? 'err' : undefined}>
          {one.message}
        </p>
      )}
      {one.questions.length > 0 && (
        <p>
          <CommandLink run="import.answer" entity={importedFile} one={one}>
            Answer
          </CommandLink>
          {one.questions.length > 1 && ` the first of ${wholeNumber(one.questions.length)} questions`}, and the file is imported.
          What you say of columns and headers is kept in the file mapping.
        </p>
      )}
      {lacksMapping(one) && <MappingLacking one={one} />}
      {one.status === 'PENDING' && <p role="status">{underWay(one)} This page follows it.</p>}
      <Facts title="File">
        <Fact name="Name" hint={bytes(one.size)}>
          {one.file_name}
        </Fact>
        <Fact name="Kind" hint={one.kind === 'EMPLOYEE' ? scope : undefined}>
          {importKindLabels[one.kind]}
        </Fact>
        <Fact name="Organization" hint={String(one.organization_id)}>
          {linkTo(organization, one.organization_id, one.organization_name)}
        </Fact>
        {one.employer_id !== null && (
          <Fact name="Employer" hint={String(one.employer_id)}>
            {linkTo(employer, one.employer_id, one.employer_name ?? '')}
          </Fact>
        )}
        {one.status === 'PAUSED' && one.employer_id !== null && <AlsoWaiting one={one} />}
        <Fact name="Received" hint={`by ${one.received_by}, ${importSourceLabels[one.source]}`}>
          {dateAndTime(one.received_at)}
        </Fact>
        {one.mends !== null && (
          <Fact name="Corrects" hint="rejected lines, imported alone">
            {linkTo(importedFile, one.mends, `Import ${one.mends}`)}
          </Fact>
        )}
        {one.part_of !== null && (
          <Fact name="Part of" hint="a file with lines of several employers">
            {`Import ${one.part_of}`}
          </Fact>
        )}
        {one.undone_at && <Fact name="Undone">{dateAndTime(one.undone_at)}</Fact>}
        {one.decided_at && (
          <Fact name="Decided" hint={one.decided_by && `by ${one.decided_by}`}>
            {dateAndTime(one.decided_at)}
          </Fact>
        )}
        {one.finished_at && <Fact name="Finished">{dateAndTime(one.finished_at)}</Fact>}
      </Facts>
      {one.read_as && <ReadAs read={one.read_as} />}
      {(one.status === 'SUCCESS' ||
        (one.status === 'PAUSED' && one.questions.length === 0) ||
        one.undone_at !== null ||
        (one.status === 'FAIL' && one.lines > 0)) && <Result one={one} />}
    </>
  )
}
