import type { Import } from '#contract/imports.ts'
import { wholeNumber } from '#domain/text.ts'
import { Fact, Facts } from '#portal/record/fact.tsx'

/** How a file was read: its encoding or sheet, its header line, and the meaning of each column. */
export function ReadAs({ read }: { read: NonNullable<Import['read_as']> }) {
  return (
    <>
      <Facts title="How it was read">
        {read.encoding && <Fact name="Encoding">{read.encoding}</Fact>}
        {read.sheet && <Fact name="Sheet">{read.sheet}</Fact>}
        <Fact name="Header line">{wholeNumber(read.header_line)}</Fact>
      </Facts>
      {read.notes.length > 0 && (
        <ul aria-label="How it was read">
          {read.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
    </>
  )
}
