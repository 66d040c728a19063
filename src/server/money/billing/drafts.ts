import { type RawBuilder, sql } from 'kysely'
import { addBusinessDays, addDays, onOrAfter } from '#domain/calendar.ts'
import { frequencyOf, nextPeriod, type InvoicedPeriod } from '#server/money/billing/next-period.ts'
import { drawTransactions, settleTransactions } from '#server/money/billing/work-periods.ts'
import type { Tx } from '#server/tables/database.ts'
import { recordEvent } from '#server/tables/audit.ts'
import { type InvoiceRow, invoiceSnapshot, lockInvoices, oneInvoice } from '#server/tables/invoices.ts'
import { moneyMoved, post, service } from '#server/tables/ledger.ts'
import { periodAfter } from '#server/tables/pay-groups.ts'
import { settingOf } from '#server/tables/setting.ts'

/** How an employer is billed, its own rows before its organization's; what nobody configured is null. */
export interface BillingTerms {
  payment_method: 'AUTO_ACH' | 'SELF_PAY' | null
  debtor_type: 'EMPLOYER' | 'ORGANIZATION' | null
  net_days: number | null
  /** Business days after the report date until which an approved invoice is not sent yet. */
  deadline: number | null
  /** Business days before the due date on which a debit goes to the bank, so that it has settled by then. */
  processing_days: number | null
  auto_approve: boolean | null
  confirmation_flow: 'NONE' | 'SINGLE' | 'MULTIPLE' | null
}

/** The terms that hold for an employer now. */
export async function billingTermsOf(tx: Tx, employerId: number): Promise<BillingTerms> {
  const { rows } = await sql<BillingTerms>`
    select lms.payment_method, lms.debtor_type, lms.invoice_net_days as net_days, lms.invoice_deadline as deadline,
      lms.ach_processing_days as processing_days,
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

/**
 * Makes the DRAFT invoices that follow this one, as far as the next period that has not begun, if the employer is active.
 * Their periods are those of the pay group; where nobody confirmed one, as long as this invoice's.
 */
export async function draftNext(tx: Tx, invoice: InvoiceRow, today: string): Promise<number> {
  if (invoice.employer_status !== 'ACTIVE') return 0
  const { rows } = await sql<InvoicedPeriod>`
    select period_start, period_end from invoices where employer_id = ${invoice.employer_id} and company_code = ${invoice.company_code}
      and department_code is not distinct from ${invoice.department_code} order by period_end desc limit 1`.execute(tx)
  const terms = await billingTermsOf(tx, invoice.employer_id)
  const debtor_type = terms.debtor_type ?? invoice.debtor_type
  let made = 0
  for (let last = rows[0] as InvoicedPeriod; last.period_start <= today; made += 1) {
    const planned = await periodAfter(tx, invoice.employer_id, invoice.company_code, last.period_end)
    last = planned ? { period_start: planned.start_date, period_end: planned.end_date } : nextPeriod(last)
    const report_date = planned?.report_date ?? addBusinessDays(last.period_end, 2)
    const { id } = await tx
      .insertInto('invoices')
      .values({
        ...last,
        employer_id: invoice.employer_id,
        debtor_type,
        debtor_id: debtor_type === 'EMPLOYER' ? invoice.employer_id : invoice.organization_id,
        status: 'DRAFT',
        company_code: invoice.company_code,
        department_code: invoice.department_code,
        payment_method: terms.payment_method ?? invoice.payment_method,
        confirmation_flow: terms.confirmation_flow ?? invoice.confirmation_flow,
        auto_approve_ewa_file: terms.auto_approve ?? invoice.auto_approve_ewa_file,
        issue_date: addBusinessDays(last.period_end, 1),
        report_date,
        due_date: onOrAfter(addDays(report_date, terms.net_days ?? usualNetDays)),
        closed_at: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const draft = (await oneInvoice(tx, null, id)) as InvoiceRow
    await recordEvent(tx, {
      actor: service,
      intent: 'invoice.draft',
      command: null,
      entity: 'invoice',
      entityId: String(id),
      status: 'Drafted',
      text: null,
      before: null,
      after: invoiceSnapshot(draft),
      version: draft.version,
      idempotencyKey: null,
    })
  }
  return made
}

/**
 * Adds what the employees took in periods that are over and what no invoice has yet (D198). In the demo, where nobody takes
 * anything, that is drawn first, by employee and period, and what is pending completes. What was billed is noted with each period, so a second time adds nothing.
 */
export async function fillDraft(tx: Tx, id: number, now: Date): Promise<void> {
  const [invoice] = await lockInvoices(tx, null, [id])
  if (invoice?.status !== 'DRAFT') return
  const demo = (await settingOf(tx, 'seed')) === 'demo'
  if (demo) {
    await settleTransactions(tx, invoice)
    await drawTransactions(tx, invoice)
  }
  const { rows } = await sql<{ amount: number }>`
    with unbilled as (
      select b.id, b.employee_id, e.department_code, b.taken_amount - b.billed_amount as amount
      from work_period_balances b join employees e on e.id = b.employee_id
      where e.employer_id = ${invoice.employer_id} and b.taken_amount <> b.billed_amount
        and b.work_period_end <= ${invoice.period_end}::date and ${inDepartment(invoice)} and ${await paidBy(tx, invoice)}
      order by b.id for update of b),
    owed as (
      select employee_id, department_code, sum(amount)::bigint as amount from unbilled group by 1, 2 having sum(amount) > 0),
    noted as (
      update work_period_balances b set billed_amount = b.taken_amount from unbilled join owed using (employee_id)
      where b.id = unbilled.id),
    lines as (
      insert into invoice_lines (invoice_id, employee_id, department_code, original_amount)
      select ${id}, employee_id, department_code, amount from owed order by employee_id
      on conflict (invoice_id, employee_id) do update set original_amount = invoice_lines.original_amount + excluded.original_amount)
    select amount from owed`.execute(tx)
  const amount = rows.reduce((sum, owed) => sum + owed.amount, 0)
  if (amount === 0) return
  await post(tx, service, [{ invoice_id: id, kind: 'ORIGINAL', amount }])
  await moneyMoved([invoice], { tx, mover: service, intent: 'invoice.fill', event: 'Lines added', now })
}

/** An invoice without a department has everybody whose department has no invoice of its own. */
const inDepartment = (invoice: InvoiceRow) =>
  invoice.department_code !== null
    ? sql`e.department_code = ${invoice.department_code}`
    : sql`(e.department_code is null or e.department_code not in (
        select other.department_code from invoices other where other.employer_id = ${invoice.employer_id}
          and other.company_code = ${invoice.company_code} and other.period_start = ${invoice.period_start} and other.department_code is not null))`

/** Whom an invoice bills: who is paid as often as its pay group, and who is paid as no pay group of the employer is. */
async function paidBy(tx: Tx, invoice: InvoiceRow): Promise<RawBuilder<unknown>> {
  const own = frequencyOf(invoice)
  if (own === null) return sql`true`
  const { rows } = await sql<InvoicedPeriod>`
    select distinct period_start, period_end from invoices
    where employer_id = ${invoice.employer_id} and status = 'DRAFT'`.execute(tx)
  const others = rows.map(frequencyOf).filter((each) => each !== own)
  return sql`(e.pay_frequency is null or e.pay_frequency <> all(${others}::text[]))`
}
