import type { ReactNode } from 'react'
import type { PreviewRow } from '#kernel/command.ts'
import type { MoneyLines } from '#kernel/money-lines.ts'
import { withShortDates } from '#portal/format/dates.ts'

const inLines = ['write-off', 'rollover', 'invoice', 'paid', 'outstanding', 'outstanding once it is reported']

/** `INV-1, INV-2 and 3 more`. */
function named(names: readonly string[]): string {
  const [firstNames, left] = [names.slice(0, 3), names.length - 3]
  if (left > 0) return `${firstNames.join(', ')} and ${left} more`
  return firstNames.length > 1 ? `${firstNames.slice(0, -1).join(', ')} and ${firstNames.at(-1)}` : firstNames.join('')
}

interface Sentence {
  says: string
  was: string
}

/** The part of a preview that the lines do not show, as sentences; the same change of several records is one sentence. */
export function sentencesOf(rows: readonly PreviewRow[], { lines }: Pick<MoneyLines, 'lines'>): Sentence[] {
  const titles = new Set(lines.map((line) => line.title))
  const rest = rows.filter((row) => !(titles.has(row.of) && inLines.includes(row.what)))
  const statuses = rest.filter((row) => row.what === 'status')
  const together = [...new Set(statuses.map((row) => `${row.before} ${row.after}`))].map((change): Sentence => {
    const same = statuses.filter((row) => `${row.before} ${row.after}` === change)
    const [{ before = '', after = '' } = {}] = same
    const names = named(same.map((row) => row.of))
    return { says: `${names} ${same.length > 1 ? 'become' : 'becomes'} ${after}.`, was: `Now ${before}.` }
  })
  const others = rest
    .filter((row) => row.what !== 'status')
    .map(({ of, what, before, after }): Sentence => {
      if (what !== 'debit') return { says: `${of}: ${what} ${after}.`, was: `Now ${before}.` }
      const gone = after === 'none'
      return { says: `The debit of ${of} ${gone ? 'is cancelled' : `becomes ${after}`}.`, was: `Now ${before}.` }
    })
  return [...together, ...others]
}

interface ConsequencesProps {
  rows: readonly PreviewRow[]
  lines: MoneyLines
  /** The warning to read before going on. */
  warning: string | null
  /** The sentence about undo. */
  note: string
}

/** The consequences beside the lines: new states, warnings, and whether it can be undone. */
export function Consequences({ rows, lines, warning, note }: ConsequencesProps): ReactNode {
  const sentences = sentencesOf(rows, lines)
  return (
    <aside className="money-aside" aria-label="What it does">
      <h3>What it does</h3>
      {sentences.length === 0 && <p>{lines.lines.some((line) => line.moves !== 0) ? 'No status changes.' : 'Nothing yet.'}</p>}
      {sentences.map(({ says, was }) => (
        <p key={says}>
          <b>{withShortDates(says)}</b> {withShortDates(was)}
        </p>
      ))}
      <h3>Before you send it</h3>
      {warning && <p className="text-ink">{warning}</p>}
      {note && <p>{note}</p>}
    </aside>
  )
}
