import { Amount } from '#portal/ui/amount.tsx'

/** The main amounts of a record, side by side; in cents. */
export function Sums({ of }: { of: readonly (readonly [title: string, cents: number | null])[] }) {
  return (
    <dl className="sums">
      {of.map(([title, cents]) => (
        <div key={title}>
          <dt>{title}</dt>
          <dd>{cents === null ? '—' : <Amount cents={cents} />}</dd>
        </div>
      ))}
    </dl>
  )
}
