import type { ReactNode } from 'react'
import { type AnswerOf, type AnyEndpoint, atId } from '#contract/define.ts'
import { notOffered } from '#kernel/availability.ts'
import { detailOf } from '#kernel/api-client.ts'
import { canAskAtom } from '#portal/api/capabilities.ts'
import { store } from '#portal/platform/store.ts'
import { isNotThere, isOutOfReach } from '#portal/records/read-one.ts'
import { useAnswer } from '#portal/records/use-query.ts'
import { Waiting } from '#portal/record/waiting.tsx'

interface BesideProps<E extends AnyEndpoint> {
  endpoint: E
  /** Id of the record. */
  id: string
  /** Query parameters, if the path does not name the record. */
  query?: Readonly<Record<string, string>>
  /** Fetched again whenever it changes. */
  version: number
  /** Message if the read fails without a reason from the API, or if the user has no access. */
  failed: string
  children: (answer: AnswerOf<E>) => ReactNode
}

/** Why a part of a record is missing; `final` if a retry would get the same answer. */
export interface ReadFailure {
  problem: string
  final: boolean
}

/** The same for an error. A not-found answer means missing access here, since the record itself exists. */
export function notRead(error: unknown, failed: string): ReadFailure {
  const final = isOutOfReach(error)
  const problem = isNotThere(error) ? `${failed.replace(/\.?$/, '.')} You don't have access to it.` : (detailOf(error) ?? failed)
  return { problem, final }
}

/** The message for a missing part, with a retry if it may help. */
export const NotReadLine = ({ problem, final, again }: ReadFailure & { again: () => void }) =>
  final ? (
    <p className="text-muted">{problem}</p>
  ) : (
    <p className="mb-3 flex items-center gap-2" role="alert">
      {problem}
      <button type="button" className="btn" onClick={again}>
        Try again
      </button>
    </p>
  )

/** A part of a record with a request of its own: rendered once loaded, and kept while it is refetched. */
export function Beside<E extends AnyEndpoint>({ endpoint, id, query, version, failed, children }: BesideProps<E>) {
  const offered = store.get(canAskAtom)(endpoint, query)
  const { state, value, error, again } = useAnswer(endpoint, offered ? atId(endpoint, id) : null, { query, version })
  if (!offered) return <p className="text-muted">{notOffered}</p>
  if (state === 'loading') return <Waiting lines={1} />
  if (state === 'failed') return <NotReadLine {...notRead(error, failed)} again={again} />
  return children(value)
}
