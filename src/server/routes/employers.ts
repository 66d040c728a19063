import {
  activate,
  createEmployer,
  deactivate,
  editEmployer,
  patchOnboarded,
  postEmployer,
  putEmployer,
  putEmployerStatus,
  setOnboarded,
  unsetOnboarded,
} from '#contract/employer-changes.ts'
import { countEmployers, getEmployer, getEmployerAdditionalInfo, listEmployerEvents, listEmployers } from '#contract/employers.ts'
import { validateEmployerDates, lookupNameOf } from '#domain/company.ts'
import { all, may } from '#domain/permissions.ts'
import type { Actor } from '#server/access/actor.ts'
import { historyOf } from '#server/http/history.ts'
import { change, on, route } from '#server/http/route.ts'
import { listCursor } from '#server/paging/list-cursor.ts'
import { invalid, notFound } from '#server/http-error.ts'
import { businessDate } from '#server/tables/business-date.ts'
import type { Tx } from '#server/tables/database.ts'
import { employerList } from '#server/tables/employer-list.ts'
import {
  additionalInfoOf,
  type EmployerRow,
  type EmployerValues,
  hasEmployees,
  insertEmployer,
  isEmployerCodeTaken,
  oneEmployer,
  saveEmployer,
  toEmployer,
} from '#server/tables/employers.ts'
import { lockOrganization, type OrganizationRow } from '#server/tables/organizations.ts'

const open = async (tx: Tx, actor: Actor, id: number): Promise<EmployerRow> => {
  const employer = await oneEmployer(tx, actor, id)
  if (!employer) throw notFound()
  return employer
}

/** The snapshot of an employer for the history. */
const snapshot = ({ id: _, version, created_at, updated_at, organization_id, organization_name, ...employer }: EmployerRow) => {
  const { organization_status, lms_configured, ...own } = employer
  return own
}

const target = ({ id, version }: EmployerRow) => ({ entity: 'employer', id: String(id), version })

/** Common parts of changes of an employer: it is locked, inside the person's access. */
const ofEmployer = {
  subject: ({ tx, actor, params }: { tx: Tx; actor: Actor; params: { id: number } }) =>
    oneEmployer(tx, actor, params.id, { lock: true }),
  target,
  snapshot,
  facts: async ({ subject }: { subject: EmployerRow }) => toEmployer(subject),
}

interface SaveContext {
  tx: Tx
  actor: Actor
  subject: EmployerRow
  now: Date
}

/** Saves values of an employer and returns it afterwards. */
async function saveAndRead({ tx, actor, subject, now }: SaveContext, values: EmployerValues) {
  await saveEmployer(tx, subject.id, values, now)
  const after = await open(tx, actor, subject.id)
  return { after, answer: toEmployer(after) }
}

/** Submitted values; omitted ones become null. */
type SubmittedDates = { [Name in 'go_live_date' | 'cancellation_date' | 'pilot_launch_date']?: string | null | undefined } & {
  pilot_ee_count?: number | null | undefined
}
const orNone = <Body extends SubmittedDates>(body: Body) => ({
  ...body,
  go_live_date: body.go_live_date ?? null,
  cancellation_date: body.cancellation_date ?? null,
  pilot_ee_count: body.pilot_ee_count ?? null,
  pilot_launch_date: body.pilot_launch_date ?? null,
})

/** The organization of a new employer, or the employer once created. */
type EmployerCreation = { organization: OrganizationRow; row: null } | { row: EmployerRow }

export const routes = [
  route(listEmployers, async ({ tx, actor, query, services }) => {
    const { from, seal } = listCursor(services, 'GET /employers', actor, query)
    const { rows, next } = await employerList.page({ tx, actor }, query, from)
    return { employers: rows.map(({ key: _, ...row }) => toEmployer(row)), lek: seal(next) }
  }),

  route(countEmployers, ({ tx, actor, query }) => employerList.count({ tx, actor }, query)),

  route(getEmployer, async ({ tx, actor, params }) => toEmployer(await open(tx, actor, params.id))),

  route(listEmployerEvents, async (context) => {
    const { id } = await open(context.tx, context.actor, context.params.id)
    return historyOf(context, 'GET /employers/{id}/history', { entity: 'employer', id: String(id) })
  }),

  route(getEmployerAdditionalInfo, async ({ tx, actor, query }) => ({
    employers: await additionalInfoOf(tx, actor, query['employer-ids'] ?? [], {
      overdue: may(actor.held, all('read:billing')) === 'yes',
    }),
  })),

  change<typeof postEmployer, EmployerCreation>(postEmployer, {
    subject: async ({ tx, actor, body }) => {
      const organization = await lockOrganization(tx, actor, Number(body?.['organization_id']))
      return organization && { organization, row: null }
    },
    target: ({ row }) => (row ? target(row) : { entity: 'employer', id: '', version: null }),
    snapshot: ({ row }) => (row ? snapshot(row) : {}),
    intents: [
      on<typeof createEmployer, EmployerCreation>(createEmployer, async ({ tx, actor, body }) => {
        const faults = validateEmployerDates(body)
        if (await isEmployerCodeTaken(tx, body.organization_id, body.external_code, null)) faults.push(codeTaken)
        if (faults.length > 0) throw invalid(faults)
        const id = await insertEmployer(tx, { ...orNone(body), lookup_name: lookupNameOf(body.internal_name) })
        const row = await open(tx, actor, id)
        return { after: { row }, answer: toEmployer(row) }
      }),
    ],
  }),

  change(putEmployer, {
    ...ofEmployer,
    intents: [
      on<typeof editEmployer, EmployerRow>(editEmployer, async (context) => {
        const { tx, subject, body } = context
        const { version: _, ...values } = body
        const faults = validateEmployerDates(values)
        if (await isEmployerCodeTaken(tx, subject.organization_id, values.external_code, subject.id)) faults.push(codeTaken)
        // Users, and the mails to them, belong to a brand.
        if (values.brand !== subject.brand && (await hasEmployees(tx, subject.id)))
          faults.push({ path: 'brand', message: 'The brand stays: this employer has employees.' })
        if (faults.length > 0) throw invalid(faults)
        return saveAndRead(context, orNone(values))
      }),
    ],
  }),

  change(putEmployerStatus, {
    ...ofEmployer,
    intents: [
      on<typeof activate, EmployerRow>(activate, (context) =>
        saveAndRead(context, { status: 'ACTIVE', cancellation_date: null }),
      ),
      on<typeof deactivate, EmployerRow>(deactivate, async (context) => {
        const { tx, subject, body } = context
        const cancellation_date = body.cancellation_date ?? (await businessDate(tx))
        const faults = validateEmployerDates({ go_live_date: subject.go_live_date, cancellation_date })
        if (faults.length > 0 && body.cancellation_date) throw invalid(faults)
        return saveAndRead(context, { status: 'INACTIVE', cancellation_date })
      }),
    ],
  }),

  change(patchOnboarded, {
    ...ofEmployer,
    intents: [
      on<typeof setOnboarded, EmployerRow>(setOnboarded, (context) => saveAndRead(context, { onboarded: true })),
      on<typeof unsetOnboarded, EmployerRow>(unsetOnboarded, (context) => saveAndRead(context, { onboarded: false })),
    ],
  }),
]

const codeTaken = { path: 'external_code', message: 'Another employer of this organization has this code.' }
