import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { LineId } from '#contract/dashboard.ts'
import { advanceDays, importDays, type InvoiceAge, invoiceAges, recoveryWeeks } from '#domain/dashboard.ts'
import { overdueIn } from '#domain/invoice.ts'
import { usesRequest } from '#domain/transaction.ts'
import { businessDay, startOfDay } from '#server/tables/conditions.ts'
import { strandedRefund } from '#server/tables/credits.ts'
import { debitWithoutAccount } from '#server/tables/debit-accounts.ts'
import type { Database } from '#server/tables/database.ts'
import { pausedSince, reporting } from '#server/tables/employee-states.ts'
import { lmsConfigured } from '#server/tables/employers.ts'
import { waitingImport } from '#server/tables/imports.ts'
import { hasLateFile } from '#server/tables/late-files.ts'
import { inStates } from '#server/tables/invoice-states.ts'

type Sql = RawBuilder<unknown>

/** Measures counted in addition to the lines: those of the plots. */
export type PlotMeasure = 'age' | 'advances' | 'billed' | 'recovered' | 'imports' | 'imports-failed'

/** A measure: rows that each belong to a company, by part; cents. */
interface Measure {
  from: Sql
  where: Sql
  company: readonly [type: Sql, id: Sql]
  part?: Sql
  amount?: Sql
}

const employer = (id: Sql) => [sql`'EMPLOYER'`, id] as const
/** An invoice of any debtor is visible by its employer. */
const ofInvoice = employer(sql.ref('e.employer_id'))
/** The debtor: facts about its other invoices are shown only where the debtor is open. */
const debtor = (alias: string) => [sql.ref(`${alias}.debtor_type`), sql.ref(`${alias}.debtor_id`)] as const
const invoices = sql`invoices e`
/** The owner of a file: its employer, or the organization if no mapping reads it. */
const ofImport = [
  sql`case when e.employer_id is null then 'ORGANIZATION' else 'EMPLOYER' end`,
  sql`coalesce(e.employer_id, e.organization_id)`,
] as const
const outstanding = sql.ref('e.outstanding_amount')

/** The lines of the dashboard, with the same conditions as the filters of their lists. */
const lines: Record<LineId, Measure> = {
  'overdue-invoices': { from: invoices, where: inStates(['OVERDUE']), company: ofInvoice, amount: outstanding },
  'returned-debits': {
    from: invoices,
    where: inStates(['RETURNED', 'PARTIALLY_RETURNED']),
    company: ofInvoice,
    amount: outstanding,
  },
  'stranded-refunds': {
    from: invoices,
    where: strandedRefund,
    company: debtor('e'),
    amount: sql`(select sum(amount - absorbed_amount) from credits
      where invoice_id = e.id and kind = 'REFUND' and state = 'WAITING')`,
  },
  'debits-without-account': { from: invoices, where: debitWithoutAccount, company: debtor('e'), amount: outstanding },
  'flagged-debtors': {
    from: invoices,
    where: sql`(e.debtor_type, e.debtor_id) in (select debtor_type, debtor_id from debtor_flags where resolved_at is null)`,
    company: debtor('e'),
    amount: outstanding,
  },
  'write-offs-to-approve': {
    from: sql`write_offs w join invoices e on e.id = w.invoice_id and e.organization_id = w.organization_id`,
    where: sql`w.status = 'PENDING'`,
    company: ofInvoice,
    amount: sql.ref('w.suggested_amount'),
  },
  'deductions-to-approve': {
    from: sql`deductions d join invoices e on e.id = d.invoice_id and e.organization_id = d.organization_id`,
    where: sql`d.status = 'PENDING'`,
    company: ofInvoice,
    amount: sql`(e.original_amount - e.writeoff_amount)`,
  },
  'pending-repayments': {
    from: sql`repayments e`,
    where: sql`e.reconciliation_status = 'PENDING'`,
    company: debtor('e'),
    amount: sql.ref('e.amount'),
  },
  'failed-repayments': {
    from: sql`repayments e`,
    // The return of failed money needs no attention of its own.
    where: sql`e.reconciliation_status = 'FAILED' and e.origin <> 'RETURN'`,
    company: debtor('e'),
    amount: sql.ref('e.amount'),
  },
  'unallocated-repayments': {
    from: sql`repayments e`,
    where: sql`e.unallocated_amount > 0`,
    company: debtor('e'),
    amount: sql.ref('e.unallocated_amount'),
  },
  'unmatched-bank-results': {
    from: sql`ach_results e left join repayments r on r.id = e.repayment_id`,
    where: sql`e.state = 'UNMATCHED'`,
    // Rows without a debtor are shown to admins only.
    company: [sql`coalesce(r.debtor_type, 'NONE')`, sql`coalesce(r.debtor_id, 0)`],
    // A notice of change has no amount.
    amount: sql`case when e.problem = 'NOTICE_OF_CHANGE' then 0 else e.amount end`,
  },
  'imports-waiting': {
    from: sql`imports e`,
    where: waitingImport,
    company: ofImport,
  },
  'late-files': {
    from: sql`employers e`,
    where: hasLateFile,
    company: employer(sql.ref('e.id')),
  },
  'employers-without-lms': {
    from: sql`employers e`,
    where: sql`e.status = 'INACTIVE' and not (${lmsConfigured})`,
    company: employer(sql.ref('e.id')),
  },
  'reporting-tomorrow': {
    from: sql`employees e
      join work_period_balances b on b.organization_id = e.organization_id and b.employee_id = e.id and b.is_open`,
    where: reporting('TOMORROW'),
    company: ofInvoice,
    amount: sql.ref('b.taken_amount'),
  },
  'paused-long': {
    from: sql`employees e`,
    where: sql`e.status = 'PAUSED' and ${pausedSince('OVER_30_DAYS')}`,
    company: ofInvoice,
  },
}

const late = sql`(business_date() - e.due_date)`
/** The age group of an invoice: the last one whose first day it reached. */
const age = sql`case ${sql.join(
  (Object.entries(invoiceAges) as [InvoiceAge, (typeof invoiceAges)[InvoiceAge]][])
    .toReversed()
    .map(([name, { from }]) =>
      from === null ? sql`else ${sql.lit(name)}` : sql`when ${late} >= ${sql.lit(from)} then ${sql.lit(name)}`,
    ),
  sql` `,
)} end`

/** The first of `days` days, of which today is the last. */
const firstOf = (days: number) => sql`(business_date() - ${sql.lit(days - 1)})`
const thisWeek = sql`date_trunc('week', business_date()::timestamp)::date`
const fellDue = {
  from: invoices,
  where: sql`e.status not in ('DRAFT', 'ON_DEDUCTION_FILE')
    and e.due_date >= ${thisWeek} - ${sql.lit(7 * recoveryWeeks)} and e.due_date < ${thisWeek}`,
  company: ofInvoice,
  part: sql`date_trunc('week', e.due_date::timestamp)::date::text`,
}

const arrived = {
  from: sql`imports e`,
  where: sql`e.received_at >= ${startOfDay(firstOf(importDays))}`,
  company: ofImport,
  part: sql`${businessDay(sql.ref('e.received_at'))}::text`,
}

const plots: Record<PlotMeasure, Measure> = {
  age: {
    from: invoices,
    where: sql`e.outstanding_amount > 0 and e.status in (${sql.join(overdueIn.map((status) => sql.lit(status)))})`,
    company: ofInvoice,
    part: age,
    amount: outstanding,
  },
  advances: {
    from: sql`transactions t join employees e on e.id = t.employee_id and e.organization_id = t.organization_id`,
    where: sql`t.status in (${sql.join(usesRequest.map((status) => sql.lit(status)))}) and t.requested_at >= ${startOfDay(firstOf(advanceDays))}`,
    company: ofInvoice,
    part: sql`${businessDay(sql.ref('t.requested_at'))}::text`,
    amount: sql.ref('t.amount'),
  },
  billed: { ...fellDue, amount: sql.ref('e.invoice_amount') },
  recovered: { ...fellDue, amount: sql`greatest(0, least(e.paid_amount, e.invoice_amount))` },
  imports: arrived,
  'imports-failed': { ...arrived, where: sql`${arrived.where} and e.status = 'FAIL'` },
}

const countedBy = ([measure, { from, where, company, part = sql`''`, amount = sql`0` }]: [string, Measure]) => sql`
  select ${sql.lit(measure)} as measure, ${part} as part, ${company[0]} as company_type, ${company[1]} as company_id,
    count(*)::int as count, coalesce(sum(${amount}), 0)::bigint as amount
  from ${from} where ${where} group by 2, 3, 4`

/**
 * Counts all figures from scratch, per company, per organization with its employers, and in total, in one snapshot; writes only
 * the changed ones. Uses a connection that nobody else counts on.
 */
export const countFigures = (db: Kysely<Database>): Promise<void> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      const measures = [...Object.entries(lines), ...Object.entries(plots)].map(countedBy)
      await sql`
        with counted as materialized (${sql.join(measures, sql` union all `)}),
        fresh as materialized (
          select measure, part, company_type, company_id, count, amount from counted
          union all
          select measure, part, 'ALL', 0, sum(count)::int, sum(amount)::bigint from counted group by measure, part
          union all
          select measure, part, 'WHOLE', coalesce(employer.organization_id, company_id), sum(count)::int, sum(amount)::bigint
          from counted left join employers employer on company_type = 'EMPLOYER' and employer.id = company_id
          where company_type = 'ORGANIZATION' or employer.id is not null group by 1, 2, 4),
        gone as (
          delete from dashboard_figures old where not exists (
            select from fresh where fresh.company_type = old.company_type and fresh.company_id = old.company_id
              and fresh.measure = old.measure and fresh.part = old.part))
        insert into dashboard_figures as old (measure, part, company_type, company_id, count, amount) select * from fresh
        on conflict (company_type, company_id, measure, part) do update set count = excluded.count, amount = excluded.amount
        where (old.count, old.amount) is distinct from (excluded.count, excluded.amount)`.execute(tx)
      await sql`
        insert into dashboard_rounds (counted_at, business_date) values (now(), business_date())
        on conflict (one) do update set counted_at = excluded.counted_at, business_date = excluded.business_date`.execute(tx)
    })
