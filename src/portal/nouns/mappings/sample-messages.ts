import type { PreviewLine } from '#contract/mapping-preview.ts'
import type { FileQuestion, ReadingReport } from '#domain/mapped-file.ts'
import type { MappingColumn } from '#domain/mapping.ts'
import type { IdentifierField, MappingKind } from '#domain/mapping-fields.ts'
import type { SampleColumn } from '#domain/mapping-proposals.ts'
import type { MappedRow, Reading } from '#domain/mapping-reading.ts'

/** Question to the worker: read a sample, with a mapping if a kind is chosen. */
export interface SampleQuestion {
  file: File
  kind: MappingKind | null
  columns: readonly MappingColumn[]
  headerLine: number
}

/** The answer of the worker after reading the whole sample. */
export interface SampleAnswer {
  /** The columns of the first line with their first cells; empty if it cannot be read. */
  columns: SampleColumn[]
  reading: Reading
  /** How the file was read, and the decisions that an import of it would wait for. */
  report: ReadingReport
  questions: FileQuestion[]
  /** The line that most likely has the headers; null if none does. */
  headerLine: number | null
  /** The first rows as mapped. */
  rows: MappedRow[]
  /** The field that identifies employees in the rows. */
  by: IdentifierField
  /** Number of rows to compare on the server: they stay in the worker until they are requested in parts. */
  comparable: number
  /** Identifiers in rejected lines: these people are not absent. */
  named: string[]
  /** Number of rejected lines about a person without a code, or with one that a spreadsheet changed. */
  nameless: number
}

/** Requests rows of the last sample, from an index on. */
export interface LinesQuestion {
  from: number
  count: number
}
export type LinesAnswer = { lines: PreviewLine[] }

/** Maximum number of cells per column that are shown and analyzed. */
export const maxCells = 20
/** Maximum number of rows shown. */
export const maxShown = 8
/** Maximum number of lines compared on the server. */
export const maxCompared = 20_000
