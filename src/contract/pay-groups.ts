import { z } from 'zod'
import { payFrequencies } from '#domain/pay-frequency.ts'
import { adjustmentLabels, adjustmentTypes, canConfirmPayGroup, monthEndLabels, monthEnds } from '#domain/pay-group.ts'
import { all, any } from '#domain/permissions.ts'
import { action, endpoint } from '#contract/define.ts'
import { frequencyLabels } from '#contract/employees.ts'
import { choice, date, dateSchema, idSchema, reference, text, version } from '#contract/fields.ts'

const Period = z.object({
  start_date: dateSchema,
  end_date: dateSchema,
  report_date: dateSchema,
  payment_date: dateSchema,
})

/** Employees of an employer who are paid together, and when (ENT-110 to ENT-119). All dates `yyyy-MM-dd`. */
export const PayGroup = z.object({
  id: z.int(),
  organization_id: z.int(),
  employer_id: z.int(),
  employer_name: z.string(),
  name: z.string(),
  external_code: z.string(),
  payroll_frequency: z.enum(payFrequencies),
  adjustment_type: z.enum(adjustmentTypes),
  /** Meaning of a date on the last day of a month. */
  month_end: z.enum(monthEnds),
  /** As typed; the others repeat them. */
  first_work_period: Period,
  /** Only a semi-monthly group has two repeating periods. */
  second_work_period: Period.nullable(),
  /** Derived from the periods of invoices: a person has to confirm it before it creates further periods. */
  derived: z.boolean(),
  /** The current period at the business date and the following ones, at most six, with adjusted report and payment dates. */
  periods: z.array(Period),
  version: z.int(),
})
export type PayGroup = z.infer<typeof PayGroup>

const period = (title: string) =>
  z.object({
    start_date: date(`${title}: start`),
    end_date: date(`${title}: end`),
    report_date: date(`${title}: report date`),
    payment_date: date(`${title}: payment date`),
  })

/** Name and payment of a pay group; its dates are in the work periods. */
export const payGroupFields = {
  name: text('Name', 100, { section: 'Pay group' }),
  external_code: text('External code', 60, { section: 'Pay group', help: 'What its invoices carry as company code' }),
  payroll_frequency: choice('Payroll frequency', payFrequencies, frequencyLabels, { section: 'Pay group' }),
  adjustment_type: choice('On a closed day', adjustmentTypes, adjustmentLabels, {
    section: 'Pay group',
    help: 'Where a report or payment date falls on a weekend or a holiday of the Federal Reserve banks',
  }),
}

/** Meaning of a date on the last day of a month; only for groups that repeat days of the month. */
export const monthEndField = choice('A date on the last day of a month is', monthEnds, monthEndLabels, {
  section: 'Last day of a month',
  when: { field: 'payroll_frequency', in: ['SEMI_MONTHLY', 'MONTHLY'] },
})

const fields = {
  ...payGroupFields,
  month_end: monthEndField,
  first_work_period: period('First work period'),
  second_work_period: period('Second work period').nullable(),
}
/** All fields; only a semi-monthly group has a second work period. */
const whole = {
  ...fields,
  month_end: monthEndField.default('LAST_DAY'),
  second_work_period: fields.second_work_period.default(null),
}
/** Values of the pay group form. */
export type PayGroupValues = { [Name in keyof typeof fields]: z.output<(typeof fields)[Name]> }

/** Current values of a pay group for the form. */
export const payGroupValuesOf = (one: PayGroup): PayGroupValues => ({
  name: one.name,
  external_code: one.external_code,
  payroll_frequency: one.payroll_frequency,
  adjustment_type: one.adjustment_type,
  month_end: one.month_end,
  first_work_period: one.first_work_period,
  second_work_period: one.second_work_period,
})

export const listPayGroups = endpoint({
  method: 'GET',
  path: '/organizations/paygroups',
  summary: 'The pay groups of an organization or an employer that is named',
  tag: 'Pay groups',
  specified: ['organization-id', 'employer-id'],
  query: z.object({ 'organization-id': idSchema.optional(), 'employer-id': idSchema.optional() }),
  answer: z.object({ paygroups: z.array(PayGroup) }),
  needs: any('read:organizations', 'read:employers'),
})

export const getPayGroup = endpoint({
  method: 'GET',
  path: '/organizations/paygroups/{id}',
  summary: 'One pay group',
  tag: 'Pay groups',
  answer: PayGroup,
  needs: listPayGroups.needs,
  extension: true,
})

/** The invoices of the periods of a pay group. */
export const PayGroupBilling = z.object({
  business_date: dateSchema,
  /** The last day of the periods with an invoice past DRAFT, which stay as they are; null if none has one. */
  kept_until: dateSchema.nullable(),
  /** The DRAFT invoices, earliest first: they take the periods of the group. Null without read:billing. */
  drafts: z
    .array(
      z.object({
        id: z.int(),
        department_code: z.string().nullable(),
        period_start: dateSchema,
        period_end: dateSchema,
        report_date: dateSchema,
      }),
    )
    .nullable(),
})
export type PayGroupBilling = z.infer<typeof PayGroupBilling>

export const getPayGroupBilling = endpoint({
  method: 'GET',
  path: '/organizations/paygroups/{id}/billing',
  summary: 'Which periods of a pay group stay when it is changed, and which invoices follow',
  tag: 'Pay groups',
  answer: PayGroupBilling,
  needs: listPayGroups.needs,
  extension: true,
})

export const listCurrentPeriods = endpoint({
  method: 'GET',
  path: '/employers/payrollgroups/periods/current',
  summary: 'The period under way of each pay group that one may see, at the business date',
  tag: 'Pay groups',
  answer: z.object({
    periods: z.array(Period.extend({ pay_group_id: z.int(), employer_id: z.int(), name: z.string(), external_code: z.string() })),
  }),
  needs: all('read:employers'),
})

const changes = { tag: 'Pay groups', answer: PayGroup } as const

export const createPayGroup = action({
  ...changes,
  method: 'POST',
  path: '/organizations/paygroups',
  summary: 'Add a pay group to an employer; its periods are made a year ahead',
  status: 201,
  id: 'paygroup.create',
  body: z.object({ employer_id: reference('Employer', 'employer'), ...whole }),
  needs: all('write:paygroups'),
  event: 'Pay group added',
})

export const confirmPayGroup = action({
  ...changes,
  method: 'POST',
  path: '/organizations/paygroups/{id}',
  summary: 'Confirm a derived pay group; its periods are made a year ahead',
  id: 'paygroup.confirm',
  body: z.object({ ...whole, version: version() }),
  needs: all('write:paygroups'),
  event: 'Pay group confirmed',
  refuses: canConfirmPayGroup,
})

export const changePayGroup = action({
  ...changes,
  method: 'PATCH',
  path: '/organizations/paygroups/{id}',
  summary: 'Change a pay group; periods without an invoice past DRAFT are made again',
  id: 'paygroup.change',
  body: z.object(fields).partial().extend({ version: version() }),
  needs: all('write:paygroups'),
  event: 'Pay group changed',
})
