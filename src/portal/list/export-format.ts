import { atom } from 'jotai/vanilla'
import { z } from 'zod'
import { type ExportFormat, exportFormats } from '#kernel/command-host.ts'
import { writeStorage, readStorage } from '#portal/platform/storage.ts'

const name = 'admin-portal.export-format'
const chosenAtom = atom<ExportFormat | null>(null)

/** The export format last chosen in this browser; CSV by default. */
export const exportFormatAtom = atom(
  (get): ExportFormat => get(chosenAtom) ?? readStorage(name, z.enum(exportFormats)) ?? 'csv',
  (_, set, format: ExportFormat) => {
    writeStorage(name, format)
    set(chosenAtom, format)
  },
)
