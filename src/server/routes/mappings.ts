import type { AnyEndpoint } from '#contract/define.ts'
import {
  createConfirmationMapping,
  createDeductionMapping,
  createEmployeeMapping,
  createTimekeepingMapping,
  deleteConfirmationMapping,
  deleteDeductionMapping,
  deleteEmployeeMapping,
  deleteTimekeepingMapping,
  editConfirmationMapping,
  editDeductionMapping,
  editEmployeeMapping,
  editTimekeepingMapping,
  getMapping,
  listConfirmationMappings,
  listDeductionMappings,
  listEmployeeMappings,
  listMappingVendors,
  listTimekeepingMappings,
  type Mapping,
  postConfirmationMapping,
  postDeductionMapping,
  postEmployeeMapping,
  postTimekeepingMapping,
  putConfirmationMapping,
  putDeductionMapping,
  putEmployeeMapping,
  putTimekeepingMapping,
  removeConfirmationMapping,
  removeDeductionMapping,
  removeEmployeeMapping,
  removeTimekeepingMapping,
  type TypedMapping,
} from '#contract/mappings.ts'
import { noValue } from '#contract/fields.ts'
import { mappingNotFound } from '#domain/import.ts'
import { validateMapping } from '#domain/mapping.ts'
import { isWritten, type MappingKind } from '#domain/mapping-fields.ts'
import { mappingVendors } from '#domain/mapping-vendors.ts'
import type { Actor } from '#server/access/actor.ts'
import { change, on, route } from '#server/http/route.ts'
import { invalid, Refused } from '#server/http-error.ts'
import type { Tx } from '#server/tables/database.ts'
import { type EmployerRow, oneEmployer } from '#server/tables/employers.ts'
import {
  dropMapping,
  hasOther,
  insertMapping,
  mappingsOfKind,
  type MappingRow,
  oneMapping,
  toMapping,
  refusedFileName,
  updateMapping,
} from '#server/tables/mappings.ts'

/** ERR-040. */
const noMapping = () => new Refused(404, 'not-found', mappingNotFound)

async function opened(tx: Tx, actor: Actor, id: number): Promise<MappingRow> {
  const found = await oneMapping(tx, actor, { id })
  if (!found) throw noMapping()
  return found
}

/** Validates field by field; the employer and its organization are locked. */
async function validateInput(
  { tx, actor }: { tx: Tx; actor: Actor },
  {
    kind,
    employerId,
    organizationId,
    but,
  }: { kind: MappingKind; employerId: number; organizationId: number; but: number | null },
  values: TypedMapping,
): Promise<void> {
  const faults = validateMapping(kind, values)
  if (values.vendor && !mappingVendors.some(({ id }) => id === values.vendor)) faults.push({ path: 'vendor', message: noValue })
  if (isWritten(kind) && (await hasOther(tx, employerId, kind, but)))
    faults.push({ path: 'file_name', message: 'This employer has an EWA mapping already.' })
  const refused = isWritten(kind) ? null : await refusedFileName(tx, actor, { organizationId, kind, name: values.file_name, but })
  if (refused) faults.push({ path: 'file_name', message: refused })
  if (faults.length > 0) throw invalid(faults)
}

/** The snapshot of a mapping for the history of the employer. */
const snapshot = ({ id, kind, file_name, vendor, columns, header_line, statuses }: MappingRow) => ({
  file_mapping: id,
  kind,
  file_name,
  vendor,
  columns,
  header_line,
  statuses,
})
const target = ({ employer_id, version }: MappingRow) => ({ entity: 'employer', id: String(employer_id), version })

/** A mapping locked for change or deletion, with its employer, inside the person's access. */
async function locked(tx: Tx, actor: Actor, kind: MappingKind, id: number): Promise<MappingRow> {
  const found = await oneMapping(tx, actor, { id, kind })
  // Locks the employer first, in the same order as adding a mapping does.
  const employer = found && (await oneEmployer(tx, actor, found.employer_id, { lock: true }))
  const now = employer && (await oneMapping(tx, actor, { id, kind }, { lock: true }))
  if (!now) throw noMapping()
  return now
}

type Made = { employer: EmployerRow; row: MappingRow | null }

/** The routes of section 7 for the mappings of one kind. */
function routesOf<const Calls extends CallsOfKind>(kind: MappingKind, calls: Calls) {
  const one = {
    subject: ({ tx, actor, params }: { tx: Tx; actor: Actor; params: { id: number } }) => locked(tx, actor, kind, params.id),
    target,
    facts: async ({ subject }: { subject: MappingRow }): Promise<Mapping> => toMapping(subject),
  }
  return [
    route(calls.list, async ({ tx, actor, query }) => ({
      mappings: (await mappingsOfKind(tx, actor, kind, query['employer-id'])).map(toMapping),
    })),

    change<typeof postEmployeeMapping, Made>(calls.post, {
      subject: async ({ tx, actor, body = {} }) => {
        const { employer_id: id } = body as { employer_id: number }
        const employer = await oneEmployer(tx, actor, id, { lock: true })
        return employer && { employer, row: null }
      },
      target: ({ employer, row }) => (row ? target(row) : { entity: 'employer', id: String(employer.id), version: null }),
      snapshot: ({ row }) => (row ? snapshot(row) : {}),
      intents: [
        on<typeof createEmployeeMapping, Made>(calls.create, async ({ tx, actor, subject, body: { employer_id, ...values } }) => {
          const { organization_id: organizationId } = subject.employer
          await validateInput({ tx, actor }, { kind, employerId: employer_id, organizationId, but: null }, values)
          const row = await opened(tx, actor, await insertMapping(tx, kind, employer_id, values))
          return { after: { ...subject, row }, answer: toMapping(row) }
        }),
      ],
    }),

    change<typeof putEmployeeMapping, MappingRow>(calls.put, {
      ...one,
      snapshot,
      intents: [
        on<typeof editEmployeeMapping, MappingRow>(
          calls.edit,
          async ({ tx, actor, subject, now, body: { version: _, ...values } }) => {
            const { id, employer_id: employerId, organization_id: organizationId } = subject
            await validateInput({ tx, actor }, { kind, employerId, organizationId, but: id }, values)
            await updateMapping(tx, id, values, now)
            const after = await opened(tx, actor, id)
            return { after, answer: toMapping(after) }
          },
        ),
      ],
    }),

    change<typeof removeEmployeeMapping, MappingRow | DeletedMapping>(calls.remove, {
      ...one,
      target: (row) => ('gone' in row ? target(row.gone) : target(row)),
      snapshot: (row) => ('gone' in row ? {} : snapshot(row)),
      facts: async ({ subject }) => toMapping(subject as MappingRow),
      intents: [
        on<typeof deleteEmployeeMapping, MappingRow | DeletedMapping>(calls.drop, async ({ tx, subject }) => {
          const gone = subject as MappingRow
          await dropMapping(tx, gone.id)
          return { after: { gone }, answer: toMapping(gone), text: gone.file_name }
        }),
      ],
    }),
  ]
}

/** A deleted mapping. */
interface DeletedMapping {
  gone: MappingRow
}

/** The calls of one kind; those of all kinds have the same shape. */
interface CallsOfKind {
  list: typeof listEmployeeMappings
  post: typeof postEmployeeMapping & AnyEndpoint
  put: typeof putEmployeeMapping & AnyEndpoint
  remove: typeof removeEmployeeMapping & AnyEndpoint
  create: typeof createEmployeeMapping
  edit: typeof editEmployeeMapping
  drop: typeof deleteEmployeeMapping
}

export const routes = [
  route(listMappingVendors, async () => ({
    vendors: mappingVendors.map(({ headers, ...vendor }) => ({
      ...vendor,
      headers: Object.entries(headers).map(([header, field]) => ({ header, field })),
    })),
  })),

  route(getMapping, async ({ tx, actor, params }) => toMapping(await opened(tx, actor, params.id))),

  ...routesOf('EMPLOYEE', {
    list: listEmployeeMappings,
    post: postEmployeeMapping,
    put: putEmployeeMapping,
    remove: removeEmployeeMapping,
    create: createEmployeeMapping,
    edit: editEmployeeMapping,
    drop: deleteEmployeeMapping,
  }),

  ...routesOf('TIMEKEEPING', {
    list: listTimekeepingMappings,
    post: postTimekeepingMapping,
    put: putTimekeepingMapping,
    remove: removeTimekeepingMapping,
    create: createTimekeepingMapping,
    edit: editTimekeepingMapping,
    drop: deleteTimekeepingMapping,
  }),

  ...routesOf('DEDUCTION', {
    list: listDeductionMappings,
    post: postDeductionMapping,
    put: putDeductionMapping,
    remove: removeDeductionMapping,
    create: createDeductionMapping,
    edit: editDeductionMapping,
    drop: deleteDeductionMapping,
  }),

  ...routesOf('CONFIRMATION', {
    list: listConfirmationMappings,
    post: postConfirmationMapping,
    put: putConfirmationMapping,
    remove: removeConfirmationMapping,
    create: createConfirmationMapping,
    edit: editConfirmationMapping,
    drop: deleteConfirmationMapping,
  }),
]
