import type { PreviewRow } from '#kernel/command.ts'

/** Before and after of everything that a command touches. */
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
          {rows.map((row) => (
            <tr key={`${row.of} ${row.what}`} className="border-t border-line [&>td]:py-1">
              <td>
                {row.of} <span className="text-muted">{row.what}</span>
              </td>
              <td className="text-right">{row.before}</td>
              <td className="text-right font-semibold">{row.after}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
