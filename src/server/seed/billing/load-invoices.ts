import { sql } from 'kysely'
import type { Load } from '#server/seed/load.ts'
import type { Tx } from '#server/tables/database.ts'

/** Staff who work on invoices in the demo: one suggests, the other decides. */
export interface BillingStaff {
  suggester: { id: string; name: string }
  decider: { id: string; name: string }
}

/** Midnight of the business day; nothing in the demo happened later. */
export const notLaterThan = (today: string) => sql`(${today}::date + interval '5 hours')`

/** Selects the invoices with notes, into the table `noted`. */
export const seedNoted = async (tx: Tx): Promise<void> =>
  void (await sql`
    create unlogged table noted as
    select id, 1 + (id % 3 = 0)::int as notes from billed where status <> 'DRAFT' and pg_temp.chance(id, 301) < 0.02`.execute(tx))

/** Loads invoices with their totals from the ledger, and their lines, deductions, write-offs and notes. */
export const invoiceLoads = (today: string, staff: BillingStaff): Load[] => [
  { table: 'invoice_lines', load: (tx) => loadLines(tx, today) },
  { table: 'invoices', load: (tx) => loadInvoices(tx, today, staff) },
  { table: 'deductions', load: (tx) => loadDeductions(tx, today, staff) },
  { table: 'write_offs', load: (tx) => loadWriteOffs(tx, today, staff) },
  { table: 'notes', load: (tx) => loadNotes(tx, today, staff) },
]

const loadInvoices = async (tx: Tx, today: string, { decider }: BillingStaff): Promise<void> =>
  void (await sql`
    insert into invoices (id, organization_id, employer_id, debtor_type, debtor_id, status, company_code, department_code, payment_method,
      confirmation_flow, auto_approve_ewa_file, period_start, period_end, issue_date, report_date, due_date, original_amount,
      writeoff_amount, rollover_amount, rollover_out_amount, paid_amount, has_notes, closed_at, closed_by, closed_by_name, created_at, updated_at, version)
    select id, organization_id, employer_id, debtor_type, debtor_id, status, company_code, case when part < parts then department end, payment_method,
      confirmation_flow, auto_approve, period_start, period_end, issue_date, report_date, due_date, coalesce(total.original, 0),
      coalesce(total.writeoff, 0), coalesce(rollover_in, 0), coalesce(rollover_out, 0), coalesce(paid, 0), noted.id is not null,
      case when status in ('CLOSED', 'REFUNDED', 'REFUND_IN_PROGRESS') then last_on + interval '14 hours' end,
      case when by_hand then ${decider.id} end, case when by_hand then ${decider.name} end,
      least(period_start - (period_end - period_start), ${today}::date - 1) + interval '9 hours',
      least(greatest(last_on, report_date, period_start - 5) + interval '15 hours', ${notLaterThan(today)}),
      case status when 'DRAFT' then 1 when 'ON_DEDUCTION_FILE' then 2 when 'DEDUCTION_APPROVED' then 3 when 'SCHEDULED' then 4
        when 'SENT' then 4 else 5 end
    from billed
    left join (select invoice_id, max(on_date) as last_on,
        sum(amount) filter (where kind = 'ORIGINAL') as original, sum(amount) filter (where kind = 'WRITE_OFF') as writeoff,
        sum(amount) filter (where kind = 'ROLLOVER_IN') as rollover_in, sum(amount) filter (where kind = 'ROLLOVER_OUT') as rollover_out,
        sum(case kind when 'PAYMENT' then amount else -amount end) filter (where kind in ('PAYMENT', 'RETURN', 'ROLLOVER_OUT')) as paid
      from entries_made group by invoice_id) total on total.invoice_id = billed.id
    left join noted using (id)
    cross join lateral (select (array['ADMIN', 'CARE-1', 'CARE-2', 'CLEAN', 'FRONT'])[part] as department) named
    cross join lateral (select fate = 'SHORT' and payment_method = 'SELF_PAY' and status = 'CLOSED' as by_hand) ended
    order by id`.execute(tx))

const loadLines = async (tx: Tx, today: string): Promise<void> =>
  void (await sql`
    insert into invoice_lines (id, organization_id, invoice_id, employee_id, department_code, original_amount, writeoff_amount, withheld_amount)
    select line_id, asked.organization_id, lines_made.invoice_id, employee_id, department_code, lines_made.amount, coalesce(written.amount, 0),
      case when confirmed then (lines_made.amount - coalesce(written.amount, 0)) * case when pg_temp.chance(line_id, 305) < 0.96 then 100 else 40 end / 100 end
    from lines_made
    left join (select line_id, approved_amount as amount from write_offs_made where status = 'APPROVED') written using (line_id)
    join (select id, organization_id, ${confirmed(today)} as confirmed from billed) asked on asked.id = lines_made.invoice_id`.execute(
    tx,
  ))

/** One for each invoice past DRAFT, in the state that follows from its dates. */
async function loadDeductions(tx: Tx, today: string, staff: BillingStaff): Promise<void> {
  const decider = sql`case when auto_approve then 'service' else ${staff.decider.id} end,
    case when auto_approve then 'System' else ${staff.decider.name} end`
  await sql`
    insert into deductions (organization_id, invoice_id, status, file_name, approved_by, approved_by_name, approved_at, delivered_at, confirmed_at,
      confirmations, created_at, updated_at, version)
    select organization_id, id, state, case when state in ('DELIVERED', 'WAITING_CONFIRMATION') then
        translate(lower(code), '-', '') || '-' || id || '_' || to_char(report_date, 'YYYYMMDD') || '_ewa.csv' end,
      case when state <> 'PENDING' then approver end, case when state <> 'PENDING' then approver_name end,
      case when state <> 'PENDING' then least(approved_on + interval '16 hours', ${notLaterThan(today)}) end,
      case when state in ('DELIVERED', 'WAITING_CONFIRMATION') then least(approved_on + interval '17 hours', ${notLaterThan(today)}) end,
      case when state = 'DELIVERED' and confirmation_flow <> 'NONE' then least(approved_on + interval '6 days', ${notLaterThan(today)}) end,
      case when state = 'DELIVERED' and confirmation_flow <> 'NONE' then case confirmation_flow when 'MULTIPLE' then 2 else 1 end else 0 end,
      report_date + interval '6 hours', least(greatest(report_date, approved_on) + interval '17 hours', ${notLaterThan(today)}),
      case state when 'PENDING' then 1 when 'APPROVED' then 2 when 'WAITING_CONFIRMATION' then 3 else 4 end
    from billed
    cross join lateral (select ${decider}) as who(approver, approver_name)
    cross join lateral (select case
      when approved_on > ${today}::date then 'PENDING'
      when approved_on > ${today}::date - 4 and pg_temp.chance(id, 306) < 0.4 then 'APPROVED'
      when confirmation_flow <> 'NONE' and not ${confirmed(today)} then 'WAITING_CONFIRMATION' else 'DELIVERED' end as state) deduction
    where status <> 'DRAFT' order by id`.execute(tx)
}

/** When the employer confirmed what it withheld: within ten days, or later. */
const confirmed = (today: string) =>
  sql`(confirmation_flow <> 'NONE' and approved_on <= ${today}::date - case when pg_temp.chance(batch, 304) < 0.9 then 10 else 25 end)`

async function loadWriteOffs(tx: Tx, today: string, { suggester, decider }: BillingStaff): Promise<void> {
  await sql`
    insert into write_offs (id, organization_id, invoice_id, line_id, suggested_amount, approved_amount, reason, details, status, suggested_by,
      suggested_by_name, suggested_at, decided_by, decided_by_name, decided_at, decision_reason, comments, updated_at, version)
    select write_off_id, organization_id, invoice_id, line_id, suggested, approved_amount, reason,
      case when write_off_id % 3 = 0 then 'The employer confirmed this by phone.' end, status, ${suggester.id}, ${suggester.name},
      least(report_date + interval '10 hours', ${notLaterThan(today)}), case when status <> 'PENDING' then ${decider.id} end,
      case when status <> 'PENDING' then ${decider.name} end,
      case when status <> 'PENDING' then least(report_date + interval '15 hours', ${notLaterThan(today)}) end,
      case status when 'REJECTED' then 'It can still be withheld.' when 'PENDING' then null else 'Agreed with the employer.' end,
      case status when 'REJECTED' then 'The wages are enough: withhold it in the next period.' when 'REVERSED' then 'The employee came back.' end,
      least(report_date + interval '15 hours', ${notLaterThan(today)}), case status when 'PENDING' then 1 when 'REVERSED' then 3 else 2 end
    from write_offs_made join (select id as invoice_id, organization_id from billed) invoice using (invoice_id) order by write_off_id`.execute(
    tx,
  )
}

const loadNotes = async (tx: Tx, today: string, { suggester, decider }: BillingStaff): Promise<void> =>
  void (await sql`
    insert into notes (entity_type, entity_id, text, user_id, user_name, created_at)
    select 'invoice', billed.id::text, (array['The payroll contact asked for the list by department.', 'Pays by check: allow a few days more.',
        'Asked the employer about two names on the file.', 'The due date was agreed with the controller.',
        'Wrong descriptor on the last payment; see the repayment.', 'Waiting for the answer of their bank.'])[1 + floor(pg_temp.chance(billed.id, 310 + nth) * 6)::int],
      author.id, author.name, least(report_date + nth * interval '20 hours', ${notLaterThan(today)})
    from billed join noted using (id) cross join lateral generate_series(1, notes) as nth
    cross join lateral (select case when nth = 1 then ${suggester.id} else ${decider.id} end as id,
      case when nth = 1 then ${suggester.name} else ${decider.name} end as name) author
    order by billed.id, nth`.execute(tx))
