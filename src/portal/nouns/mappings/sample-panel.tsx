import { type DragEvent, useEffect, useMemo, useRef, useState } from 'react'
import type { MappingColumn } from '#domain/mapping.ts'
import { isWritten, type MappingKind, mappingKinds } from '#domain/mapping-fields.ts'
import { kindOfFileName, lastingFileName, warnFileName } from '#domain/mapping-file-name.ts'
import { faultInWords } from '#domain/mapping-reading.ts'
import { DryRun } from '#portal/nouns/mappings/dry-run.tsx'
import { sampleReader } from '#portal/nouns/mappings/read-sample.ts'
import { SampleColumns } from '#portal/nouns/mappings/sample-columns.tsx'
import type { SampleAnswer } from '#portal/nouns/mappings/sample-messages.ts'
import type { BesideForm } from '#portal/ui/screen.ts'
import '#portal/nouns/mappings/sample.css'

/** Milliseconds after the last key before the sample is read again. */
const restMilliseconds = 250

const kindIn = (value: unknown): MappingKind | null => mappingKinds.find((kind) => kind === value) ?? null

/** Why a mapping cannot be saved as its sample is read; null where it can. */
function whyNot({ reading: { refused, missing, lines, good } }: SampleAnswer): string | null {
  if (missing.length > 0) return `The sample has no column “${missing[0]}”.`
  if (refused) return `The sample cannot be read. ${faultInWords(refused)}`
  return lines > 0 && good === 0 ? 'Not one line of the sample can be read by this mapping.' : null
}

/** A sample of the customer beside the mapping: its columns with what they likely stand for, and always the dry run. */
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
  const typed = JSON.stringify(columns)
  const { employer_id: employerId } = facts as { employer_id: number }
  const writes = kind !== null && isWritten(kind)
  const warning = warnFileName(String(values['file_name'] ?? ''))

  useEffect(() => reader.stop, [reader])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the columns count by what is typed in them
  useEffect(() => {
    if (!file) return
    let wanted = true
    const read = async () => {
      setReading(true)
      try {
        const now = await reader.read({ file, kind: writes ? null : kind, columns })
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

  // What is refused before a column was chosen is no fault of the mapping.
  const why = answer && kind && !writes && columns.length > 0 ? whyNot(answer) : null
  useEffect(() => {
    refuse(why)
    return () => refuse(null)
  }, [why, refuse])

  const take = (chosen: File | undefined) => {
    if (!chosen) return
    setAnswer(null)
    setFile(chosen)
    const said = kindOfFileName(chosen.name.replace(/\.[^.]*$/, (end) => end.toLowerCase()))
    if (!kind && said) set({ kind: said })
    if (!values['file_name']) set({ file_name: lastingFileName(chosen.name) })
  }
  // Once the columns are there they are what comes next.
  const shown = answer !== null && kind !== null
  useEffect(() => {
    if (shown) panel.current?.querySelector<HTMLElement>('[data-sample-columns]')?.focus()
  }, [shown])
  const drop = (event: DragEvent) => {
    event.preventDefault()
    take(event.dataTransfer.files[0])
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a file is also chosen by the button
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
            // The same file again, after it was changed, is another one.
            event.target.value = ''
          }}
        />
        <span className="sample-name text-muted" role="status">
          {file
            ? `${file.name}${reading ? ', reading' : ''}`
            : 'or drop a .csv or .xlsx of the customer here. It stays in this browser.'}
        </span>
      </div>
      {warning && <p role="status">{warning}</p>}
      {failed && (
        <p className="err" role="alert">
          {failed}
        </p>
      )}
      {answer && !kind && <p>Choose the kind of file to see what its columns stand for.</p>}
      {answer && kind && (
        <>
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
            <DryRun kind={kind} employerId={employerId} answer={answer} lines={reader.lines} />
          )}
        </>
      )}
    </div>
  )
}
