import type { ParserMessage, ToParser } from '#server/jobs/imports/parse-in-worker.ts'

/** Sends a message to the server; resolves with its answer. */
export type Ask<Message> = (message: Message) => Promise<unknown>

/** Makes this process a parser for `readApart`. */
export function readsApart<Request, Message>(read: (request: Request, ask: Ask<Message>) => Promise<void>): void {
  const send = (message: ParserMessage<Message>) => process.send?.(message)
  let answered: (answer: unknown) => void = () => undefined
  const ask: Ask<Message> = (message) =>
    new Promise((resolve) => {
      answered = resolve
      send({ message })
    })
  process.on('message', (received: ToParser) => {
    if ('answer' in received) answered(received.answer)
    // An error ends the process with code 1.
    else void read(received.request as Request, ask).then(() => send('end'))
  })
  // Without a server nobody waits for the result.
  process.on('disconnect', () => process.exit())
}
