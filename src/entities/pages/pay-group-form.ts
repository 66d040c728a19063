import { formatISO } from 'date-fns'
import { z } from 'zod'
import { date } from '#contract/fields.ts'
import {
  getPayGroupBilling,
  listPayGroups,
  monthEndField,
  type PayGroup,
  type PayGroupBilling,
  type PayGroupValues,
  payGroupFields,
} from '#contract/pay-groups.ts'
import { getMe } from '#contract/session.ts'
import { addDays, monthEndOf, weekdayName } from '#domain/calendar.ts'
import {
  ambiguousMonthEnds,
  beginningBy,
  validateCalendar,
  type PayCalendar,
  type PayPeriod,
  periodNumberOn,
  periodOf,
  periodsFrom,
  periodsOfDrafts,
  whyMoved,
  type WorkPeriod,
} from '#domain/pay-calendar.ts'
import { isolated } from '#domain/text.ts'
import { isNotOffered } from '#kernel/availability.ts'
import type { Read } from '#kernel/command.ts'
import { fieldsOf } from '#kernel/form.ts'
import type { PagePreview } from '#kernel/page-form.ts'
import { Refusal } from '#kernel/api-client.ts'

const first = { section: 'First work period' }
const second = { section: 'Second work period', needed: true, when: { field: 'payroll_frequency', is: 'SEMI_MONTHLY' } } as const

const shape = z.object({
  ...payGroupFields,
  first_start_date: date('First start', first),
  first_end_date: date('First end', first),
  first_report_date: date('First report date', { ...first, help: 'When the employer is notified of what to withhold' }),
  first_payment_date: date('First payment date', { ...first, help: 'When the employees are paid' }),
  second_start_date: date('Second start', second).optional(),
  second_end_date: date('Second end', second).optional(),
  second_report_date: date('Second report date', second).optional(),
  second_payment_date: date('Second payment date', second).optional(),
  month_end: monthEndField.optional(),
})
export type PayGroupParams = z.infer<typeof shape>

/** Maps the path of a message, of the server, `first_work_period.end_date`, or of the calendar, `second`, to a field. */
export function payGroupField(path: string): string {
  const [which = '', name = 'start_date'] = path.split('.')
  return /^(first|second)(_work_period)?$/.test(which) ? `${which.split('_')[0]}_${name}` : path
}

const isDate = (text: string | undefined): text is string => z.iso.date().safeParse(text).success

const workPeriod = (params: Partial<PayGroupParams>, which: 'first' | 'second'): WorkPeriod | null => {
  const [start_date, end_date, report_date, payment_date] = [
    params[`${which}_start_date`],
    params[`${which}_end_date`],
    params[`${which}_report_date`],
    params[`${which}_payment_date`],
  ]
  return isDate(start_date) && isDate(end_date) && isDate(report_date) && isDate(payment_date)
    ? { start_date, end_date, report_date, payment_date }
    : null
}

/** The calendar in the fields; null while a date is missing or invalid. */
function calendarFrom(params: Partial<PayGroupParams>): PayCalendar | null {
  const { payroll_frequency, adjustment_type, month_end = 'LAST_DAY' } = params
  const [one, two] = [workPeriod(params, 'first'), workPeriod(params, 'second')]
  if (!payroll_frequency || !adjustment_type || !one) return null
  if (payroll_frequency === 'SEMI_MONTHLY' && !two) return null
  const repeated = payroll_frequency === 'SEMI_MONTHLY' ? two : null
  return { payroll_frequency, adjustment_type, month_end, first: one, second: repeated }
}

/** `2026-11-30` as `the 30th`. */
const ordinal = (date: string): string => `the ${date.slice(8)}th`

/** The question about a date on the last day of a month; null if no date is ambiguous, or it is answered. */
function monthEndQuestion(params: Partial<PayGroupParams>, calendar: PayCalendar): string | null {
  const [date] = ambiguousMonthEnds(calendar)
  if (!date || params.month_end) return null
  return `${date} is the last day of its month. Choose whether it repeats on ${ordinal(date)} or on the last day of every month.`
}

/** The form of a pay group, with the same rules as the server (PGR-001 to PGR-006). */
export const payGroupForm = shape.superRefine((params, context) => {
  const missing = ['start_date', 'end_date', 'report_date', 'payment_date'] as const
  if (params.payroll_frequency === 'SEMI_MONTHLY')
    for (const name of missing)
      if (!params[`second_${name}`])
        context.addIssue({ code: 'custom', path: [`second_${name}`], message: 'This is a required field.' })
  const calendar = calendarFrom(params)
  for (const { path, message } of calendar ? validateCalendar(calendar) : [])
    context.addIssue({ code: 'custom', path: [payGroupField(path)], message })
  const question = calendar && monthEndQuestion(params, calendar)
  if (question) context.addIssue({ code: 'custom', path: ['month_end'], message: question })
})

/** The saved values of a pay group. */
export function payGroupSaved(one: PayGroup): Partial<PayGroupParams> {
  const { first_work_period: a, second_work_period: b, name, external_code, payroll_frequency, adjustment_type } = one
  return {
    name,
    external_code,
    payroll_frequency,
    adjustment_type,
    month_end: one.month_end,
    first_start_date: a.start_date,
    first_end_date: a.end_date,
    first_report_date: a.report_date,
    first_payment_date: a.payment_date,
    ...(b && {
      second_start_date: b.start_date,
      second_end_date: b.end_date,
      second_report_date: b.report_date,
      second_payment_date: b.payment_date,
    }),
  }
}

/** A pay group as named in messages: two of one employer may have the same name. */
export const payGroupTitle = ({ name, external_code }: Pick<PayGroupParams, 'name' | 'external_code'>): string =>
  `${isolated(name)} (${isolated(external_code)})`

/** The values of the fields, as the API takes them. */
export function payGroupValues(params: PayGroupParams): PayGroupValues {
  const { name, external_code, payroll_frequency, adjustment_type } = params
  const calendar = calendarFrom(params)
  if (!calendar) throw new Error('A date is missing.')
  const { first: first_work_period, second: second_work_period, month_end } = calendar
  return { name, external_code, payroll_frequency, adjustment_type, month_end, first_work_period, second_work_period }
}

/** The derived dates: a period ends the day before the next one starts. */
export function payGroupFollows(params: Partial<PayGroupParams>): Partial<PayGroupParams> {
  const { payroll_frequency, first_start_date: start, first_end_date: end, month_end = 'LAST_DAY' } = params
  if (!payroll_frequency || !isDate(start)) return {}
  const bare = (of: string): WorkPeriod => ({
    start_date: of,
    end_date: of,
    report_date: addDays(of, 1),
    payment_date: addDays(of, 2),
  })
  const calendar = { payroll_frequency, adjustment_type: 'SAME_DAY', month_end, first: bare(start), second: null } as const
  if (payroll_frequency !== 'SEMI_MONTHLY') return { first_end_date: periodOf(calendar, 0).end_date }
  // The first or the second half of a month.
  const half = start.endsWith('-16') ? monthEndOf(start) : addDays(start, 14)
  if (!isDate(end)) return { first_end_date: half }
  const next = addDays(end, 1)
  return {
    first_end_date: half,
    second_start_date: next,
    second_end_date: periodOf({ ...calendar, second: bare(next) }, 1).end_date,
  }
}

const dayText = (day: string): string => `${weekdayName(day)} ${day}`

/** How dates on the last day of a month repeat; empty if none is ambiguous. */
function monthEndNote(calendar: PayCalendar): string[] {
  const dates = ambiguousMonthEnds(calendar)
  if (dates.length === 0) return []
  if (calendar.month_end === 'LAST_DAY') return [`${dates.join(' and ')}: repeats on the last day of every month.`]
  return dates.map((date) => `${date}: repeats on ${ordinal(date)}, and on the last day of a month that is shorter.`)
}

/** Number of periods in the preview. */
const shown = 8

function rowOf({ start_date, end_date, report_date, payment_date, report_moved, payment_moved }: PayPeriod) {
  const moved = [
    { name: 'Report date', at: report_moved },
    { name: 'Payment date', at: payment_moved },
  ].flatMap(({ name, at }) => (at ? [`${name} moved from ${dayText(at.from)}: ${whyMoved(at)}`] : []))
  return { id: start_date, cells: [`${start_date} to ${end_date}`, dayText(report_date), dayText(payment_date)], notes: moved }
}

/** An error with the name of its period, since both have the same dates. */
function inWords({ path, message }: { path: string; message: string }): string {
  const title = fieldsOf(payGroupForm).find(({ name }) => name === payGroupField(path))?.title
  return title ? `${title}: ${message}` : message
}

/** Facts about an existing pay group. */
export interface PayGroupFacts {
  group: PayGroup
  billing: PayGroupBilling
}

/** A note that the first periods of a new pay group are in the past when they are created; empty if none are. */
function overAlready(calendar: PayCalendar, today: string): string[] {
  const over = Math.max(0, periodNumberOn(calendar, today))
  if (over === 0) return []
  const whole = over === 1 ? '1 of them is' : `${over} of them are`
  return [`${whole} over already: they begin on ${calendar.first.start_date}.`]
}

/** The effects on the invoices and periods of a pay group, in sentences. */
function consequences(calendar: PayCalendar, today: string, facts: PayGroupFacts): string[] {
  const { group, billing } = facts
  const { kept_until: kept, drafts } = billing
  const said: string[] = []
  if (group.derived) {
    said.push('Saving confirms this pay group: its periods are generated a year ahead.')
    if (!kept) said.push(...overAlready(calendar, today))
  }
  if (kept) said.push(`Periods up to ${kept} have invoices and stay as they are.`)
  const changed = (drafts ?? []).flatMap((draft) => {
    const chain = (drafts ?? []).filter(({ department_code }) => department_code === draft.department_code)
    const period = periodsOfDrafts(calendar, kept, chain)[chain.indexOf(draft)]
    const same =
      period?.start_date === draft.period_start &&
      period.end_date === draft.period_end &&
      period.report_date === draft.report_date
    return !period || same
      ? []
      : [`INV-${draft.id} takes ${period.start_date} to ${period.end_date}, reported on ${period.report_date}.`]
  })
  said.push(...changed.slice(0, 4))
  if (changed.length > 4) said.push(`So do ${changed.length - 4} more drafts.`)
  if (changed.length > 0) said.push('Work periods under way end as they began; the next ones follow these dates.')
  return said
}

/**
 * Preview of the next periods with the reasons for moved dates; for an existing pay group, also the effect of saving on its
 * invoices. `today` is the business date.
 */
export function payGroupPreview(params: Partial<PayGroupParams>, today: string, facts: PayGroupFacts | null): PagePreview | null {
  const typed = calendarFrom(params)
  if (!typed) return null
  const title = 'Next pay periods'
  const faults = validateCalendar(typed)
  if (faults.length > 0) return { title, head: [], rows: [], notes: faults.map(inWords) }
  const question = monthEndQuestion(params, typed)
  if (question) return { title, head: [], rows: [], notes: [question] }
  const kept = facts?.billing.kept_until ?? null
  const next = kept && addDays(kept, 1)
  const calendar = next ? beginningBy(typed, next) : typed
  if (next) {
    const number = periodNumberOn(calendar, next)
    if (number < 0 || periodOf(calendar, number).start_date !== next)
      return { title, head: [], rows: [], notes: [`A period has to start on ${next}: those before it have invoices.`] }
  }
  return {
    title,
    head: ['Pay period', 'Report date', 'Payment date'],
    rows: periodsFrom(calendar, next && next > today ? next : today, shown).map(rowOf),
    notes: [
      ...monthEndNote(typed),
      ...(facts
        ? consequences(calendar, today, facts)
        : ['Its periods are generated a year ahead.', ...overAlready(calendar, today)]),
    ],
  }
}

/** The business date (`yyyy-MM-dd`); the browser's date if the API does not return one. */
export async function readToday(read: Read): Promise<string> {
  try {
    return (await read(getMe, {})).business_date
  } catch (error) {
    if (!isNotOffered(error)) throw error
    return formatISO(new Date(), { representation: 'date' })
  }
}

/** Reads a pay group and the invoices of its periods, as far as the API returns them. */
export async function readPayGroup(one: PayGroup, read: Read): Promise<PayGroupFacts> {
  const unbilled = async (error: unknown): Promise<PayGroupBilling> => {
    if (!isNotOffered(error)) throw error
    return { business_date: await readToday(read), kept_until: null, drafts: null }
  }
  const [{ paygroups }, billing] = await Promise.all([
    read(listPayGroups, {}, { 'organization-id': String(one.organization_id), 'employer-id': String(one.employer_id) }),
    read(getPayGroupBilling, { id: one.id }).catch(unbilled),
  ])
  const group = paygroups.find(({ id }) => id === one.id)
  if (!group) throw new Refusal({ type: 'about:blank', title: 'Not found', status: 404, code: 'not-found' })
  return { group, billing }
}
