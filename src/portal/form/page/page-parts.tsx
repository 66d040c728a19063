import type { ReactNode } from 'react'
import { type Control, useFormState, useWatch } from 'react-hook-form'
import type { Field } from '#kernel/form.ts'
import type { PagePreview } from '#kernel/page-form.ts'
import { withShortDates } from '#portal/format/dates.ts'
import { DraftRestored } from '#portal/form/line.tsx'
import { messageOf } from '#portal/form/fields/form-field.tsx'
import { placeIn } from '#portal/form/table/rows.ts'
import { Kbd } from '#portal/ui/kbd.tsx'
import { type Values, activeValues } from '#kernel/form-values.ts'
import { changed, isShown } from '#portal/form/session/values.ts'

/** Maximum number of problems listed; later ones are often caused by earlier ones. */
const maxProblems = 12

interface PartProps {
  control: Control<Values>
  fields: readonly Field[]
}

/** A problem with a field, or with a cell of one. */
interface WrongPart {
  field: Field
  /** The title of the field or the cell. */
  title: string
  message: string
}

/** The problems in the order of the fields. */
function useWrong({ control, fields }: PartProps): WrongPart[] {
  const { errors } = useFormState({ control })
  return fields.flatMap((field) => {
    const error: unknown = errors[field.name]
    const message = messageOf(error)
    return [
      ...(message ? [{ field, title: field.title, message }] : []),
      ...(field.kind === 'table' ? cellsIn(field, error) : []),
    ]
  })
}

function cellsIn(field: Field, error: unknown): WrongPart[] {
  const rows = (error ?? {}) as Record<string, Record<string, { message?: string }> | undefined>
  return Object.entries(rows).flatMap(([place, cells]) => {
    const at = placeIn(place)
    if (at === null) return []
    return field.columns.flatMap(({ name, title }) => {
      const message = cells?.[name]?.message
      return message ? [{ field, title: `${field.one ?? 'row'} ${at + 1}, ${title}`, message }] : []
    })
  })
}

/** The section headings, with the numbers of changed and invalid fields. */
export function Sections({
  sections,
  saved,
  go,
  ...part
}: PartProps & { sections: readonly string[]; saved: Values; go: (section: string) => void }) {
  const values = useWatch({ control: part.control })
  const wrong = useWrong(part)
  const differing = changed(part.fields, values, saved)
  const shown = (section: string) => part.fields.some((field) => (field.section ?? '') === section && isShown(field, values))
  return (
    <nav className="page-sections" aria-label="Sections">
      {sections.filter(shown).map((section) => {
        const within = (field: Field) => (field.section ?? '') === section
        const [bad, other] = [wrong.filter((each) => within(each.field)).length, differing.filter(within).length]
        return (
          <button key={section} type="button" tabIndex={-1} onClick={() => go(section)}>
            {section}
            {(bad || other) > 0 && (
              <span className={bad ? 'page-bad' : ''}>
                <i className={`page-shape page-${bad ? 'square' : 'disc'}`} aria-hidden="true" /> {bad || other}
                <span className="sr-only">{bad ? ' to correct' : ' changed'}</span>
              </span>
            )}
          </button>
        )
      })}
    </nav>
  )
}

/** The problems to correct, shown after the first attempt to save. */
export function Problems({ go, ...part }: PartProps & { go: (name: string) => void }) {
  const { submitCount } = useFormState({ control: part.control })
  const wrong = useWrong(part)
  if (!submitCount || !wrong.length) return null
  return (
    <div className="page-problems" role="alert">
      <p>
        <b>{wrong.length === 1 ? '1 field' : `${wrong.length} fields`} to correct before saving</b> <Kbd chord="F8" />
      </p>
      {wrong.slice(0, maxProblems).map(({ field, title, message }) => (
        <button key={`${title} ${message}`} type="button" tabIndex={-1} onClick={() => go(field.name)}>
          {title}: {message}
        </button>
      ))}
      {wrong.length > maxProblems && <p>and {wrong.length - maxProblems} more</p>}
    </div>
  )
}

/** Says that a draft was restored, while it differs from the saved values. */
export function Restored({ control, fields, saved, clear }: PartProps & { saved: Values; clear: () => void }) {
  const values = useWatch({ control })
  return changed(fields, values, saved).length > 0 && <DraftRestored clear={clear} />
}

/**
 * The number of changes, and the save button. No page can be undone: the form says so beforehand, once, here or at the
 * confirmation.
 */
export function SaveBar({
  saved,
  blocked,
  confirms,
  children,
  ...part
}: PartProps & { saved: Values; blocked: string | null; confirms: boolean; children: (count: number) => ReactNode }) {
  const values = useWatch({ control: part.control })
  const count = changed(part.fields, values, saved).length
  const wrong = useWrong(part).length
  const summary = count === 0 ? 'No changes' : count === 1 ? '1 change' : `${count} changes`
  return (
    <footer className="page-save">
      <p role="status">
        <b>{summary}</b>
        {wrong > 0 && `, ${wrong} to correct`}
        {blocked ? <small>{blocked}</small> : count > 0 && !confirms && <small>This cannot be undone.</small>}
      </p>
      {children(count)}
    </footer>
  )
}

/** Preview of a save, rendered with every change; unparsed amounts are skipped. */
export function Aside({ preview, ...part }: PartProps & { preview: (params: Values) => PagePreview | null }) {
  const values = useWatch({ control: part.control })
  const now = previewOf(preview, activeValues(part.fields, values))
  return (
    <aside className="page-aside" aria-label={now?.title ?? 'Preview'}>
      {now ? <Preview {...now} /> : <p className="text-muted">A preview appears here once enough is filled in.</p>}
    </aside>
  )
}

/** An incomplete form may have no preview yet. */
function previewOf(preview: (params: Values) => PagePreview | null, params: Values): PagePreview | null {
  try {
    return preview(params)
  } catch {
    return null
  }
}

/** A cell on one line: the first of two dates in the same year omits the year. */
const inLine = (cell: string): string => withShortDates(cell).replace(/ (\d{4}) to (.* \1)$/, ' to $2')

function Preview({ title, head, rows, notes }: PagePreview) {
  return (
    <>
      <h2>{title}</h2>
      {notes.map((note) => (
        <p key={note}>{withShortDates(note)}</p>
      ))}
      {rows.length > 0 && (
        <table>
          <thead className={head.length ? '' : 'sr-only'}>
            <tr>
              {head.map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          {rows.map(({ id, cells, notes: rowNotes = [] }) => (
            <tbody key={id}>
              <tr>
                {cells.map((cell, at) => (
                  <td key={head[at] ?? at}>{inLine(cell)}</td>
                ))}
              </tr>
              {rowNotes.map((note) => (
                <tr key={note}>
                  <td colSpan={cells.length} className="page-moved">
                    {withShortDates(note)}
                  </td>
                </tr>
              ))}
            </tbody>
          ))}
        </table>
      )}
    </>
  )
}
