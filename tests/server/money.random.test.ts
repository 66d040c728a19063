import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays, onOrAfter } from '#domain/calendar.ts'
import { type InvoiceStatus, invoiceStatuses } from '#domain/invoice.ts'
import { mayMove } from '#domain/invoice-life.ts'
import { beginning } from '#server/money/billing/people.ts'
import type { PaymentProcessor } from '#server/money/billing/processor.ts'
import { type Round, type Step, steps as clockSteps } from '#server/money/billing/steps.ts'
import { absorbRefunds } from '#server/money/credits/absorb-refunds.ts'
import type { Tx } from '#server/tables/database.ts'
import { scheduleDebit } from '#server/tables/debits.ts'
import { lockInvoice, saveInvoice } from '#server/tables/invoices.ts'
import { newDebtor, type Someone, someone } from '#tests/support/billing.ts'
import { auditMoney } from '#tests/support/money-audit.ts'
import { createInvoice, setRolloverPercentage } from '#tests/support/money.ts'
import { keyed, type Answer, createServer, type TestServer } from '#tests/support/server.ts'

const steps = Number(process.env['RANDOM_STEPS'] ?? 400)
let server: TestServer
let people: Someone[]
let today: string

beforeAll(async () => {
  server = await createServer()
  people = await Promise.all(['Ada', 'Ben', 'Cleo', 'Dan', 'Eve'].map((name) => someone(server, name)))
  const { rows } = await sql<{ today: string }>`select business_date()::text as today`.execute(server.db)
  today = rows[0]?.today as string
})
afterAll(() => server.close())

/** Seeded random numbers from 0 to 1. */
function chanceOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

// biome-ignore lint/suspicious/noExplicitAny: what an answer holds is the contract's, and checked by the server
type Fact = any

interface World {
  debtor: { debtor_type: 'EMPLOYER' | 'ORGANIZATION'; debtor_id: number }
  invoices: Fact[]
  repayments: Fact[]
  chance: () => number
  pick: <T>(list: readonly T[]) => T
  cents: (max: number) => number
}

/** A random action based on slightly older data; mostly valid, sometimes not. */
const actions: Record<string, (who: Someone, world: World) => Promise<Answer>> = {
  payOldest: (who, { debtor, invoices, cents }) => {
    const open = invoices.filter((each) => each.outstanding_amount > 0)
    return repay(who, debtor, { amount: cents(90_00), expected: seen(open) })
  },
  payExplicitly: (who, { debtor, invoices, pick, cents }) => {
    const parts = [pick(invoices), pick(invoices)].filter((each, at, all) => all.indexOf(each) === at)
    const allocations = parts.map((each) => ({ invoice_id: each.id, amount: cents(70_00) }))
    const amount = allocations.reduce((sum, each) => sum + each.amount, 0) + cents(3)
    return repay(who, debtor, { amount, allocations, expected: seen(parts) })
  },
  payTooMuch: (who, { debtor, invoices, pick, cents }) => {
    const invoice = pick(invoices)
    const amount = Math.max(1, invoice.outstanding_amount) + cents(40_00)
    return repay(who, debtor, { amount, allocations: [{ invoice_id: invoice.id, amount }], expected: seen([invoice]) })
  },
  payBack: (who, { debtor, invoices, pick, cents }) => {
    const invoice = pickPreferred(invoices, pick, (each) => each.outstanding_amount < 0)
    const amount = -Math.min(Math.abs(invoice.outstanding_amount) || 1, cents(30_00))
    return repay(who, debtor, { amount, allocations: [{ invoice_id: invoice.id, amount }], expected: seen([invoice]) })
  },
  editRepayment: (who, { repayments, invoices, pick, cents }) => {
    const { id, version, amount, allocations } = pick(repayments)
    const expected = seen(invoices.filter((each) => allocations.some((one: Fact) => one.invoice_id === each.id)))
    return who.patch(
      `/repayments/${id}`,
      {
        amount: Math.max(1, amount + cents(40_00) - 25_00),
        notes: 'Corrected',
        version,
        expected,
      },
      keyed(),
    )
  },
  allocate: (who, { repayments, invoices, pick, cents }) => {
    const { id, version, amount, allocations } = pick(repayments)
    const invoice = pick(invoices)
    const part = Math.sign(amount) * cents(Math.abs(amount))
    const touched = invoices.filter(
      (each) => each.id === invoice.id || allocations.some((one: Fact) => one.invoice_id === each.id),
    )
    return who.put(
      `/repayments/${id}/allocations`,
      {
        allocations: [{ invoice_id: invoice.id, amount: part }],
        expected: seen(touched),
        version,
      },
      keyed(),
    )
  },
  return: (who, { repayments, invoices, pick, cents, chance }) => {
    const { id, version, amount, returned_amount, allocations, debited_invoice_id } = pick(repayments)
    const left = Math.max(1, amount - returned_amount)
    const part = chance() < 0.5 ? left : cents(left)
    const touched = invoices.filter(
      (each) => each.id === debited_invoice_id || allocations.some((one: Fact) => one.invoice_id === each.id),
    )
    const return_code = pick2(chance, 'R01', 'R10')
    return who.post(`/repayments/${id}/returns`, { return_code, amount: part, expected: seen(touched), version }, keyed())
  },
  returnLate: (who, { repayments, invoices, pick, cents, chance }) => {
    const { id, version, amount, returned_amount, allocations, debited_invoice_id } = pickPreferred(
      repayments,
      pick,
      (each) => each.origin === 'ACH_ENTRY',
    )
    const touched = invoices.filter(
      (each) => each.id === debited_invoice_id || allocations.some((one: Fact) => one.invoice_id === each.id),
    )
    const late = { late: true, reason: 'Told by phone', return_code: pick2(chance, 'R01', 'R10') }
    const part = cents(Math.max(1, amount - returned_amount))
    return who.post(`/repayments/${id}/returns`, { ...late, amount: part, expected: seen(touched), version }, keyed())
  },
  suggestWriteOff: async (who, { invoices, pick, cents }) => {
    const { id, version, outstanding_amount } = pick(invoices)
    const [line] = (await who.get(`/invoices/${id}/lines`)).body.lines
    const suggestions = [{ line_id: line?.id ?? 1, amount: cents(Math.min(20_00, outstanding_amount)), reason: 'FRAUD' }]
    return who.post(`/invoices/${id}/write-offs`, { suggestions, version }, keyed())
  },
  decideWriteOff: async (who, { invoices, pick, cents, chance }) => {
    const invoice = pick(invoices)
    const { write_offs: all } = (await who.get(`/invoices/${invoice.id}/write-offs`)).body
    if (all.length === 0) return who.get(`/invoices/${invoice.id}`)
    const { id, version, status, suggested_amount } = pick<Fact>(all)
    const name = status === 'APPROVED' ? 'reverse' : chance() < 0.8 ? 'approve' : 'reject'
    const body = { reason: 'Decided', version, ...(name === 'reject' ? {} : { expected: seen([invoice]) }) }
    return who.post(
      `/write-offs/${id}/${name}`,
      name === 'approve' ? { ...body, amount: cents(suggested_amount) } : body,
      keyed(),
    )
  },
  close: (who, { invoices, pick }) => act(who, pick(invoices), 'close', {}),
  reopen: (who, { invoices, pick }) =>
    act(
      who,
      pickPreferred(invoices, pick, (each) => each.status === 'CLOSED'),
      'reopen',
      {},
    ),
  collect: (who, { invoices, pick }) =>
    act(
      who,
      pickPreferred(invoices, pick, (each) => each.ach !== null),
      'collect',
      {},
    ),
  retry: (who, { invoices, pick }) =>
    act(
      who,
      pickPreferred(invoices, pick, (each) => each.status.endsWith('RETURNED')),
      'retry',
      {
        debit_date: onOrAfter(addDays(today, 1)),
      },
    ),
  selfPay: (who, { invoices, pick }) => {
    const { id, version } = pickPreferred(invoices, pick, (each) => each.status === 'SCHEDULED')
    return who.patch(`/invoices/${id}`, { payment_method: 'SELF_PAY', version }, keyed())
  },
  editDue: (who, { invoices, pick, chance }) => {
    const { id, version } = pick(invoices)
    return who.patch(`/invoices/${id}`, { due_date: addDays(today, Math.floor(chance() * 30)), version }, keyed())
  },
  refund: (who, { invoices, pick, cents }) => {
    const invoice = pickPreferred(invoices, pick, (each) => each.outstanding_amount < 0)
    return act(who, invoice, 'refund', { amount: cents(Math.abs(invoice.outstanding_amount) || 1) })
  },
  cancelRefund: (who, { invoices, pick }) =>
    act(
      who,
      pickPreferred(invoices, pick, (each) => each.status === 'REFUND_IN_PROGRESS'),
      'cancel-refund',
      {},
    ),
  decide: async (who, { chance, pick }) => {
    const { bank_results: stands } = (await who.get('/bank-results?state=UNMATCHED&limit=50&sort-order=desc')).body
    if (stands.length === 0) return who.get('/bank-results')
    const result = pick<Fact>(stands)
    const touched = result.repayment_id ? await invoicesChangedBy(who, result.repayment_id) : []
    const name = chance() < 0.4 ? 'replace' : chance() < 0.7 ? 'book' : 'dismiss'
    const seen_ = name === 'dismiss' ? {} : { expected: seen(touched) }
    return who.post(`/bank-results/${result.id}/${name}`, { reason: 'Decided', version: result.version, ...seen_ }, keyed())
  },
  rollOver: async (who, { invoices, pick, cents }) => {
    const invoice = pickPreferred(invoices, pick, (each) => each.outstanding_amount < 0)
    const { next_invoice: next, rollover_limit } = (await who.get(`/invoices/${invoice.id}/overpayment`)).body
    return who.post(
      `/invoices/${invoice.id}/rollover`,
      {
        amount: cents(rollover_limit || 1),
        expected: seen(next ? [invoice, next] : [invoice]),
      },
      keyed(),
    )
  },
}

const invoicesChangedBy = async (who: Someone, repaymentId: number): Promise<Fact[]> => {
  const { allocations } = (await who.get(`/repayments/${repaymentId}`)).body
  return Promise.all(allocations.map(async (each: Fact) => (await who.get(`/invoices/${each.invoice_id}`)).body))
}
const seen = (rows: readonly Fact[]) => Object.fromEntries(rows.map((each) => [each.id, each.version]))
const pick2 = (chance: () => number, one: string, other: string) => (chance() < 0.5 ? one : other)
const pickPreferred = (rows: Fact[], pick: World['pick'], wanted: (row: Fact) => boolean): Fact => {
  const found = rows.filter(wanted)
  return pick(found.length > 0 ? found : rows)
}
const act = (who: Someone, invoice: Fact, name: string, body: Record<string, unknown>) =>
  who.post(`/invoices/${invoice.id}/${name}`, { ...body, version: invoice.version }, keyed())
const repay = (who: Someone, debtor: World['debtor'], body: Record<string, unknown>) =>
  who.post('/repayments', { ...debtor, repayment_date: today, ...body }, keyed())

const step = (name: string) => clockSteps.find((each) => each.name === name) as Step

/** Errors in the submitted debits. */
const doubleDebits: string[] = []

/**
 * An independent model of the bank: a debited amount is owed, and not in flight in another unanswered debit. It is computed from
 * the bank's side: what was submitted, less returns that were not dishonored, until it settled.
 */
const processor: PaymentProcessor = {
  submit: async (tx, [order]) => {
    const { rows } = await sql<{ number: number; owed: number; flying: number }>`
      select i.id as number, i.outstanding_amount as owed, coalesce((
        select sum(other.amount - coalesce((select sum(said.amount) from ach_results said where said.trace_number = other.trace_number
          and said.state = 'BOOKED' and said.code <> 'SETTLED' and said.code not between 'R61' and 'R70'), 0)
          + coalesce((select sum(said.amount) from ach_results said where said.trace_number = other.trace_number
          and said.state = 'BOOKED' and said.code between 'R61' and 'R70'), 0))
        from ach_debits other where other.invoice_id = i.id and other.trace_number is not null and other.id <> debit.id
          and other.settled_on is null), 0)::bigint as flying
      from ach_debits debit join invoices i on i.id = debit.invoice_id where debit.trace_number = ${order?.trace_number as string}`.execute(
      tx,
    )
    const [seen] = rows
    if (!seen || !order || order.amount > seen.owed - seen.flying)
      doubleDebits.push(`${order?.amount} debited of INV-${seen?.number}, which owes ${seen?.owed}, ${seen?.flying} in flight`)
  },
}

/** A result of the bank for one of its debits: mostly valid, sometimes not. */
async function bankSays(tx: Tx, invoiceId: number, { chance, pick }: World): Promise<void> {
  const { rows } = await sql<{ trace: string; amount: number; came: number[] }>`
    select trace_number as trace, amount, coalesce((select array_agg(-back.amount) from repayments back
      where back.returns_id = debit.repayment_id), '{}') as came
    from ach_debits debit where invoice_id = ${invoiceId} and trace_number is not null`.execute(tx)
  if (rows.length === 0) return
  const { trace, amount, came } = pick(rows)
  const part = 1 + Math.floor(chance() * amount)
  // Returned once: the amount of a dishonor and of a contest.
  const back = Number(came.length > 0 ? pick(came) : part)
  const said = pick([
    ['SETTLED', amount],
    ['SETTLED', amount],
    ['SETTLED', part],
    ['R01', amount],
    ['R01', part],
    ['R02', 5_00],
    ['R10', part],
    ['R12', part],
    ['R67', back],
    ['r68', back],
    ['R61', part],
    ['R73', back],
    ['R77', back],
    ['C01', 0],
    ['C03', amount],
    ['R99', 1_00],
  ] as const)
  const { rows: filed } = await sql<{ id: number }>`
    insert into ach_results (trace_number, code, amount, addenda, effective_date)
    values (${chance() < 0.9 ? trace : '999'}, ${said[0]}, ${said[1]}, ${pick(['', 'told', 'again'])}, ${today})
    on conflict do nothing returning id`.execute(tx)
  if (filed[0]) await step('take a result').runStep(tx, String(filed[0].id), roundOn(today), beginning)
}

const roundOn = (day: string): Round => ({ share: null, today: day, now: new Date(), processor, filled: new Set(), worked: 0 })

/** Moves an invoice by clock and processor, as the service does. */
async function time(tx: Tx, id: number, world: World): Promise<void> {
  const { chance } = world
  const now = new Date()
  const { rows } = await sql<{ status: string }>`select status from invoices where id = ${id}`.execute(tx)
  if (rows[0]?.status === 'DRAFT') {
    const invoice = await absorbRefunds(tx, id, now)
    if (invoice) await saveInvoice(tx, invoice, { status: 'ON_DEDUCTION_FILE' }, now)
    return
  }
  if (chance() < 0.6) return bankSays(tx, id, world)
  const invoice = await lockInvoice(tx, null, id)
  if (!invoice) return
  if (invoice.status === 'ON_DEDUCTION_FILE') await saveInvoice(tx, invoice, { status: 'DEDUCTION_APPROVED' }, now)
  if (invoice.status === 'DEDUCTION_APPROVED') {
    if (chance() < 0.5 || invoice.outstanding_amount <= 0) return saveInvoice(tx, invoice, { status: 'SENT' }, now)
    await scheduleDebit(tx, invoice, today, 0)
    return saveInvoice(tx, invoice, { status: 'SCHEDULED' }, now)
  }
  // A retry is scheduled for one of the next days.
  if (invoice.status === 'SCHEDULED') await step('submit').runStep(tx, String(id), roundOn(addDays(today, 10)), beginning)
}

test.each([1, 2])(
  '[INV-018] [CONST-009] whatever people and the clock do concurrently, totals equal their ledgers (seed %i)',
  async (seed) => {
    // The second time the server alone adds up entries, as in a distributed database, and not the trigger for other statements.
    if (seed === 2) await sql`drop trigger derive_totals on ledger_entries`.execute(server.owner)
    const chance = chanceOf(seed)
    const { employerId, organizationId } = await newDebtor(server, `Random ${seed}`)
    await setRolloverPercentage(server.db, { organizationId }, 1000)
    const debtor =
      seed % 2 === 0
        ? { debtor_type: 'ORGANIZATION' as const, debtor_id: organizationId }
        : { debtor_type: 'EMPLOYER' as const, debtor_id: employerId }
    const create = (status: InvoiceStatus, dueDate: number) =>
      createInvoice(server.db, {
        employerId,
        debtor: { type: debtor.debtor_type, id: debtor.debtor_id },
        original: 20_00 + Math.floor(chance() * 60_00),
        status,
        dueDate,
      })
    const ids: number[] = []
    for (const [at, status] of (['SENT', 'SENT', 'SENT', 'SCHEDULED', 'PROCESSING', 'DRAFT', 'DRAFT'] as const).entries())
      ids.push((await create(status, at - 2)).id)
    const pick = <T>(list: readonly T[]): T => list[Math.floor(chance() * list.length)] as T
    const cents = (max: number) => 1 + Math.floor(chance() * Math.max(1, max))
    const read = async (who: Someone): Promise<Pick<World, 'invoices' | 'repayments'>> => {
      const invoices = await Promise.all(ids.map(async (id) => (await who.get(`/invoices/${id}`)).body))
      const { repayments } = (await who.get(`/repayments?debtor-id=${debtor.debtor_id}&limit=20&sort-order=desc`)).body
      return {
        invoices,
        repayments: repayments.length > 0 ? repayments : [{ id: 1, version: 1, amount: 1, returned_amount: 0, allocations: [] }],
      }
    }
    const outcome: Record<string, number> = {}
    const count = (name: string) => {
      outcome[name] = (outcome[name] ?? 0) + 1
    }
    for (let step = 0; step < steps; step += people.length) {
      const world: World = { debtor, ...(await read(people[0] as Someone)), chance, pick, cents }
      await Promise.all([
        ...people.map(async (who) => {
          const [name, deed] = pick(Object.entries(actions))
          const answer = await deed(who, world)
          expect(answer.status, `${name}: ${JSON.stringify(answer.body)}`).toBeLessThan(500)
          count(answer.status < 300 ? name : `refused: ${answer.body.code}`)
        }),
        withRetries(() => server.db.transaction().execute((tx) => time(tx, pick(ids), world))),
      ])
      if (step % 100 === 0) ids.push((await create('DRAFT', 5 + step)).id)
    }
    expect(await auditMoney(server.db)).toEqual([])
    expect(doubleDebits).toEqual([])
    expect(await invalidTransitions()).toEqual([])
    expect(await invalidStates()).toEqual([])
    expect(await wrongFiles(people[0] as Someone, ids)).toEqual([])
    const done = Object.keys(actions).filter((name) => outcome[name])
    expect(done.length, JSON.stringify(outcome)).toBeGreaterThanOrEqual(steps >= 400 ? 12 : 1)
  },
  Math.max(300_000, steps * 1_000),
)

/** Retries the clock after a conflict with a person, as its job does. */
async function withRetries(work: () => Promise<void>, tries = 5): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (tries === 0 || !['40P01', '40001'].includes((error as { code?: string }).code ?? '')) throw error
    await withRetries(work, tries - 1)
  }
}

/** Paid with something outstanding that nobody closed, or refunded with something left (docs/rules/invoices.md). */
async function invalidStates(): Promise<string[]> {
  const { rows } = await sql<{ id: number; status: string; outstanding_amount: number }>`
    select id, status, outstanding_amount from invoices
    where (status = 'CLOSED' and outstanding_amount > 0 and closed_by is null)
      or (status = 'REFUNDED' and outstanding_amount <> 0)
      or (status = 'REFUND_IN_PROGRESS' and outstanding_amount > 0) or invoice_amount < 0`.execute(server.db)
  return rows.map((row) => `INV-${row.id} is ${invoiceStatuses.label(row.status)} with ${row.outstanding_amount} outstanding`)
}

/** Changes of status in the histories that are no transition of the table. */
async function invalidTransitions(): Promise<string[]> {
  const { rows } = await sql<{ entity_id: string; intent: string; was: string; is: string }>`
    select entity_id, intent, before ->> 'status' as was, after ->> 'status' as is from audit_events
    where entity = 'invoice' and before ->> 'status' <> after ->> 'status'`.execute(server.db)
  // One event may contain two transitions of a transaction, such as a rollover that also closes the invoice.
  const isReachable = (was: string, is: string) =>
    mayMove(was, is) || invoiceStatuses.values.some((between) => mayMove(was, between) && mayMove(between, is))
  return rows
    .filter((row) => !isReachable(row.was, row.is))
    .map(
      (row) =>
        `INV-${row.entity_id}: ${row.intent} took it from ${invoiceStatuses.label(row.was)} to ${invoiceStatuses.label(row.is)}`,
    )
}

/** Invoices whose CSV does not add up to the invoice, to the cent. */
async function wrongFiles(who: Someone, ids: readonly number[]): Promise<string[]> {
  const wrong: string[] = []
  for (const id of ids) {
    const { invoice_amount, number } = (await who.get(`/invoices/${id}`)).body
    const answer = await fetch(`${server.origin}/api/invoices/${id}/download?format=csv`, { headers: who.headers })
    const [, ...rows] = (await answer.text()).trimEnd().split('\r\n')
    const billed = rows.reduce((sum, row) => sum + Math.round(Number(row.split(',').at(-1)) * 100), 0)
    if (billed !== invoice_amount) wrong.push(`${number} comes to ${invoice_amount}, its file to ${billed}`)
  }
  return wrong
}
