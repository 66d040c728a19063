import type { ReactNode } from 'react'

interface FactProps {
  name: string
  children: ReactNode
  /** Muted text after the value. */
  hint?: string | false | null | undefined
}

/** One line of facts: name, value, and a hint. */
export function Fact({ name, children, hint }: FactProps) {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        {children}
        {hint && <span className="text-muted"> {hint}</span>}
      </dd>
    </>
  )
}

/** A heading with its facts. */
export const Facts = ({ title, children }: { title: string; children: ReactNode }) => (
  <>
    <h3>{title}</h3>
    <dl className="facts">{children}</dl>
  </>
)
