import { useAtomValue } from 'jotai'
import { useEffect, useState } from 'react'
import type { AnswerOf, AnyEndpoint, At } from '#contract/define.ts'
import { store } from '#portal/platform/store.ts'
import { refreshedAtom } from '#portal/list/lists.ts'
import { type AnswerState, useAnswer } from '#portal/record/use-answer.ts'
import { keepFresh } from '#portal/records/freshness.ts'

/** The answer of a call, refetched while it is visible; after a failed refresh the previous answer stays. */
export function useFreshAnswer<E extends AnyEndpoint>(endpoint: E, at: At): AnswerState<E> {
  const [round, setRound] = useState(0)
  const asked = useAtomValue(refreshedAtom, { store })
  const { answer, failed, again } = useAnswer(endpoint, at, { version: round + asked })
  const [last, setLast] = useState<{ answer: AnswerOf<E> }>()
  useEffect(() => {
    if (answer !== undefined) setLast({ answer })
  }, [answer])
  useEffect(() => keepFresh(() => setRound((now) => now + 1)), [])
  return { answer: answer ?? last?.answer, failed, again }
}
