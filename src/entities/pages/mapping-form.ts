import { z } from 'zod'
import { getEmployerConfiguration } from '#contract/configurations.ts'
import { mappingValues } from '#contract/mappings.ts'
import type { Mapping } from '#contract/mappings.ts'
import { choice } from '#contract/fields.ts'
import { validateMapping } from '#domain/mapping.ts'
import type { Read } from '#kernel/command.ts'
import { mappingKindLabels, mappingKinds } from '#domain/mapping-fields.ts'

/** The form of both mapping pages. It has the same rules as the server, with messages per field and cell. */
export const mappingForm = z
  .object({
    kind: choice('Kind', mappingKinds, mappingKindLabels, { section: 'File' }),
    file_name: mappingValues.file_name,
    vendor: mappingValues.vendor,
    header_line: mappingValues.header_line,
    columns: mappingValues.columns,
    statuses: mappingValues.statuses,
  })
  .superRefine(({ kind, ...values }, context) => {
    for (const { path, message } of validateMapping(kind, values))
      context.addIssue({ code: 'custom', path: path.split('.'), message })
  })
export type MappingParams = z.output<typeof mappingForm>

/** Facts about the employer for the mapping pages. */
export interface MappingFacts {
  employer_id: number
  /** Whether the employer or its organization has a configuration, without which no file is read; null if unknown. */
  configured: boolean | null
}

/** Whether an employer or its organization has a configuration. Null if the API does not return it, or not to this person. */
export const isConfigured = (read: Read, employerId: number): Promise<boolean | null> =>
  read(getEmployerConfiguration, { employerId }).then(
    ({ id }) => id !== null,
    () => null,
  )

/** The saved values of the fields; unset properties are missing. */
export const mappingSaved = ({ kind, file_name, vendor, header_line, columns, statuses }: Mapping): MappingParams => ({
  kind,
  file_name,
  vendor: vendor ?? undefined,
  header_line,
  columns: columns.map((column) => ({
    ...(column.header === null ? {} : { header: column.header }),
    ...(column.field === null ? {} : { field: column.field }),
    static: column.static,
    ...(column.static_value === null ? {} : { static_value: column.static_value }),
    ...(column.day_adjustment === 0 ? {} : { day_adjustment: column.day_adjustment }),
    ...(column.read_as === null ? {} : { read_as: column.read_as }),
  })),
  statuses,
})
