import { activate, createEmployer, deactivate, editEmployer, setOnboarded, unsetOnboarded } from '#contract/employer-changes.ts'
import { countEmployers, getEmployer, getEmployerAdditionalInfo, listEmployerEvents, listEmployers } from '#contract/employers.ts'
import { validateEmployerDates, lookupNameOf } from '#domain/company.ts'
import { all, may } from '#domain/permissions.ts'
import type { Actor } from '#server/access/actor.ts'
import { reads } from '#server/http/reads.ts'
import { type ChangeOf, changing, creating, route } from '#server/http/route.ts'
import { invalid, orNotFound } from '#server/http-error.ts'
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
import { lockOrganization } from '#server/tables/organizations.ts'

const open = orNotFound((tx: Tx, actor: Actor, id: number) => oneEmployer(tx, actor, id))

/** The snapshot of an employer for the history. */
const snapshot = ({ id: _, version, created_at, updated_at, organization_id, organization_name, ...employer }: EmployerRow) => {
  const { organization_status, lms_configured, ...own } = employer
  return own
}

const employer = { entity: 'employer', snapshot, answer: toEmployer }

/** A change of an employer: it is locked, inside the person's access. */
const change = changing({ ...employer, subject: ({ tx, actor, params }) => oneEmployer(tx, actor, params.id, { lock: true }) })

const create = creating(({ tx, actor, body }) => lockOrganization(tx, actor, Number(body?.['organization_id'])), employer)

/** Saves values of an employer and returns it afterwards. */
async function saveAndRead({ tx, actor, subject, now }: ChangeOf<EmployerRow>, values: EmployerValues) {
  await saveEmployer(tx, subject, values, now)
  return { after: await open(tx, actor, subject.id) }
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

export const routes = [
  ...reads(
    { list: listEmployers, count: countEmployers, get: getEmployer, history: listEmployerEvents },
    {
      list: employerList,
      open,
      answer: toEmployer,
      entity: 'employer',
    },
  ),

  route(getEmployerAdditionalInfo, async ({ tx, actor, query }) => ({
    employers: await additionalInfoOf(tx, actor, query['employer-ids'] ?? [], {
      overdue: may(actor.held, all('read:billing')) === 'yes',
    }),
  })),

  create(createEmployer, async ({ tx, actor, body }) => {
    const faults = validateEmployerDates(body)
    if (await isEmployerCodeTaken(tx, body.organization_id, body.external_code, null)) faults.push(codeTaken)
    if (faults.length > 0) throw invalid(faults)
    const id = await insertEmployer(tx, { ...orNone(body), lookup_name: lookupNameOf(body.internal_name) })
    return { after: await open(tx, actor, id) }
  }),

  change(editEmployer, async (context) => {
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

  change(activate, (context) => saveAndRead(context, { status: 'ACTIVE', cancellation_date: null })),

  change(deactivate, async (context) => {
    const { tx, subject, body } = context
    const cancellation_date = body.cancellation_date ?? (await businessDate(tx))
    const faults = validateEmployerDates({ go_live_date: subject.go_live_date, cancellation_date })
    if (faults.length > 0 && body.cancellation_date) throw invalid(faults)
    return saveAndRead(context, { status: 'INACTIVE', cancellation_date })
  }),

  change(setOnboarded, (context) => saveAndRead(context, { onboarded: true })),

  change(unsetOnboarded, (context) => saveAndRead(context, { onboarded: false })),
]

const codeTaken = { path: 'external_code', message: 'Another employer of this organization has this code.' }
