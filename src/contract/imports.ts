import { z } from 'zod'
import {
  canAnswerImport,
  canApplyImport,
  canMendImport,
  canRejectImport,
  canUndoImport,
  importEffects,
  importKindLabels,
  importKinds,
  importPhases,
  importSourceLabels,
  importSources,
  importStatuses,
  importUndos,
  largestUpload,
  type UndoFacts,
} from '#domain/import.ts'
import { all } from '#domain/permissions.ts'
import { action, endpoint } from '#contract/define.ts'
import { reference, version } from '#contract/fields.ts'
import { file } from '#contract/file-field.ts'
import { choiceFilter, dateFilter, filterParams, referenceFilter, yesNoFilter } from '#contract/filter.ts'
import { Count, lek, listQuery } from '#contract/list.ts'
import { listings } from '#contract/listings.ts'
import { byIds, newestFirst, resource } from '#contract/resource.ts'

const needs = all('write:integrations')
/** Lines of a file contain names and wages. */
const linesNeed = all('write:integrations', 'read:employees', 'read:wages')
const tag = 'Imports'

/** A file that arrived, and its state. */
export const Import = z.object({
  id: z.int(),
  organization_id: z.int(),
  organization_name: z.string(),
  /** Null if no mapping matches. */
  employer_id: z.int().nullable(),
  employer_name: z.string().nullable(),
  kind: z.enum(importKinds),
  source: z.enum(importSources),
  file_name: z.string(),
  /** Bytes. */
  size: z.int(),
  status: z.enum(importStatuses.values),
  /** For a pending file: its progress. */
  phase: z.enum(importPhases).nullable(),
  message: z.string().nullable(),
  /** How it was read; null until then. */
  read_as: z
    .object({
      /** Of a text file. */
      encoding: z.string().nullable(),
      /** Of a workbook: the name of the sheet that was read. */
      sheet: z.string().nullable(),
      header_line: z.int(),
      notes: z.array(z.string()),
    })
    .nullable(),
  /** Questions that only a person can answer: the file waits until all of them are answered. */
  questions: z.array(
    z.object({
      id: z.string(),
      sentence: z.string(),
      choices: z.array(z.object({ value: z.string(), label: z.string() })),
    }),
  ),
  /** False for a file of the whole staff; null until it is read. */
  incremental: z.boolean().nullable(),
  /** While it is being read: so far. */
  lines: z.int(),
  accepted: z.int(),
  rejected: z.int(),
  /** People, time entries, or employees whose deduction is confirmed. */
  created: z.int(),
  changed: z.int(),
  /** In an employee file: lines about new people whose status is mapped to Unknown. */
  unknown: z.int(),
  /** In an employee file: people who left or are no longer eligible. */
  ended: z.int(),
  /** People missing from a file of the whole staff; while it waits for a decision, as of now. */
  absent: z.int(),
  /** Milliseconds for which employees were locked while it was applied. */
  held_for: z.int().nullable(),
  /** A newer file of the same name has been imported. */
  outdated: z.boolean(),
  /** Whether the created, changed and ended people are listed. */
  lists_people: z.boolean(),
  /** The next imported employee file of the employer; null for none. */
  followed_by: z.int().nullable(),
  undone_at: z.iso.datetime().nullable(),
  /** The import whose rejected lines these are, corrected; null for an original file. */
  mends: z.int().nullable(),
  /** The import of the whole file, which has lines of several employers; null for an original file. */
  part_of: z.int().nullable(),
  received_at: z.iso.datetime(),
  received_by: z.string(),
  finished_at: z.iso.datetime().nullable(),
  decided_at: z.iso.datetime().nullable(),
  decided_by: z.string().nullable(),
  version: z.int(),
})
export type Import = z.infer<typeof Import>

export const importFilters = [
  choiceFilter({ id: 'status', title: 'Status', of: importStatuses }),
  choiceFilter({ id: 'kind', title: 'Kind', values: importKinds, labels: importKindLabels }),
  choiceFilter({ id: 'source', title: 'Source', values: importSources, labels: importSourceLabels }),
  referenceFilter('organization', 'Organization', 'organization', 'organization-id'),
  referenceFilter('employer', 'Employer', 'employer', 'employer-id'),
  yesNoFilter('waiting', 'Needs somebody'),
  yesNoFilter('mine', 'Uploaded by you'),
  dateFilter('received', 'Received'),
] as const

export const importSorts = ['id', 'received_at', 'file_name', 'status', 'rejected'] as const

export const {
  list: listImports,
  count: countImports,
  get: getImport,
  history: listImportEvents,
} = resource(listings.imports, {
  one: 'import',
  many: 'imports',
  tag,
  row: Import,
  rows: 'imports',
  filters: importFilters,
  sorts: importSorts,
  sort: 'received_at',
  narrowing: byIds,
  arranging: newestFirst,
})

/** A rejected line of a file. */
export const RejectedLine = z.object({
  id: z.int(),
  /** From 1, as in an editor. */
  line: z.int(),
  /** Its header; null if the error is about the whole line. */
  column: z.string().nullable(),
  message: z.string(),
  /** The line itself, as CSV. */
  content: z.string(),
})
export type RejectedLine = z.infer<typeof RejectedLine>

export const rejectedLineSorts = ['line'] as const

const read = { tag, extension: true, method: 'GET' } as const

export const listRejectedLines = endpoint({
  ...read,
  path: '/imports/{id}/rejected-lines',
  summary: 'Lines of a file that were not taken, and why',
  query: z.object({ ...listQuery, sort: z.enum(rejectedLineSorts).default('line') }),
  answer: z.object({ rejected_lines: z.array(RejectedLine), lek }),
  needs: linesNeed,
})

export const countRejectedLines = endpoint({
  ...read,
  path: '/imports/{id}/rejected-lines/count',
  summary: 'How many lines of a file were not taken',
  query: z.object({ q: listQuery.q }),
  answer: Count,
  needs: linesNeed,
})

export const downloadRejectedLines = endpoint({
  ...read,
  path: '/imports/{id}/rejected-lines/file',
  summary: 'The lines that were not taken as a file, each with the reason: corrected, it can be sent again',
  answer: z.file().mime('text/csv'),
  needs: linesNeed,
})

/** A person whom an employee file created, changed or ended. */
export const ImportedPerson = z.object({
  /** Id of the employee. */
  id: z.int(),
  employee_code: z.string().nullable(),
  name: z.string(),
  effect: z.enum(importEffects.values),
  /** Null for a created person. */
  status_before: z.string().nullable(),
  status_after: z.string().nullable(),
  /** Names of the changed fields; the rate only for callers who may see wages. */
  fields: z.array(z.string()),
  /** Result of undoing the import; null until then. */
  undo: z.enum(importUndos).nullable(),
})
export type ImportedPerson = z.infer<typeof ImportedPerson>

export const importedPersonFilters = [
  choiceFilter({ id: 'effect', title: 'What changed', of: importEffects }),
  choiceFilter({ id: 'undo', title: 'Undo', values: importUndos, labels: { UNDONE: 'Undone', SKIPPED: 'Changed since' } }),
] as const
export const importedPersonSorts = ['name', 'employee_code'] as const

const peopleNeed = all('write:integrations', 'read:employees')
const peopleFiltered = { q: listQuery.q, ...filterParams(importedPersonFilters) }

export const listImportedPeople = endpoint({
  ...read,
  path: '/imports/{id}/people',
  summary: 'People whom a file of employees created, changed or ended',
  query: z.object({ ...listQuery, ...peopleFiltered, sort: z.enum(importedPersonSorts).default('name') }),
  answer: z.object({ people: z.array(ImportedPerson), lek }),
  needs: peopleNeed,
})

export const countImportedPeople = endpoint({
  ...read,
  path: '/imports/{id}/people/count',
  summary: 'How many people whom a file changed a filter has',
  query: z.object(peopleFiltered),
  answer: Count,
  needs: peopleNeed,
})

/** Size of the largest upload as base64, plus the rest of the body. */
const largestBody = Math.ceil(largestUpload / 3) * 4 + 10_000

const call = { tag, needs, extension: true, method: 'POST', answer: Import } as const

export const uploadImport = action({
  ...call,
  path: '/imports',
  summary: 'Upload a file of an organization or an employer; it is imported in the background',
  largest: largestBody,
  status: 201,
  id: 'import.upload',
  body: z.object({
    organization_id: reference('Organization', 'organization').optional(),
    employer_id: reference('Employer', 'employer').optional(),
    file: file('File', { accept: ['.csv', '.xlsx'], max: largestUpload }),
  }),
  event: 'File received',
})

const decided = z.object({ version: version() })

export const applyImport = action({
  ...call,
  path: '/imports/{id}/apply',
  summary: 'Import a file that leaves many people out all the same',
  id: 'import.apply',
  /** The number of missing people that the caller confirmed. */
  body: decided.extend({ absent: z.int().min(0) }),
  event: 'Import confirmed',
  refuses: canApplyImport,
})

export const answerImport = action({
  ...call,
  path: '/imports/{id}/answer',
  summary: 'Answer a question about a file that waits; once all are answered, it is imported',
  id: 'import.answer',
  body: decided.extend({ question: z.string().max(500), answer: z.string().max(100) }),
  event: 'Import question answered',
  refuses: canAnswerImport,
})

export const rejectImport = action({
  ...call,
  path: '/imports/{id}/reject',
  summary: 'Import nothing of a file that waits for a decision, or is being imported',
  id: 'import.reject',
  body: decided,
  event: 'Import rejected',
  refuses: canRejectImport,
})

export const undoImport = action({
  ...call,
  path: '/imports/{id}/undo',
  summary: 'Undo a file of employees for everybody who was not changed since',
  id: 'import.undo',
  body: decided,
  event: 'Import undone',
  refuses: (one: UndoFacts) => canUndoImport(one),
})

export const mendImport = action({
  ...call,
  path: '/imports/{id}/mended',
  summary: 'Import corrected lines of a file alone; nobody whom they do not name is changed',
  largest: largestBody,
  status: 201,
  id: 'import.mend',
  body: z.object({ file: file('File', { accept: ['.csv', '.xlsx'], max: largestUpload }) }),
  event: 'Corrected lines received',
  refuses: canMendImport,
})
