import type { ReactNode } from 'react'
import { orDash } from '#portal/format/cell-text.ts'
import { dateAndTime } from '#portal/format/dates.ts'
import { Fact } from '#portal/record/fact.tsx'

interface DecisionProps {
  one: { decided_by: { name: string } | null; decided_at: string | null; decision_reason: string | null }
  /** Text while nobody has decided. */
  none?: string
  /** Facts of the decision besides who, when and why. */
  children?: ReactNode
}

/** The section of a record about a decision: what, by whom and why. */
export function Decision({ one, none = 'Not decided yet.', children }: DecisionProps) {
  return (
    <>
      <h3>Decision</h3>
      {one.decided_by === null ? (
        <p className="text-muted">{none}</p>
      ) : (
        <dl className="facts">
          <Fact name="Decided by" hint={dateAndTime(one.decided_at)}>
            {one.decided_by.name}
          </Fact>
          <Fact name="Reason">{orDash(one.decision_reason)}</Fact>
          {children}
        </dl>
      )}
    </>
  )
}
