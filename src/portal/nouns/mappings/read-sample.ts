import address from '#portal/nouns/mappings/sample.worker.ts?worker&url'
import type { SampleAnswer, SampleQuestion } from '#portal/nouns/mappings/sample-messages.ts'
import { startWorker } from '#portal/app/own-worker.ts'

/** Reads samples in a worker, one at a time: what is asked later ends what was asked before, whose answer never comes. */
export function sampleReader() {
  let worker: Worker | null = null
  let busy = false
  const stop = () => {
    worker?.terminate()
    worker = null
    busy = false
  }
  return {
    read: (question: SampleQuestion): Promise<SampleAnswer> => {
      if (busy) stop()
      worker ??= startWorker(address)
      const at = worker
      busy = true
      return new Promise((resolve, reject) => {
        at.onmessage = ({ data }: MessageEvent<SampleAnswer>) => {
          busy = false
          resolve(data)
        }
        at.onerror = (event) => {
          stop()
          reject(new Error(event.message))
        }
        at.postMessage(question)
      })
    },
    stop,
  }
}
