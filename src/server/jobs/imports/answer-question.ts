import { notifyWorkers } from '#server/jobs/queue.ts'
import { invalid } from '#server/http-error.ts'
import type { Tx } from '#server/tables/database.ts'
import { type ImportRow, saveImport } from '#server/tables/imports.ts'

/**
 * Stores the answer to a question about a locked, paused import; after the last question the import is read again with the
 * answers. Refuses an answer that the question does not offer.
 */
export async function answerQuestion(
  tx: Tx,
  { id, asked, questions: open }: ImportRow,
  { question, answer }: { question: string; answer: string },
  { now, by }: { now: Date; by: { id: string; name: string } },
): Promise<void> {
  const found = open.find((one) => one.id === question)
  if (!found) throw invalid([{ path: 'question', message: 'The file does not ask this, or no longer.' }])
  if (!found.choices.some(({ value }) => value === answer))
    throw invalid([{ path: 'answer', message: 'Choose one of the answers.' }])
  const questions = open.filter((one) => one !== found)
  const decided = { decided_at: now, decided_by: by.id, decided_by_name: by.name }
  const nextAsked = { questions, answers: { ...asked.answers, [question]: answer } }
  if (questions.length > 0)
    return saveImport(tx, id, { ...decided, asked: nextAsked, message: questions.map(({ sentence }) => sentence).join(' ') })
  await saveImport(tx, id, { ...decided, asked: nextAsked, status: 'PENDING', phase: null, message: null })
  await notifyWorkers(tx)
}
