import type { z } from 'zod'
import { type Import, mendImport } from '#contract/imports.ts'
import { importedFile } from '#entities/import.ts'
import { takeFile } from '#entities/forms/take-file.ts'
import { defineCommand } from '#kernel/command.ts'

type Mended = z.input<typeof mendImport.body>

/** Imports the corrected lines alone: as a file of the whole staff they would end everybody else. */
export default defineCommand<Import, typeof mendImport, Mended>({
  ...takeFile,
  id: 'import.mend',
  title: 'Import corrected lines',
  aliases: ['mended lines', 'import mended lines', 'import fixed rejected lines', 'send corrected lines alone'],
  on: importedFile,
  does: mendImport,
  form: mendImport.body,
  keys: [{ scope: 'row', chord: 'm' }],
  plan: ({ id }, { file }) => [mendImport({ id }, { file })],
})
