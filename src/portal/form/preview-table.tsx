import type { PreviewRow } from '#kernel/command.ts'
import { withShortDates } from '#portal/format/dates.ts'

/** Before and after of all values that a command changes, record by record. */
export function PreviewTable({ rows }: { rows: readonly PreviewRow[] }) {
  return (
    <div className="rounded-lg border border-line bg-canvas px-3 pt-0.5 pb-1">
      <table className="w-full border-collapse tabular-nums">
        <caption className="sr-only">What changes</caption>
        <thead>
          <tr className="text-small text-muted [&>th]:py-1.5 [&>th]:font-medium">
            <th className="text-left">What changes</th>
            <th className="text-right">Now</th>
            <th className="text-right">After</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => {
            // A record's name is shown once above its lines; a screen reader reads it with each line.
            const again = rows[at - 1]?.of === row.of
            return (
              <tr key={`${row.of} ${row.what}`} className={again ? '[&>td]:pb-1' : 'border-t border-line [&>td]:py-1'}>
                <td>
                  <span className={again ? 'invisible' : ''} aria-hidden="true">
                    {row.of}
                  </span>
                  <span className="sr-only">{row.of}</span> <span className="text-muted">{row.what}</span>
                </td>
                <td className="pl-3 text-right wrap-anywhere">{withShortDates(row.before)}</td>
                <td className="pl-3 text-right font-semibold wrap-anywhere">{withShortDates(row.after)}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}
