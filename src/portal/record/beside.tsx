import { type ReactNode, useEffect, useState } from 'react'
import { type AnswerOf, type AnyEndpoint, atId } from '#contract/define.ts'
import { notOffered } from '#kernel/availability.ts'
import { detailOf } from '#kernel/api-client.ts'
import { canAskAtom } from '#portal/api/capabilities.ts'
import { apiClient } from '#portal/api/client.ts'
import { store } from '#portal/platform/store.ts'
import { isNotThere, isOutOfReach } from '#portal/records/read-one.ts'
import { Waiting } from '#portal/record/waiting.tsx'

interface BesideProps<E extends AnyEndpoint> {
  endpoint: E
  /** Of the record. */
  id: string
  /** Parameters of the call, where its path does not name the record. */
  query?: Readonly<Record<string, string>>
  /** Read again whenever it moves. */
  version: number
  /** Said where it could not be read and the API gives no reason, or is not open to the person. */
  failed: string
  children: (answer: AnswerOf<E>) => ReactNode
}

type Read = { id: string; answer: unknown } | ({ id: string } & NotRead)

/** Why a part of a record that is on screen is not; `final` where asking again would be answered the same. */
export interface NotRead {
  problem: string
  final: boolean
}

/** The same of an error. That the record itself is not there is no reason: the person has access to a part of it alone. */
export function notRead(error: unknown, failed: string): NotRead {
  const final = isOutOfReach(error)
  const problem = isNotThere(error) ? `${failed.replace(/\.?$/, '.')} You don't have access to it.` : (detailOf(error) ?? failed)
  return { problem, final }
}

/** Says why a part is not there, and asks again where that may help. */
export const NotReadLine = ({ problem, final, again }: NotRead & { again: () => void }) =>
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

/** A part of a record that has a read of its own: drawn once that is there, and drawn on while it is read again. */
export function Beside<E extends AnyEndpoint>({ endpoint, id, query, version, failed, children }: BesideProps<E>) {
  const [read, setRead] = useState<Read | null>(null)
  const [round, setRound] = useState(0)
  const offered = store.get(canAskAtom)(endpoint, query)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version and another try are reasons to read again
  useEffect(() => {
    if (!offered) return
    const control = new AbortController()
    const { signal } = control
    apiClient.read(endpoint, atId(endpoint, id), query, { signal, background: true }).then(
      (answer) => signal.aborted || setRead({ id, answer }),
      (error: unknown) => signal.aborted || setRead({ id, ...notRead(error, failed) }),
    )
    return () => control.abort()
  }, [endpoint, id, version, round, offered])
  if (!offered) return <p className="text-muted">{notOffered}</p>
  if (read?.id !== id) return <Waiting lines={1} />
  if ('problem' in read) return <NotReadLine {...read} again={() => setRound((now) => now + 1)} />
  return children(read.answer as AnswerOf<E>)
}
