import { z } from 'zod'
import { readAsLabels, readings } from '#domain/column-evidence.ts'
import { fileStatuses, fileStatusLabels } from '#domain/import.ts'
import { maxHeaderLine, maxStatuses } from '#domain/mapping.ts'
import {
  fieldsOfKind,
  maxHeaderLength,
  mappingFieldLabels,
  mappingFieldNames,
  type MappingKind,
  mappingKinds,
  maxColumns,
  maxDays,
} from '#domain/mapping-fields.ts'
import { mappingVendors } from '#domain/mapping-vendors.ts'
import { all, signedIn } from '#domain/permissions.ts'
import { action, endpoint } from '#contract/define.ts'
import { choice, idSchema, integer, oneOf, onOff, stamps, table, text, version } from '#contract/fields.ts'
import { mappingCalls, mappingsNeed } from '#contract/mapping-calls.ts'

/** One column of a mapping; unset properties are null. */
const Column = z.object({
  header: z.string().nullable(),
  field: z.enum(mappingFieldNames).nullable(),
  static: z.boolean(),
  static_value: z.string().nullable(),
  day_adjustment: z.int(),
  read_as: z.enum(readings).nullable(),
})

/** A status in the customer's files and its meaning. */
const Status = z.object({ value: z.string(), means: z.enum(fileStatuses) })

/** How files of an employer are read or written (ENT-130 and below): its columns in file order. */
export const Mapping = z.object({
  id: z.int(),
  kind: z.enum(mappingKinds),
  employer_id: z.int(),
  employer_name: z.string(),
  file_name: z.string(),
  /** A warning about the file name; null if there is none. */
  file_name_warning: z.string().nullable(),
  /** Whether its file has not arrived by the expected day, by the rhythm of the last ones. */
  late: z.boolean().optional(),
  /** The vendor with this file format; null if unknown. */
  vendor: z.string().nullable(),
  columns: z.array(Column),
  /** The line of the headers, from 1. */
  header_line: z.int(),
  statuses: z.array(Status),
  ...stamps,
})
export type Mapping = z.infer<typeof Mapping>

const tag = 'File mappings'

/** The known vendors, with the headers of their columns (docs/rules/companies.md). */
export const listMappingVendors = endpoint({
  method: 'GET',
  path: '/mappings/vendors',
  summary: 'Vendors whose files are known, and the headers of their columns',
  tag,
  answer: z.object({
    vendors: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        supports_timekeeping: z.boolean(),
        headers: z.array(z.object({ header: z.string(), field: z.enum(mappingFieldNames) })),
      }),
    ),
  }),
  needs: signedIn,
})

const vendorOptions = (vendors: readonly { id: string; name: string }[]) =>
  vendors.map(({ id, name }) => ({ value: id, label: name }))

/** One column as typed; `validateMapping`, which has all columns, checks which parts are required. */
const typedColumn = z.object({
  header: text('Column header', maxHeaderLength).nullable().optional(),
  field: choice('Stands for', mappingFieldNames, mappingFieldLabels, {
    only: { field: 'kind', values: Object.fromEntries(mappingKinds.map((kind) => [kind, fieldsOfKind(kind)])) },
  })
    .nullable()
    .optional(),
  static: onOff('Static').default(false),
  static_value: text('Static value', maxHeaderLength).nullable().optional(),
  day_adjustment: integer('Days', {
    min: -maxDays,
    max: maxDays,
    below: `From -${maxDays} to ${maxDays} days`,
    above: `From -${maxDays} to ${maxDays} days`,
  })
    .nullable()
    .optional(),
  read_as: choice('Read as', readings, readAsLabels).nullable().optional(),
})

const typedStatus = z.object({
  value: text('Status in the file', maxHeaderLength),
  means: choice('Means', fileStatuses, fileStatusLabels),
})

const headerLines = `From 1 to ${maxHeaderLine}`

/** Input of the mapping form, except the kind. */
export const mappingValues = {
  // Its length is validated with the other rules of its kind.
  file_name: text('File name', 1_000, {
    section: 'File',
    help: 'Without a date: acme_ee.csv also reads acme_20260105_ee.csv; an EWA file is written with its report date',
  }),
  vendor: oneOf('Vendor', vendorOptions(mappingVendors), {
    section: 'File',
    help: 'Whose headers are known',
    listedBy: {
      call: listMappingVendors,
      options: ({ vendors }: z.output<typeof listMappingVendors.answer>) => vendorOptions(vendors),
    },
  })
    .nullable()
    .optional(),
  header_line: integer('Header line', {
    section: 'File',
    min: 1,
    max: maxHeaderLine,
    below: headerLines,
    above: headerLines,
    help: 'The line that has the headers, where a title stands above them',
    when: { field: 'kind', in: ['EMPLOYEE', 'TIMEKEEPING', 'CONFIRMATION'], otherwise: 1 },
  }).default(1),
  columns: table('Columns', z.array(typedColumn).max(maxColumns, `At most ${maxColumns} columns`), 'column', {
    section: 'Columns',
  }),
  statuses: table('Statuses', z.array(typedStatus).max(maxStatuses, `At most ${maxStatuses} statuses`), 'status', {
    section: 'Statuses',
    help: 'Only those that are not plain words such as Active or Terminated',
    when: { field: 'kind', is: 'EMPLOYEE' },
  }).default([]),
}
export type TypedMapping = z.output<z.ZodObject<typeof mappingValues>>

export const getMapping = endpoint({
  ...mappingCalls.read,
  summary: 'One file mapping',
  tag,
  answer: Mapping,
})

/** The calls of section 7 about the mappings of one kind. */
function callsOf<const Kind extends MappingKind>(kind: Kind, path: string, words: string) {
  const call = { tag, answer: Mapping, needs: all('write:integrations') }
  const name = kind.toLowerCase()
  return {
    list: endpoint({
      method: 'GET',
      path: `/mappings/${path}`,
      summary: `Every ${words} mapping that one may see, or those of an employer`,
      tag,
      query: z.object({ 'employer-id': idSchema.optional() }),
      picks: { 'employer-id': (one: Mapping, id) => String(one.employer_id) === id },
      answer: z.object({ mappings: z.array(Mapping) }),
      needs: mappingsNeed,
    }),
    create: action({
      ...call,
      method: 'POST',
      path: `/mappings/${path}`,
      summary: `Add a mapping of ${words} files to an employer`,
      status: 201,
      id: `mapping.create-${name}`,
      body: z.object({ employer_id: idSchema, ...mappingValues }),
      event: 'File mapping added',
    }),
    edit: action({
      ...call,
      method: 'PUT',
      path: `/mappings/${path}/{id}`,
      summary: `Change a mapping of ${words} files: all of it`,
      id: `mapping.edit-${name}`,
      body: z.object({ ...mappingValues, version: version() }),
      event: 'File mapping changed',
    }),
    drop: action({
      ...call,
      method: 'DELETE',
      path: `/mappings/${path}/{id}`,
      summary: `Delete a mapping of ${words} files; answers what it was`,
      id: `mapping.delete-${name}`,
      body: z.object({ version: version() }),
      event: 'File mapping deleted',
    }),
  }
}

export const {
  list: listEmployeeMappings,
  create: createEmployeeMapping,
  edit: editEmployeeMapping,
  drop: deleteEmployeeMapping,
} = callsOf('EMPLOYEE', 'employees', 'eligible employee')

export const {
  list: listTimekeepingMappings,
  create: createTimekeepingMapping,
  edit: editTimekeepingMapping,
  drop: deleteTimekeepingMapping,
} = callsOf('TIMEKEEPING', 'timekeepings', 'timekeeping')

export const {
  list: listDeductionMappings,
  create: createDeductionMapping,
  edit: editDeductionMapping,
  drop: deleteDeductionMapping,
} = callsOf('DEDUCTION', 'deductions', 'EWA')

export const {
  list: listConfirmationMappings,
  create: createConfirmationMapping,
  edit: editConfirmationMapping,
  drop: deleteConfirmationMapping,
} = callsOf('CONFIRMATION', 'confirmations', 'confirmation')

/** The list of each kind, in display order. */
export const mappingLists = {
  EMPLOYEE: listEmployeeMappings,
  TIMEKEEPING: listTimekeepingMappings,
  DEDUCTION: listDeductionMappings,
  CONFIRMATION: listConfirmationMappings,
} as const

/** The changes by kind. */
export const mappingChanges = {
  EMPLOYEE: { create: createEmployeeMapping, edit: editEmployeeMapping, drop: deleteEmployeeMapping },
  TIMEKEEPING: { create: createTimekeepingMapping, edit: editTimekeepingMapping, drop: deleteTimekeepingMapping },
  DEDUCTION: { create: createDeductionMapping, edit: editDeductionMapping, drop: deleteDeductionMapping },
  CONFIRMATION: { create: createConfirmationMapping, edit: editConfirmationMapping, drop: deleteConfirmationMapping },
} as const
