import { Amount } from '#portal/ui/amount.tsx'

/** The amounts that a record is about, side by side; cents. */
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
