import { type RawBuilder, sql } from 'kysely'
import type { PayGroup } from '#contract/pay-groups.ts'
import { addBusinessDays, addDays, onOrAfter } from '#domain/calendar.ts'
import type { PayFrequency } from '#domain/pay-frequency.ts'
import { periodsFrom } from '#domain/pay-calendar.ts'
import { frequencyOf, nextPeriod, type InvoicedPeriod } from '#server/money/billing/next-period.ts'
import { beginning, nextPeople, type Place } from '#server/money/billing/people.ts'
import { drawTransactions, settleTransactions } from '#server/money/billing/work-periods.ts'
import type { Tx } from '#server/tables/database.ts'
import { recordEvent } from '#server/tables/audit.ts'
import { type InvoiceRow, invoiceSnapshot, lockInvoice, oneInvoice } from '#server/tables/invoices.ts'
import { moneyMoved, post, service } from '#server/tables/ledger.ts'
import { calendarOf, payGroupOf, payGroupsToBegin, periodAfter } from '#server/tables/pay-groups.ts'
import { settingOf } from '#server/tables/setting.ts'
import { isFound, selectAll } from '#server/postgres/select.ts'
import { insertRow } from '#server/tables/rows.ts'

/** Billing configuration of an employer, its own values before its organization's; values not configured are null. */
export interface BillingTerms {
  payment_method: 'AUTO_ACH' | 'SELF_PAY' | null
  debtor_type: 'EMPLOYER' | 'ORGANIZATION' | null
  net_days: number | null
  /** Business days after the report date before an approved invoice is sent. */
  deadline: number | null
  auto_approve: boolean | null
  /** Whether each department has an invoice of its own. */
  split: boolean | null
  confirmation_flow: 'NONE' | 'SINGLE' | 'MULTIPLE' | null
}

/** The terms in effect for an employer. */
export async function billingTermsOf(tx: Tx, employerId: number): Promise<BillingTerms> {
  const { rows } = await sql<BillingTerms>`
    select lms.payment_method, lms.debtor_type, lms.invoice_net_days as net_days, lms.invoice_deadline as deadline,
      lms.split_invoices as split,
      rule.auto_approve_ewa_file as auto_approve,
      case when rule.receives_confirmations is null then null when not rule.receives_confirmations then 'NONE'
        when rule.receive_multiple_confirmations then 'MULTIPLE' else 'SINGLE' end as confirmation_flow
    from employers
    left join lateral (select * from lms_configurations given where given.employer_id = employers.id
      or given.organization_id = employers.organization_id order by given.employer_id nulls last limit 1) lms on true
    left join lateral (select * from deduction_configurations given where given.employer_id = employers.id
      or given.organization_id = employers.organization_id order by given.employer_id nulls last limit 1) rule on true
    where employers.id = ${employerId}`.execute(tx)
  return rows[0] as BillingTerms
}

const usualNetDays = 5

/** Issue, report and due date of an invoice for a period, by the terms of its employer. */
export const datesOfInvoice = (period_end: string, report_date: string, { net_days }: Pick<BillingTerms, 'net_days'>) => ({
  issue_date: addBusinessDays(period_end, 1),
  report_date,
  due_date: onOrAfter(addDays(report_date, net_days ?? usualNetDays)),
})

/** The columns of a new DRAFT invoice. */
type Draft = Pick<
  InvoiceRow,
  | 'employer_id'
  | 'organization_id'
  | 'debtor_type'
  | 'debtor_id'
  | 'company_code'
  | 'department_code'
  | 'payment_method'
  | 'confirmation_flow'
  | 'auto_approve_ewa_file'
  | 'period_start'
  | 'period_end'
  | 'issue_date'
  | 'report_date'
  | 'due_date'
>

/** Inserts a DRAFT invoice without lines, and its history. */
async function insertDraft(tx: Tx, draft: Draft): Promise<void> {
  const id = await insertRow(tx, 'invoices', { ...draft, status: 'DRAFT', closed_at: null })
  const made = (await oneInvoice(tx, null, id)) as InvoiceRow
  await recordEvent(tx, {
    actor: service,
    intent: 'invoice.draft',
    entity: 'invoice',
    entityId: String(id),
    status: 'Drafted',
    after: invoiceSnapshot(made),
    version: made.version,
  })
}

/**
 * Creates the DRAFT invoices that follow this one, up to the next period that has not started, if the employer is active. Their
 * periods come from the pay group; without a confirmed one, they are as long as this invoice's.
 */
export async function draftNext(tx: Tx, invoice: InvoiceRow, today: string): Promise<number> {
  if (invoice.employer_status !== 'ACTIVE') return 0
  const terms = await billingTermsOf(tx, invoice.employer_id)
  if ((!terms.split || invoice.original_amount === 0) && (await hasRestSibling(tx, invoice))) return 0
  const { rows } = await sql<InvoicedPeriod>`
    select period_start, period_end from invoices where employer_id = ${invoice.employer_id} and company_code = ${invoice.company_code}
      and department_code is not distinct from ${invoice.department_code} order by period_end desc limit 1`.execute(tx)
  const debtor_type = terms.debtor_type ?? invoice.debtor_type
  let made = 0
  for (let last = rows[0] as InvoicedPeriod; last.period_start <= today; made += 1) {
    const planned = await periodAfter(tx, invoice.employer_id, invoice.company_code, last.period_end)
    last = planned ? { period_start: planned.start_date, period_end: planned.end_date } : nextPeriod(last)
    await insertDraft(tx, {
      ...last,
      ...datesOfInvoice(last.period_end, planned?.report_date ?? addBusinessDays(last.period_end, 2), terms),
      organization_id: invoice.organization_id,
      employer_id: invoice.employer_id,
      debtor_type,
      debtor_id: debtor_type === 'EMPLOYER' ? invoice.employer_id : invoice.organization_id,
      company_code: invoice.company_code,
      department_code: invoice.department_code,
      payment_method: terms.payment_method ?? invoice.payment_method,
      confirmation_flow: terms.confirmation_flow ?? invoice.confirmation_flow,
      auto_approve_ewa_file: terms.auto_approve ?? invoice.auto_approve_ewa_file,
    })
  }
  return made
}

/** Whether the period of a department's invoice also has one without a department: only that one is continued and split. */
async function hasRestSibling(tx: Tx, invoice: InvoiceRow): Promise<boolean> {
  if (invoice.department_code === null) return false
  return isFound(tx)`select from invoices where ${ofPeriod(invoice)} and department_code is null limit 1`
}

const ofPeriod = ({ organization_id, employer_id, company_code, period_start }: InvoiceRow, alias = 'invoices') =>
  sql`${sql.ref(`${alias}.organization_id`)} = ${organization_id} and ${sql.ref(`${alias}.employer_id`)} = ${employer_id} and ${sql.ref(`${alias}.company_code`)} = ${company_code}
    and ${sql.ref(`${alias}.period_start`)} = ${period_start}`

/**
 * Creates a DRAFT invoice for each department that has amounts to bill and no invoice yet, where its employer bills per
 * department; amounts without a department stay on the invoice without one (docs/rules/invoices.md).
 */
async function splitDraft(tx: Tx, invoice: InvoiceRow): Promise<number> {
  if (invoice.department_code !== null) return draftRest(tx, invoice)
  if (!(await billingTermsOf(tx, invoice.employer_id)).split) return 0
  // Nobody is on two invoices of a period: an invoice that has lines already keeps all of its people.
  const { rows: lines } = await sql`select from invoice_lines
    where invoice_id = ${invoice.id} and organization_id = ${invoice.organization_id} limit 1`.execute(tx)
  if (lines.length > 0) return 0
  const { rows } = await sql<{ department_code: string }>`
    select distinct department_code from (
      select e.department_code from work_period_balances b join employees e on e.id = b.employee_id and e.organization_id = b.organization_id
      where ${await unbilledBy(tx, invoice)} and e.department_code is not null
      group by e.id, e.department_code having sum(b.taken_amount - b.billed_amount) > 0) owed order by 1`.execute(tx)
  for (const { department_code } of rows) await insertDraft(tx, { ...siblingColumns(invoice), department_code })
  return rows.length
}

/** Columns that an invoice shares with the others of its period. */
function siblingColumns(invoice: InvoiceRow) {
  const { employer_id, debtor_type, debtor_id, company_code, payment_method, confirmation_flow, auto_approve_ewa_file } = invoice
  const { organization_id, period_start, period_end, issue_date, report_date, due_date } = invoice
  const shared = { employer_id, debtor_type, debtor_id, company_code, payment_method, confirmation_flow, auto_approve_ewa_file }
  return { ...shared, organization_id, period_start, period_end, issue_date, report_date, due_date }
}

/**
 * Creates the invoice for everybody else, where the invoices of a period are all for departments and some people belong to none
 * of them.
 */
async function draftRest(tx: Tx, invoice: InvoiceRow): Promise<number> {
  const { employer_id, company_code, period_start } = invoice
  await sql`select pg_advisory_xact_lock(hashtext(${`rest ${employer_id} ${company_code} ${period_start}`}))`.execute(tx)
  if (await hasRestSibling(tx, invoice)) return 0
  const { rows } =
    await sql`select from work_period_balances b join employees e on e.id = b.employee_id and e.organization_id = b.organization_id
    where ${await unbilledBy(tx, { ...invoice, department_code: null })}
    group by e.id having sum(b.taken_amount - b.billed_amount) > 0 limit 1`.execute(tx)
  if (rows.length === 0) return 0
  await insertDraft(tx, { ...siblingColumns(invoice), department_code: null })
  return 1
}

/**
 * Creates the DRAFT invoices of a pay group that has none: for the current period and the next one. Later ones follow when these
 * are reported (draftNext). Earlier invoices mean that the employer was inactive in between: unbilled amounts of past periods go
 * on the first of the new invoices, which bills everything not billed yet.
 */
export async function draftFirst(tx: Tx, groupId: number, today: string): Promise<number> {
  const group = await payGroupOf(tx, null, groupId, { lock: true })
  if (!group || (await payGroupsToBegin(tx, today, null, groupId)).length === 0) return 0
  const terms = await billingTermsOf(tx, group.employer_id)
  const last = await lastInvoicesOf(tx, group)
  const before = last[0]
  const debtor_type = terms.debtor_type ?? before?.debtor_type ?? 'EMPLOYER'
  const periods = periodsFrom(calendarOf(group), before && before.period_end >= today ? addDays(before.period_end, 1) : today, 2)
  // The invoice without a department comes first, has everybody else, and is split.
  const departments = before?.department_code ? last.map(({ department_code }) => department_code) : [null]
  const chains = periods.flatMap((period) => departments.map((department_code) => ({ ...period, department_code })))
  for (const { start_date, end_date, report_date, department_code } of chains)
    await insertDraft(tx, {
      period_start: start_date,
      period_end: end_date,
      ...datesOfInvoice(end_date, report_date, terms),
      organization_id: group.organization_id,
      employer_id: group.employer_id,
      debtor_type,
      debtor_id: debtor_type === 'EMPLOYER' ? group.employer_id : group.organization_id,
      company_code: group.external_code,
      department_code,
      payment_method: terms.payment_method ?? before?.payment_method ?? 'SELF_PAY',
      confirmation_flow: terms.confirmation_flow ?? before?.confirmation_flow ?? 'NONE',
      auto_approve_ewa_file: terms.auto_approve ?? before?.auto_approve_ewa_file ?? false,
    })
  return chains.length
}

type LastInvoice = Pick<
  InvoiceRow,
  'department_code' | 'debtor_type' | 'payment_method' | 'confirmation_flow' | 'auto_approve_ewa_file' | 'period_end'
>

/** The invoices of the last period of a pay group, by department. */
async function lastInvoicesOf(tx: Tx, { employer_id, external_code }: PayGroup): Promise<LastInvoice[]> {
  return selectAll<LastInvoice>(tx)`
    select distinct on (department_code) department_code, debtor_type, payment_method, confirmation_flow, auto_approve_ewa_file, period_end
    from invoices where employer_id = ${employer_id} and company_code = ${external_code} and period_end = (
      select max(period_end) from invoices where employer_id = ${employer_id} and company_code = ${external_code})
    order by department_code nulls first, id desc`
}

/**
 * Adds the advances of past periods of the next people that are not on any invoice yet. In the demo, which has no real advances,
 * those of everybody are drawn first, by employee and period, and pending ones complete. Billed amounts are recorded on each
 * balance, so that a second call adds nothing. Returns the number of department invoices created, which are filled next, and where
 * the people go on, null after the last.
 */
export async function fillDraft(tx: Tx, id: number, now: Date, { after }: Place): Promise<{ made: number; next: Place | null }> {
  const invoice = await lockInvoice(tx, null, id)
  if (invoice?.status !== 'DRAFT') return { made: 0, next: null }
  const isFirst = after === beginning.after
  if (isFirst && (await settingOf(tx, 'seed')) === 'demo') {
    await settleTransactions(tx, invoice)
    await drawTransactions(tx, invoice)
  }
  const made = isFirst ? await splitDraft(tx, invoice) : 0
  const { last, more } = await nextPeople(tx, invoice.employer_id, after)
  const next = more ? { employer: invoice.employer_id, after: last } : null
  const { rows } = await sql<{ amount: number }>`
    with unbilled as (
      select b.id, b.employee_id, e.department_code, b.taken_amount - b.billed_amount as amount
      from work_period_balances b join employees e on e.id = b.employee_id and e.organization_id = b.organization_id
      where e.id > ${after} and e.id <= ${last} and ${await unbilledBy(tx, invoice)}
      order by b.id for update of b),
    owed as (
      select employee_id, department_code, sum(amount)::bigint as amount from unbilled group by 1, 2 having sum(amount) > 0),
    noted as (
      update work_period_balances b set billed_amount = b.taken_amount from unbilled join owed using (employee_id)
      where b.id = unbilled.id and b.organization_id = ${invoice.organization_id}),
    more as (
      update invoice_lines line set original_amount = line.original_amount + owed.amount from owed
      where line.organization_id = ${invoice.organization_id} and line.invoice_id = ${id} and line.employee_id = owed.employee_id
      returning line.employee_id),
    lines as (
      insert into invoice_lines (organization_id, invoice_id, employee_id, department_code, original_amount)
      select ${invoice.organization_id}, ${id}, employee_id, department_code, amount from owed
      where employee_id not in (select employee_id from more) order by employee_id)
    select amount from owed`.execute(tx)
  const amount = rows.reduce((sum, owed) => sum + owed.amount, 0)
  if (amount === 0) return { made, next }
  await post(tx, service, invoice.organization_id, [{ invoice_id: id, kind: 'ORIGINAL', amount }])
  await moneyMoved([invoice], { tx, mover: service, intent: 'invoice.fill', event: 'Lines added', now })
  return { made, next }
}

/** The balances `b` of employees `e` that an invoice bills. */
const unbilledBy = async (tx: Tx, invoice: InvoiceRow) => sql`b.organization_id = ${invoice.organization_id}
  and e.employer_id = ${invoice.employer_id} and b.taken_amount <> b.billed_amount and b.work_period_end <= ${invoice.period_end}::date and ${inDepartment(invoice)}
  and ${await paidBy(tx, invoice)}`

/** An invoice without a department covers everybody whose department has no invoice of its own. */
const inDepartment = (invoice: InvoiceRow) =>
  invoice.department_code !== null
    ? sql`e.department_code = ${invoice.department_code}`
    : sql`(e.department_code is null or e.department_code not in (
        select other.department_code from invoices other where ${ofPeriod(invoice, 'other')} and other.department_code is not null))`

/**
 * The people an invoice bills: those with the pay frequency of its pay group, and those whose frequency no pay group of the
 * employer has. Without a pay group of its code, the length of its period gives the frequency.
 */
async function paidBy(tx: Tx, invoice: InvoiceRow): Promise<RawBuilder<unknown>> {
  const { rows } = await sql<InvoicedPeriod & { own: boolean; frequency: PayFrequency | null }>`
    select distinct i.company_code = ${invoice.company_code} as own, i.period_start, i.period_end, g.payroll_frequency as frequency
    from invoices i left join pay_groups g on g.employer_id = i.employer_id and g.external_code = i.company_code
    where i.employer_id = ${invoice.employer_id} and i.status = 'DRAFT'`.execute(tx)
  const listed = rows.map(({ own, frequency, ...period }) => ({ own, frequency: frequency ?? frequencyOf(period) }))
  const own = listed.find((each) => each.own)?.frequency ?? null
  if (own === null) return sql`true`
  const others = [...new Set(listed.flatMap(({ frequency }) => (frequency && frequency !== own ? [frequency] : [])))]
  return sql`(e.pay_frequency is null or e.pay_frequency <> all(${others}::text[]))`
}
