import address from '#portal/nouns/mappings/sample.worker.ts?worker&url'
import type { LinesAnswer, LinesQuestion, SampleAnswer, SampleQuestion } from '#portal/nouns/mappings/sample-messages.ts'
import { startWorker } from '#portal/platform/own-worker.ts'

/** Reads samples in a worker, one at a time: a new question aborts the previous one, whose promise never settles. */
export interface SampleReader {
  read: (question: SampleQuestion) => Promise<SampleAnswer>
  /** Returns rows of the last sample. */
  lines: (question: LinesQuestion) => Promise<LinesAnswer>
  stop: () => void
}

/** Creates a reader of samples; its worker starts with the first one. */
export function sampleReader(): SampleReader {
  let worker: Worker | null = null
  let reading = false
  let last = 0
  /** Pending promises by question id. */
  const waiting = new Map<number, { resolve: (answer: never) => void; reject: (why: Error) => void }>()
  const stop = () => {
    worker?.terminate()
    worker = null
    reading = false
    waiting.clear()
  }
  const start = (): Worker => {
    const made = startWorker(address)
    made.onmessage = ({ data: { id, answer } }: MessageEvent<{ id: number; answer: unknown }>) => {
      waiting.get(id)?.resolve(answer as never)
      waiting.delete(id)
    }
    made.onerror = (event) => {
      const asked = [...waiting.values()]
      stop()
      for (const { reject } of asked) reject(new Error(event.message))
    }
    return made
  }
  const ask = <Answer>(question: SampleQuestion | LinesQuestion): Promise<Answer> =>
    new Promise((resolve, reject) => {
      worker ??= start()
      last += 1
      waiting.set(last, { resolve, reject })
      worker.postMessage({ id: last, question })
    })
  return {
    read: async (question) => {
      if (reading) stop()
      reading = true
      const answer = await ask<SampleAnswer>(question)
      reading = false
      return answer
    },
    lines: ask,
    stop,
  }
}
