import type { z } from 'zod'
import { uploadImport } from '#contract/imports.ts'
import { importedFile } from '#entities/import.ts'
import { pathOf } from '#kernel/entity.ts'

const form = uploadImport.body.pick({ file: true })

/** Input of their forms. */
export type FileTaken = z.input<typeof form>

/** Common parts of all commands that import a file: the form, the messages, and the record that it opens. */
export const takeFile = {
  icon: 'up',
  does: uploadImport,
  form,
  done: {
    message: (_: unknown, { file }: { file: { name: string } }) => `Received ${file.name}`,
    opens: ({ answers }: { answers: readonly unknown[] }) =>
      pathOf(importedFile, importedFile.id(importedFile.schema.parse(answers[0]))),
  },
} as const
