import { z } from 'zod'
import { maxCellLength } from '#domain/mapping-cells.ts'
import { fileStatuses } from '#domain/import.ts'
import { maxStatuses } from '#domain/mapping.ts'
import { identifierFields, maxHeaderLength, mappingKinds } from '#domain/mapping-fields.ts'
import { all } from '#domain/permissions.ts'
import { endpoint } from '#contract/define.ts'
import { dateSchema, idSchema } from '#contract/fields.ts'
import { wholeNumber } from '#domain/text.ts'

/** Maximum number of lines per call; a longer file needs several. */
export const maxPreviewed = 2_000

const cell = z.string().max(maxCellLength, `At most ${maxCellLength} characters`).optional()

/** One line as parsed by the mapping: who it is about, and the values that can be compared. */
const Line = z.object({
  identifier: z.string().min(1).max(maxCellLength, `At most ${maxCellLength} characters`),
  /** The employer code of the line; empty if the line has none although the file has such a column. */
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

/** The effects of a file on an employer's employees; nothing is changed or stored. */
export const previewMapping = endpoint({
  method: 'POST',
  path: '/mappings/preview',
  summary: 'What the lines of a sample would do to the employees of an employer; changes nothing',
  tag: 'File mappings',
  body: z.object({
    employer_id: idSchema,
    kind: z.enum(mappingKinds),
    /** The identifier of employees in the lines. */
    by: z.enum(identifierFields),
    /** The mapping's meanings of statuses. */
    statuses: z
      .array(z.object({ value: z.string().max(maxHeaderLength), means: z.enum(fileStatuses) }))
      .max(maxStatuses)
      .optional(),
    lines: z.array(Line).max(maxPreviewed, `At most ${wholeNumber(maxPreviewed)} lines`),
    /** Identifiers of rejected lines: these people are not absent. */
    named: z
      .array(z.string().max(maxCellLength, `At most ${maxCellLength} characters`))
      .max(maxPreviewed, `At most ${wholeNumber(maxPreviewed)} identifiers`)
      .optional(),
  }),
  answer: z.object({
    /** Employees who have to be in a file of the whole staff to stay eligible. */
    staff: z.int(),
    /** Those of them who are in the lines. */
    present: z.int(),
    /** Lines about other employers of the organization, which are imported separately and not counted below. */
    others: z.int(),
    /** Lines with an unknown employer code, or with none: they are rejected and not counted below. */
    no_employer: z.int(),
    /**
     * Lines whose unknown identifier equals a known one except for zeros, blanks or case: they are rejected and not counted
     * below. `staff` if the known employee is part of the staff but not counted by `present`.
     */
    similar: z.array(z.object({ identifier: z.string(), known: z.string(), staff: z.boolean() })),
    /** Unknown identifiers that a spreadsheet has probably changed: their lines are rejected and not counted below. */
    doubtful: z.array(z.string()),
    /** Lines about known employees, in any status. */
    known: z.int(),
    /** Those of them with different values, including the status. */
    changed: z.int(),
    /** Those of them about employees who were eligible and, by the status in the line, no longer are. */
    ended: z.int(),
    /** Lines about unknown people. */
    unknown: z.int(),
    /** Those of them whose status means that they have left: nobody is added. */
    left: z.int(),
    /** Those of them whose status is mapped to Unknown: they are added with it. */
    as_unknown: z.int(),
    /** Those of them with an unmapped status: they are rejected. */
    not_mapped: z.int(),
    /** Lines about known employees with an unmapped status, or one that means Unknown: they are rejected. */
    unclear: z.int(),
    /** Whether files of this kind only contain changes: then nobody ends by being absent. */
    incremental: z.boolean(),
  }),
  needs: all('write:integrations', 'read:employees'),
  extension: true,
})
