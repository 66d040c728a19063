import type { PreviewLine } from '#contract/mapping-preview.ts'
import type { FileQuestion, ReadingReport } from '#domain/mapped-file.ts'
import type { MappingColumn } from '#domain/mapping.ts'
import type { IdentifierField, MappingKind } from '#domain/mapping-fields.ts'
import type { SampleColumn } from '#domain/mapping-proposals.ts'
import type { MappedRow, Reading } from '#domain/mapping-reading.ts'

/** What the worker is asked: to read a sample, by a mapping where a kind is chosen. */
export interface SampleQuestion {
  file: File
  kind: MappingKind | null
  columns: readonly MappingColumn[]
  headerLine: number
}

/** What it tells once it has read all of it. */
export interface SampleAnswer {
  /** The columns of the first line with their first cells; none where it cannot be read. */
  columns: SampleColumn[]
  reading: Reading
  /** How the file was read, and what an import of it would wait for. */
  report: ReadingReport
  questions: FileQuestion[]
  /** The line that most likely has the headers; null where none does. */
  headerLine: number | null
  /** The first rows as the mapping has them. */
  rows: MappedRow[]
  /** By what its rows name employees. */
  by: IdentifierField
  /** Rows that the server compares: they stay in the worker until they are asked for, part by part. */
  comparable: number
  /** Identifiers of lines that are rejected: whom they name is in the file all the same. */
  named: string[]
  /** Rejected lines about somebody that have no code, or one that a spreadsheet changed. */
  nameless: number
}

/** Asks for rows of the sample that was read last, from a place on. */
export interface LinesQuestion {
  from: number
  count: number
}
export type LinesAnswer = { lines: PreviewLine[] }

/** Cells of each column that are shown and judged. */
export const maxCells = 20
/** Rows that are shown. */
export const maxShown = 8
/** Lines that the server compares. */
export const maxCompared = 20_000
