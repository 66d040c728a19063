import { z } from 'zod'
import { maxCellLength } from '#domain/mapping-cells.ts'
import { fileStatuses } from '#domain/import.ts'
import { maxStatuses } from '#domain/mapping.ts'
import { identifierFields, maxHeaderLength, mappingKinds } from '#domain/mapping-fields.ts'
import { all } from '#domain/permissions.ts'
import { endpoint } from '#contract/define.ts'
import { dateSchema, idSchema, nothing } from '#contract/fields.ts'
import { wholeNumber } from '#domain/text.ts'

/** A call carries at most so many lines; of a longer file there are several. */
export const maxPreviewed = 2_000

const cell = z.string().max(maxCellLength, `At most ${maxCellLength} characters`).optional()

/** One line as the mapping reads it: who it is about, and what of it can be compared. */
const Line = z.object({
  identifier: z.string().min(1).max(maxCellLength, `At most ${maxCellLength} characters`),
  /** The code of the employer that the line is about; empty where the line has none in a file that has such a column. */
  employer_code: cell,
  first_name: cell,
  last_name: cell,
  full_name: cell,
  email: cell,
  phone: cell,
  department_code: cell,
  business_unit_code: cell,
  location_code: cell,
  pay_code: cell,
  payroll_code: cell,
  birth_date: dateSchema.optional(),
  address: cell,
  city: cell,
  state: cell,
  zip: cell,
  country: cell,
  hire_date: dateSchema.optional(),
  status: cell,
  /** Cents. */
  rate: z.int().min(0).optional(),
})
export type PreviewLine = z.output<typeof Line>

/** What a file would do to the employees of an employer; nothing of it is done or kept. */
export const previewMapping = endpoint({
  method: 'POST',
  path: '/mappings/preview',
  summary: 'What the lines of a sample would do to the employees of an employer; changes nothing',
  tag: 'File mappings',
  params: nothing,
  query: nothing,
  body: z.object({
    employer_id: idSchema,
    kind: z.enum(mappingKinds),
    /** By what the lines name employees. */
    by: z.enum(identifierFields),
    /** What the mapping says that statuses mean. */
    statuses: z
      .array(z.object({ value: z.string().max(maxHeaderLength), means: z.enum(fileStatuses) }))
      .max(maxStatuses)
      .optional(),
    lines: z.array(Line).max(maxPreviewed, `At most ${wholeNumber(maxPreviewed)} lines`),
    /** Identifiers of lines that are rejected: whom they name is not absent. */
    named: z
      .array(z.string().max(maxCellLength, `At most ${maxCellLength} characters`))
      .max(maxPreviewed, `At most ${wholeNumber(maxPreviewed)} identifiers`)
      .optional(),
  }),
  answer: z.object({
    /** Employees whom a whole file has to name, or they would no longer be eligible. */
    staff: z.int(),
    /** Of these, named by the lines. */
    present: z.int(),
    /** Lines about other employers of the organization, which are imported apart. They count for nothing else here. */
    others: z.int(),
    /** Lines with an employer code that nobody has, or with none: they are rejected, and count for nothing else here. */
    no_employer: z.int(),
    /**
     * Lines about nobody known whose identifier is a known one but for zeros, blanks or case: they are rejected, and count for nothing
     * else here. `staff` where the known one is of the staff, and `present` does not count it.
     */
    similar: z.array(z.object({ identifier: z.string(), known: z.string(), staff: z.boolean() })),
    /** Identifiers that nobody has and that a spreadsheet most likely changed: their lines are rejected, and count for nothing else here. */
    doubtful: z.array(z.string()),
    /** Lines about employees who are known, in whatever state. */
    known: z.int(),
    /** Of these, lines that say something else than what is known, also of the status. */
    changed: z.int(),
    /** Of these, of whom the status says that they are no longer eligible, and who were. */
    ended: z.int(),
    /** Lines about nobody who is known. */
    unknown: z.int(),
    /** Of these, whose status says that they have left: nobody is added for them. */
    left: z.int(),
    /** Of these, whose status means Unknown by the mapping: they are added so. */
    as_unknown: z.int(),
    /** Of these, with a status that nobody mapped: they are rejected. */
    not_mapped: z.int(),
    /** Lines about somebody known with a status that nobody mapped, or that means Unknown: they are rejected. */
    unclear: z.int(),
    /** Whether files of this kind have only what changed: then nobody ends by not being in one. */
    incremental: z.boolean(),
  }),
  needs: all('write:integrations', 'read:employees'),
  extension: true,
})
