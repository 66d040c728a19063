import { type ReactNode, useEffect, useState } from 'react'
import type { AnswerOf, AnyEndpoint } from '#contract/define.ts'
import { notOffered } from '#kernel/availability.ts'
import { detailOf } from '#kernel/wire.ts'
import { offersAtom } from '#portal/api/capabilities.ts'
import { wire } from '#portal/api/client.ts'
import { store } from '#portal/app/store.ts'
import { Waiting } from '#portal/record/waiting.tsx'

interface BesideProps<E extends AnyEndpoint> {
  endpoint: E
  /** Of the record. */
  id: string
  /** Parameters of the call, where its path does not name the record. */
  query?: Readonly<Record<string, string>>
  /** Read again whenever it moves. */
  version: number
  /** Said where it could not be read and the API gives no reason. */
  failed: string
  children: (answer: AnswerOf<E>) => ReactNode
}

type Read = { id: string; answer: unknown } | { id: string; problem: string }

/** A part of a record that has a read of its own: drawn once that is there, and drawn on while it is read again. */
export function Beside<E extends AnyEndpoint>({ endpoint, id, query, version, failed, children }: BesideProps<E>) {
  const [read, setRead] = useState<Read | null>(null)
  const [round, setRound] = useState(0)
  const offered = store.get(offersAtom)(endpoint)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version and another try are reasons to read again
  useEffect(() => {
    if (!offered) return
    const control = new AbortController()
    const { signal } = control
    wire.read(endpoint, { id }, query, { signal, background: true }).then(
      (answer) => signal.aborted || setRead({ id, answer }),
      (error: unknown) => signal.aborted || setRead({ id, problem: detailOf(error) ?? failed }),
    )
    return () => control.abort()
  }, [endpoint, id, version, round, offered])
  if (!offered) return <p className="text-muted">{notOffered}</p>
  if (read?.id !== id) return <Waiting lines={1} />
  if ('problem' in read)
    return (
      <p className="flex items-center gap-2" role="alert">
        {read.problem}
        <button type="button" className="btn" onClick={() => setRound((now) => now + 1)}>
          Try again
        </button>
      </p>
    )
  return children(read.answer as AnswerOf<E>)
}
