import {
  getMapping,
  type listEmployeeMappings,
  listMappingVendors,
  mappingChanges,
  mappingLists,
  type TypedMapping,
} from '#contract/mappings.ts'
import { noValue } from '#contract/fields.ts'
import { mappingNotFound } from '#domain/import.ts'
import { validateMapping } from '#domain/mapping.ts'
import { isWritten, type MappingKind, mappingKinds } from '#domain/mapping-fields.ts'
import { mappingVendors } from '#domain/mapping-vendors.ts'
import type { Actor } from '#server/access/actor.ts'
import { changing, creating, route } from '#server/http/route.ts'
import { invalid, Refused } from '#server/http-error.ts'
import type { Tx } from '#server/tables/database.ts'
import { oneEmployer } from '#server/tables/employers.ts'
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

/** A mapping, and whether it is deleted. */
type Changed = MappingRow & { gone?: true }

/** The routes of section 7 for the mappings of one kind. */
function routesOf(
  kind: MappingKind,
  list: typeof listEmployeeMappings,
  { create, edit, drop }: (typeof mappingChanges)['EMPLOYEE'],
) {
  const mapping = { target, snapshot, answer: toMapping }
  const change = changing({
    ...mapping,
    subject: ({ tx, actor, params }): Promise<Changed> => locked(tx, actor, kind, params.id),
    snapshot: (row) => (row.gone ? {} : snapshot(row)),
  })
  return [
    route(list, async ({ tx, actor, query }) => ({
      mappings: (await mappingsOfKind(tx, actor, kind, query['employer-id'])).map(toMapping),
    })),

    creating(
      ({ tx, actor, body }) => oneEmployer(tx, actor, Number(body?.['employer_id']), { lock: true }),
      mapping,
      ({ id }) => ({ entity: 'employer', id: String(id) }),
    )(create, async ({ tx, actor, subject: { organization_id: organizationId }, body: { employer_id, ...values } }) => {
      await validateInput({ tx, actor }, { kind, employerId: employer_id, organizationId, but: null }, values)
      return { after: await opened(tx, actor, await insertMapping(tx, kind, employer_id, values)) }
    }),

    change(edit, async ({ tx, actor, subject, now, body: { version: _, ...values } }) => {
      const { id, employer_id: employerId, organization_id: organizationId } = subject
      await validateInput({ tx, actor }, { kind, employerId, organizationId, but: id }, values)
      await updateMapping(tx, id, values, now)
      return { after: await opened(tx, actor, id) }
    }),

    change(drop, async ({ tx, subject }) => {
      await dropMapping(tx, subject.id)
      return { after: { ...subject, gone: true }, answer: toMapping(subject), text: subject.file_name }
    }),
  ]
}

export const routes = [
  route(listMappingVendors, async () => ({
    vendors: mappingVendors.map(({ headers, ...vendor }) => ({
      ...vendor,
      headers: Object.entries(headers).map(([header, field]) => ({ header, field })),
    })),
  })),

  route(getMapping, async ({ tx, actor, params }) => toMapping(await opened(tx, actor, params.id))),

  ...mappingKinds.flatMap((kind) => routesOf(kind, mappingLists[kind] as typeof listEmployeeMappings, mappingChanges[kind])),
]
