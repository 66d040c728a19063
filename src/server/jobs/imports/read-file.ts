import type { FileBatch, FileMessage, FileRead, FileRequest } from '#server/jobs/imports/file.worker.ts'
import { type Bounds, readApart } from '#server/jobs/imports/parse-in-worker.ts'

/** Thrown for a file beyond the limits, with a message for people. */
export class TooMuchToRead extends Error {}

/** Limits for one file of this size: ten times what an ordinary one takes on a busy machine. */
const limitsFor = (size: number) => ({ megabytes: 1_024, milliseconds: 120_000 + Math.ceil(size / 1_000_000) * 15_000 })

/** Where the bytes of a file come from, and where its lines go. */
export interface FileHandlers {
  /** Its bytes from the beginning; called several times. */
  open: () => AsyncIterable<Uint8Array>
  /** Discards the batches so far: the file is read in another way. */
  begin: () => Promise<void>
  batch: (batch: FileBatch) => Promise<void>
}

/** Reads a file of `size` bytes by its mapping, in a process of its own. Throws `TooMuchToRead`, or the reason of `signal`. */
export async function readFileApart(
  { size, ...request }: FileRequest & { size: number },
  { open, begin, batch }: FileHandlers,
  signal?: AbortSignal,
  limits: Omit<Bounds, 'tooMuch'> = limitsFor(size),
): Promise<FileRead> {
  const tooMuch = () =>
    new TooMuchToRead(
      /\.xlsx$/i.test(request.name)
        ? 'The workbook takes too much to read. Save its first sheet as .csv.'
        : 'The file takes too much to read. Send it in parts.',
    )
  let bytes: AsyncIterator<Uint8Array> | undefined
  let result: FileRead | undefined
  const answer = async (message: FileMessage): Promise<unknown> => {
    if (message === 'open') bytes = open()[Symbol.asyncIterator]()
    else if (message === 'more') return (await bytes?.next())?.value ?? null
    else if (message === 'begin') await begin()
    else if ('batch' in message) await batch(message.batch)
    else result = message.result
    return null
  }
  await readApart(new URL('./file.worker.ts', import.meta.url), request, { ...limits, tooMuch }, answer, signal)
  if (!result) throw new Error('A process that reads a file ended without a result.')
  return result
}
