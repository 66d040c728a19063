import { type DragEvent, useEffect, useMemo, useRef, useState } from 'react'
import type { StatusMapping } from '#domain/import.ts'
import { configurationsMissing, type MappingColumn } from '#domain/mapping.ts'
import { employer } from '#entities/employer.ts'
import type { MappingFacts } from '#entities/pages/mapping-form.ts'
import { isWritten, type MappingKind, mappingKinds } from '#domain/mapping-fields.ts'
import { kindOfFileName, lastingFileName, warnFileName } from '#domain/mapping-file-name.ts'
import { faultInWords } from '#domain/mapping-reading.ts'
import { wholeNumber } from '#domain/text.ts'
import { pathOf } from '#kernel/entity.ts'
import { navigate } from '#portal/platform/location.ts'
import { DryRun } from '#portal/nouns/mappings/dry-run.tsx'
import { sampleReader } from '#portal/nouns/mappings/read-sample.ts'
import { SampleColumns } from '#portal/nouns/mappings/sample-columns.tsx'
import type { SampleAnswer } from '#portal/nouns/mappings/sample-messages.ts'
import type { BesideForm } from '#portal/ui/screen.ts'
import '#portal/nouns/mappings/sample.css'

/** Debounce in milliseconds for reading the sample again. */
const restMilliseconds = 250

const kindIn = (value: unknown): MappingKind | null => mappingKinds.find((kind) => kind === value) ?? null

/** Why a mapping cannot be saved, given its sample; null if it can. */
function whyNot({ reading: { refused, missing, lines, good } }: SampleAnswer): string | null {
  if (missing.length > 0) return `The sample has no column “${missing[0]}”.`
  if (refused) return `The sample cannot be read. ${faultInWords(refused)}`
  return lines > 0 && good === 0 ? 'Not one line of the sample can be read by this mapping.' : null
}

const noStatuses: readonly StatusMapping[] = []

/** The complete rows of the typed status mapping; keeps its identity while they are the same. */
function useStatuses(value: unknown): readonly StatusMapping[] {
  const typed = JSON.stringify(value ?? [])
  return useMemo(() => {
    const rows = JSON.parse(typed) as Partial<StatusMapping>[]
    const whole = rows.filter((row): row is StatusMapping => Boolean(row.value && row.means))
    return whole.length > 0 ? whole : noStatuses
  }, [typed])
}

/** A sample of the customer beside the mapping: its columns with suggested fields, and a live dry run. */
export function SamplePanel({ values, facts, set, refuse }: BesideForm) {
  const [file, setFile] = useState<File | null>(null)
  const [answer, setAnswer] = useState<SampleAnswer | null>(null)
  const [failed, setFailed] = useState<string | null>(null)
  const [reading, setReading] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const reader = useMemo(sampleReader, [])
  const kind = kindIn(values['kind'])
  const columns = (Array.isArray(values['columns']) ? values['columns'] : []) as readonly MappingColumn[]
  const headerLine = typeof values['header_line'] === 'number' ? values['header_line'] : 1
  const statuses = useStatuses(values['statuses'])
  const typed = JSON.stringify([columns, headerLine])
  const { employer_id: employerId, configured } = facts as MappingFacts
  const writes = kind !== null && isWritten(kind)
  const warning = warnFileName(String(values['file_name'] ?? ''))

  useEffect(() => reader.stop, [reader])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the columns are compared by content
  useEffect(() => {
    if (!file) return
    let wanted = true
    const read = async () => {
      setReading(true)
      try {
        const now = await reader.read({ file, kind: writes ? null : kind, columns, headerLine })
        if (!wanted) return
        setAnswer(now)
        setFailed(null)
      } catch {
        if (wanted) setFailed('The file could not be read. It may have been moved or changed. Choose it again.')
      } finally {
        if (wanted) setReading(false)
      }
    }
    const timer = setTimeout(() => void read(), restMilliseconds)
    return () => {
      wanted = false
      clearTimeout(timer)
    }
  }, [file, kind, typed, reader])

  // Until a column is chosen nothing depends on the header line, so it is prefilled.
  const found = answer?.headerLine ?? null
  const isNew = columns.length === 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: prefilled once per suggestion, not on every input
  useEffect(() => {
    if (isNew && !writes && found !== null && found !== headerLine) set({ header_line: found })
  }, [found, isNew, writes])

  // Errors before a column is chosen are not faults of the mapping.
  const why = answer && kind && !writes && columns.length > 0 ? whyNot(answer) : null
  useEffect(() => {
    refuse(why)
    return () => refuse(null)
  }, [why, refuse])

  const take = (chosen: File | undefined) => {
    if (!chosen) return
    setAnswer(null)
    setFile(chosen)
    const kindByName = kindOfFileName(chosen.name.replace(/\.[^.]*$/, (end) => end.toLowerCase()))
    if (!kind && kindByName) set({ kind: kindByName })
    if (!values['file_name']) set({ file_name: lastingFileName(chosen.name) })
  }
  // Once the columns have loaded they are the next step, and get the focus.
  const shown = answer !== null && kind !== null
  useEffect(() => {
    if (shown) panel.current?.querySelector<HTMLElement>('[data-sample-columns]')?.focus()
  }, [shown])
  const drop = (event: DragEvent) => {
    event.preventDefault()
    take(event.dataTransfer.files[0])
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button chooses a file as well
    <div ref={panel} className="sample" onDragOver={(event) => event.preventDefault()} onDrop={drop}>
      <div className="sample-drop">
        <button type="button" className="btn" onClick={() => input.current?.click()}>
          {file ? 'Choose another sample' : 'Choose a sample'}
        </button>
        <input
          ref={input}
          type="file"
          aria-label="Sample file"
          accept=".csv,.xlsx"
          tabIndex={-1}
          className="sr-only"
          onChange={(event) => {
            take(event.target.files?.[0])
            // Reset, so that choosing the same file again fires a change event.
            event.target.value = ''
          }}
        />
        <span className="sample-name text-muted" role="status">
          {file
            ? `${file.name}${reading ? ', reading' : ''}`
            : 'or drop a .csv or .xlsx of the customer here. It stays in this browser.'}
        </span>
      </div>
      {configured === false && (
        <p role="status">
          {configurationsMissing}{' '}
          <button type="button" className="btn" onClick={() => navigate(`${pathOf(employer, String(employerId))}/configuration`)}>
            Set up the configuration
          </button>
        </p>
      )}
      {warning && <p role="status">{warning}</p>}
      {failed && (
        <p className="err" role="alert">
          {failed}
        </p>
      )}
      {answer && !kind && <p>Choose the kind of file to see what its columns stand for.</p>}
      {answer && kind && (
        <>
          {found !== null && found !== 1 && found === headerLine && (
            <p role="status">The headers are in line {wholeNumber(found)} of the sample: it is the header line of the mapping.</p>
          )}
          {found !== null && found !== headerLine && !isNew && !writes && (
            <p role="status">
              The headers look to be in line {wholeNumber(found)}.{' '}
              <button type="button" className="btn" onClick={() => set({ header_line: found })}>
                Set header line to {wholeNumber(found)}
              </button>
            </p>
          )}
          <SampleColumns
            key={file?.name}
            kind={kind}
            sample={answer.columns}
            columns={columns}
            set={(now) => set({ columns: now })}
          />
          {writes ? (
            answer.reading.refused && (
              <p className="err" role="alert">
                {faultInWords(answer.reading.refused)}
              </p>
            )
          ) : (
            <DryRun kind={kind} statuses={statuses} employerId={employerId} answer={answer} lines={reader.lines} />
          )}
        </>
      )}
    </div>
  )
}
