import type { ParserMessage } from '#server/jobs/imports/parse-in-worker.ts'

/** Makes this process a parser for `readApart`: each part is sent when it is requested. */
export function readsApart<Part>(read: (bytes: Uint8Array) => AsyncGenerator<Part>): void {
  let parts: AsyncGenerator<Part> | undefined
  const next = async (request: 'more' | Uint8Array) => {
    if (request !== 'more') parts = read(request)
    const made = await parts?.next()
    process.send?.((!made || made.done ? 'end' : { part: made.value }) satisfies ParserMessage<Part>)
  }
  process.on('message', (request: 'more' | Uint8Array) => void next(request))
}
