import {
  changePayGroup,
  confirmPayGroup,
  createPayGroup,
  getPayGroup,
  getPayGroupBilling,
  listCurrentPeriods,
  listPayGroups,
  type PayGroup,
  type PayGroupValues,
  payGroupValuesOf,
} from '#contract/pay-groups.ts'
import { addDays } from '#domain/calendar.ts'
import { beginningBy, validateCalendar, periodNumberOn, periodOf } from '#domain/pay-calendar.ts'
import { all, may } from '#domain/permissions.ts'
import { type ChangeOf, changing, creating, route } from '#server/http/route.ts'
import { redateDrafts } from '#server/money/billing/redate-drafts.ts'
import { existing, invalid, notFound } from '#server/http-error.ts'
import { businessDate } from '#server/tables/business-date.ts'
import type { Tx } from '#server/tables/database.ts'
import { oneEmployer } from '#server/tables/employers.ts'
import {
  billedUntil,
  calendarOf,
  currentPeriods,
  draftsOf,
  insertPayGroup,
  isCodeTaken,
  makePeriods,
  payGroupOf,
  payGroupsOf,
  updatePayGroup,
} from '#server/tables/pay-groups.ts'
import { lockOwner } from '#server/tables/owners.ts'

/** The new values of a pay group, and the last day of the periods that stay. */
interface ValidatedPayGroup {
  values: PayGroupValues
  kept: string | null
}

/** Validates field by field. Where periods stay, the saved calendar starts with the one after them. */
async function validatePayGroup(
  tx: Tx,
  employerId: number,
  values: PayGroupValues,
  now: PayGroup | null,
): Promise<ValidatedPayGroup> {
  const faults = validateCalendar(calendarOf(values)).map(({ path, message }) => ({
    path: path.replace(/^(first|second)/, '$1_work_period'),
    message,
  }))
  if (await isCodeTaken(tx, employerId, values.external_code, now?.id ?? null))
    faults.push({ path: 'external_code', message: 'Another pay group of this employer has this code.' })
  const kept = now && (await billedUntil(tx, employerId, now.external_code))
  if (kept && now.external_code !== values.external_code)
    faults.push({ path: 'external_code', message: 'Invoices carry this code, so it stays.' })
  if (faults.length > 0) throw invalid(faults)
  if (!kept) return { values, kept }
  const next = addDays(kept, 1)
  const calendar = beginningBy(calendarOf(values), next)
  const number = periodNumberOn(calendar, next)
  if (number < 0 || periodOf(calendar, number).start_date !== next)
    throw invalid([
      { path: 'first_work_period.start_date', message: `A period has to start on ${next}: those before it have invoices.` },
    ])
  return { values: { ...values, first_work_period: calendar.first, second_work_period: calendar.second }, kept }
}

/** Identifies the pay group in an event of its employer: two may have the same name. */
const textOf = ({ name, external_code }: PayGroupValues): string => `${name} (${external_code})`

/** Saves the new values of a pay group. One that is still derived keeps the periods of its invoices and creates none. */
const saveWith =
  ({ confirms }: { confirms: boolean }) =>
  async ({
    tx,
    actor,
    subject,
    body: { version: _, ...sent },
  }: ChangeOf<PayGroup, Partial<PayGroupValues> & { version: number }>) => {
    const { values, kept } = await validatePayGroup(tx, subject.employer_id, { ...payGroupValuesOf(subject), ...sent }, subject)
    const derived = subject.derived && !confirms
    await updatePayGroup(tx, subject.id, values, derived)
    if (!derived) {
      await makePeriods(tx, subject.id, calendarOf(values), kept)
      await redateDrafts(tx, { group: subject, code: values.external_code, calendar: calendarOf(values), kept, actor })
    }
    const after = (await payGroupOf(tx, actor, subject.id)) as PayGroup
    return { after, text: textOf(after) }
  }

const payGroup = {
  // Events of a pay group belong to the history of its employer.
  target: ({ employer_id, version }: PayGroup) => ({ entity: 'employer', id: String(employer_id), version }),
  snapshot: (group: PayGroup) => ({ pay_group: group.id, ...payGroupValuesOf(group), derived: group.derived }),
  answer: (group: PayGroup) => group,
}

const change = changing({ ...payGroup, subject: ({ tx, actor, params }) => payGroupOf(tx, actor, params.id, { lock: true }) })

const create = creating(
  async ({ tx, actor, body }) => {
    const id = Number(body?.['employer_id'])
    if (!(await oneEmployer(tx, actor, id))) throw notFound()
    await lockOwner(tx, { type: 'EMPLOYER', id })
    return { id }
  },
  payGroup,
  ({ id }) => ({ entity: 'employer', id: String(id) }),
)

export const routes = [
  route(listPayGroups, async ({ tx, actor, query }) => {
    const { 'organization-id': organization, 'employer-id': employer } = query
    if (organization === undefined && employer === undefined) return { paygroups: [] }
    return { paygroups: await payGroupsOf(tx, actor, { organization, employer }) }
  }),

  route(getPayGroup, async ({ tx, actor, params }) => {
    return existing(await payGroupOf(tx, actor, params.id))
  }),

  route(getPayGroupBilling, async ({ tx, actor, params }) => {
    const group = existing(await payGroupOf(tx, actor, params.id))
    return {
      business_date: await businessDate(tx),
      kept_until: await billedUntil(tx, group.employer_id, group.external_code),
      drafts: may(actor.held, all('read:billing')) === 'yes' ? await draftsOf(tx, group) : null,
    }
  }),

  route(listCurrentPeriods, async ({ tx, actor }) => ({ periods: await currentPeriods(tx, actor) })),

  create(createPayGroup, async ({ tx, actor, body: { employer_id, ...values } }) => {
    await validatePayGroup(tx, employer_id, values, null)
    const id = await insertPayGroup(tx, employer_id, values)
    await makePeriods(tx, id, calendarOf(values), null)
    const after = (await payGroupOf(tx, actor, id)) as PayGroup
    return { after, text: textOf(after) }
  }),

  change(confirmPayGroup, saveWith({ confirms: true })),

  change(changePayGroup, saveWith({ confirms: false })),
]
