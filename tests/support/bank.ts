import { type Kysely, sql } from 'kysely'
import { onOrAfter } from '#domain/calendar.ts'
import { type ClockOptions, moveInvoices, type Summary } from '#server/money/billing/clock.ts'
import type { DebitOrder, PaymentProcessor } from '#server/money/billing/processor.ts'
import type { Database } from '#server/tables/database.ts'
import { createBillingAccount, createInvoice, type InvoiceInput } from '#tests/support/money.ts'

type Db = Kysely<Database>

/** Sets the business date, independent of real time. */
export const setToday = (db: Db, today: string) =>
  sql`update settings set value = (value::int + (${today}::date - business_date()))::text where name = 'demo-offset-days'`.execute(
    db,
  )

/** Moves the business date forward to a day on which the bank works. */
export async function setBusinessDay(db: Db): Promise<void> {
  const { rows } = await sql<{ today: string }>`select to_char(business_date(), 'YYYY-MM-DD') as today`.execute(db)
  await setToday(db, onOrAfter(rows[0]?.today as string))
}

/** A result of the bank for a debit; cents. */
export interface Said {
  trace: string
  /** SETTLED, or a return code. */
  code: string
  amount: number
  addenda?: string
  /** `yyyy-MM-dd`; by default the business date. */
  on?: string
}

/** A bank that takes debits, and returns only the results that a test gives it. */
export interface TestBank {
  /** Every submitted debit, in order. */
  debits: DebitOrder[]
  /** Files a result, and runs the clock to read it if it is due. */
  says: (...said: Said[]) => Promise<Summary>
  /** One round of the clock, by default on the business date. */
  round: (options?: ClockOptions) => Promise<Summary>
}

export function bankOf(db: Db): TestBank {
  const debits: DebitOrder[] = []
  const processor: PaymentProcessor = {
    submit: async (_, orders) => {
      debits.push(...orders)
    },
  }
  const round = (options?: ClockOptions) => moveInvoices({ db }, { processor, ...options })
  return {
    debits,
    round,
    says: async (...said) => {
      for (const { trace, code, amount, addenda = '', on } of said)
        await sql`insert into ach_results (trace_number, code, amount, addenda, effective_date)
          values (${trace}, ${code}, ${amount}, ${addenda}, coalesce(${on ?? null}::date, business_date()))
          on conflict do nothing`.execute(db)
      return round()
    },
  }
}

/** Gives the organization of an employer a billing account, if it has none. */
export async function ensureAccount(db: Db, employerId: number): Promise<void> {
  const { rows } = await sql<{ organization_id: number; accounts: number }>`
    select organization_id, (select count(*)::int from billing_accounts account
      where account.organization_id = employers.organization_id and account.status = 'ACTIVE') as accounts
    from employers where id = ${employerId}`.execute(db)
  for (const { organization_id, accounts } of rows)
    if (accounts === 0) await createBillingAccount(db, { organizationId: organization_id })
}

/** An invoice of an employer or the given debtor, $100.00 by default, whose debit was submitted today. */
export async function debitedInvoice(
  db: Db,
  bank: TestBank,
  employerId: number,
  original = 100_00,
  debtor?: InvoiceInput['debtor'],
): Promise<{ id: number; trace: string; repaymentId: number }> {
  const { id } = await createInvoice(db, { employerId, original, status: 'SCHEDULED', debtor })
  await sql`update ach_debits set debit_date = business_date() where invoice_id = ${id}`.execute(db)
  await ensureAccount(db, employerId)
  await bank.round()
  const { rows } = await sql<{ repayment_id: number; trace_number: string }>`
    select repayment_id, trace_number from ach_debits where invoice_id = ${id}`.execute(db)
  const [debit] = rows
  if (!debit) throw new Error(`INV-${id} was not debited.`)
  return { id, trace: debit.trace_number, repaymentId: debit.repayment_id }
}
