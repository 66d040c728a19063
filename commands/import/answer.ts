import { z } from 'zod'
import { oneOf } from '#contract/fields.ts'
import { answerImport, type Import } from '#contract/imports.ts'
import { importedFile } from '#entities/import.ts'
import { defineCommand } from '#kernel/command.ts'

/** One question at a time, because an answer may resolve the next ones. */
export default defineCommand<Import, typeof answerImport, { answer: string }>({
  id: 'import.answer',
  title: 'Answer question about import',
  aliases: ['decide how file is read', 'day first or month first', 'decimal comma', 'header line', 'garbled names'],
  button: 'Answer',
  on: importedFile,
  suggestedFilter: { status: 'PAUSED' },
  does: answerImport,
  form: (_, one) => z.object({ answer: oneOf('Answer', one?.questions[0]?.choices ?? []) }),
  keys: [{ scope: 'row', chord: 'w' }],
  preview: { warning: (one) => one.questions[0]?.sentence ?? '' },
  plan: (one, { answer }) => [
    answerImport({ id: one.id }, { question: one.questions[0]?.id ?? '', answer, version: one.version }),
  ],
  done: (one) => `Answered for ${one.file_name}`,
})
