import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays, onOrAfter } from '#domain/calendar.ts'
import { invoiceStatuses } from '#domain/invoice.ts'
import { mayMove } from '#domain/invoice-life.ts'
import { labelOf } from '#domain/status.ts'
import { absorbRefunds } from '#server/credits/absorb-refunds.ts'
import { addAchRepayment, settleAch } from '#server/repayments/ach.ts'
import { returnRepayment } from '#server/repayments/return.ts'
import type { Tx } from '#server/route.ts'
import { lockInvoices, saveInvoice } from '#server/tables/invoices.ts'
import { service } from '#server/tables/ledger.ts'
import { newDebtor, type Someone, someone } from '#tests/support/billing.ts'
import { auditMoney } from '#tests/support/money-audit.ts'
import { createInvoice, setRolloverPercentage } from '#tests/support/money.ts'
import { type Answer, createServer, type TestServer } from '#tests/support/server.ts'

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

/** Numbers from 0 to 1 that are the same for the same seed. */
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
  cents: (most: number) => number
}

/** What a person does with what was seen a moment ago; most of it is possible, some is not. */
const deeds: Record<string, (who: Someone, world: World) => Promise<Answer>> = {
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
    const invoice = preferring(invoices, pick, (each) => each.outstanding_amount < 0)
    const amount = -Math.min(Math.abs(invoice.outstanding_amount) || 1, cents(30_00))
    return repay(who, debtor, { amount, allocations: [{ invoice_id: invoice.id, amount }], expected: seen([invoice]) })
  },
  editRepayment: (who, { repayments, invoices, pick, cents }) => {
    const { id, version, amount, allocations } = pick(repayments)
    const expected = seen(invoices.filter((each) => allocations.some((one: Fact) => one.invoice_id === each.id)))
    return who.patch(`/repayments/${id}`, {
      amount: Math.max(1, amount + cents(40_00) - 25_00),
      notes: 'Corrected',
      version,
      expected,
    })
  },
  allocate: (who, { repayments, invoices, pick, cents }) => {
    const { id, version, amount, allocations } = pick(repayments)
    const invoice = pick(invoices)
    const part = Math.sign(amount) * cents(Math.abs(amount))
    const touched = invoices.filter(
      (each) => each.id === invoice.id || allocations.some((one: Fact) => one.invoice_id === each.id),
    )
    return who.put(`/repayments/${id}/allocations`, {
      allocations: [{ invoice_id: invoice.id, amount: part }],
      expected: seen(touched),
      version,
    })
  },
  return: (who, { repayments, pick, cents, chance }) => {
    const { id, version, amount, returned_amount } = pick(repayments)
    const left = Math.max(1, amount - returned_amount)
    const part = chance() < 0.5 ? left : cents(left)
    return who.post(`/repayments/${id}/returns`, { return_code: pick2(chance, 'R01', 'R10'), amount: part, version })
  },
  close: (who, { invoices, pick }) => act(who, pick(invoices), 'close', {}),
  reopen: (who, { invoices, pick }) =>
    act(
      who,
      preferring(invoices, pick, (each) => each.status === 'CLOSED'),
      'reopen',
      {},
    ),
  collect: (who, { invoices, pick }) =>
    act(
      who,
      preferring(invoices, pick, (each) => each.ach !== null),
      'collect',
      {},
    ),
  retry: (who, { invoices, pick }) =>
    act(
      who,
      preferring(invoices, pick, (each) => each.status.endsWith('RETURNED')),
      'retry',
      {
        debit_date: onOrAfter(addDays(today, 1)),
      },
    ),
  selfPay: (who, { invoices, pick }) => {
    const { id, version } = preferring(invoices, pick, (each) => each.status === 'SCHEDULED')
    return who.patch(`/invoices/${id}`, { payment_method: 'SELF_PAY', version })
  },
  editDue: (who, { invoices, pick, chance }) => {
    const { id, version } = pick(invoices)
    return who.patch(`/invoices/${id}`, { due_date: addDays(today, Math.floor(chance() * 30)), version })
  },
  refund: (who, { invoices, pick, cents }) => {
    const invoice = preferring(invoices, pick, (each) => each.outstanding_amount < 0)
    return act(who, invoice, 'refund', { amount: cents(Math.abs(invoice.outstanding_amount) || 1) })
  },
  cancelRefund: (who, { invoices, pick }) =>
    act(
      who,
      preferring(invoices, pick, (each) => each.status === 'REFUND_IN_PROGRESS'),
      'cancel-refund',
      {},
    ),
  rollOver: async (who, { invoices, pick, cents }) => {
    const invoice = preferring(invoices, pick, (each) => each.outstanding_amount < 0)
    const { next_invoice: next, rollover_limit } = (await who.get(`/invoices/${invoice.id}/overpayment`)).body
    return who.post(`/invoices/${invoice.id}/rollover`, {
      amount: cents(rollover_limit || 1),
      expected: seen(next ? [invoice, next] : [invoice]),
    })
  },
}

const seen = (rows: readonly Fact[]) => Object.fromEntries(rows.map((each) => [each.id, each.version]))
const pick2 = (chance: () => number, one: string, other: string) => (chance() < 0.5 ? one : other)
const preferring = (rows: Fact[], pick: World['pick'], wanted: (row: Fact) => boolean): Fact => {
  const found = rows.filter(wanted)
  return pick(found.length > 0 ? found : rows)
}
const act = (who: Someone, invoice: Fact, name: string, body: Record<string, unknown>) =>
  who.post(`/invoices/${invoice.id}/${name}`, { ...body, version: invoice.version })
const repay = (who: Someone, debtor: World['debtor'], body: Record<string, unknown>) =>
  who.post('/repayments', { ...debtor, repayment_date: today, ...body })

/** What time and the processor do to an invoice meanwhile, as the service does it. */
async function time(tx: Tx, id: number, { chance }: World): Promise<void> {
  const now = new Date()
  const { rows } = await sql<{ status: string; repayment_id: number | null }>`
    select i.status, (select repayment_id from ach_debits where invoice_id = i.id order by id desc limit 1) as repayment_id
    from invoices i where i.id = ${id}`.execute(tx)
  const { status, repayment_id } = rows[0] as { status: string; repayment_id: number | null }
  if (status === 'DRAFT') {
    const invoice = await absorbRefunds(tx, id, now)
    if (invoice) await saveInvoice(tx, id, { status: 'ON_DEDUCTION_FILE' }, now)
    return
  }
  if (repayment_id !== null && chance() < 0.7) {
    if (chance() < 0.6) return settleAch(tx, repayment_id, today, now)
    const part = { return_code: pick2(chance, 'R01', 'R02'), amount: 1 + Math.floor(chance() * 9_00), addenda: null, on: today }
    const row = await sql<{ amount: number }>`select amount - coalesce((select -sum(amount) from repayments back
      where back.returns_id = r.id), 0)::bigint as amount from repayments r where id = ${repayment_id} for update`.execute(tx)
    const left = row.rows[0]?.amount ?? 0
    if (left > 0) {
      const amount = chance() < 0.5 ? left : Math.min(left, part.amount)
      await returnRepayment(tx, service, repayment_id, { ...part, amount }, now)
    }
    return
  }
  const [invoice] = await lockInvoices(tx, null, [id])
  if (!invoice) return
  if (invoice.status === 'ON_DEDUCTION_FILE') await saveInvoice(tx, id, { status: 'DEDUCTION_APPROVED' }, now)
  if (invoice.status === 'DEDUCTION_APPROVED') {
    if (chance() < 0.5 || invoice.outstanding_amount <= 0) return saveInvoice(tx, id, { status: 'SENT' }, now)
    await sql`insert into ach_debits (invoice_id, amount, debit_date) values (${id}, ${invoice.outstanding_amount}, ${today})`.execute(
      tx,
    )
    return saveInvoice(tx, id, { status: 'SCHEDULED' }, now)
  }
  if (invoice.status !== 'SCHEDULED') return
  const debit = await sql<{ id: number; amount: number; debit_date: string }>`
    update ach_debits set state = 'SUBMITTED', submitted_on = ${today} where invoice_id = ${id} and state = 'SCHEDULED'
    returning id, amount, debit_date`.execute(tx)
  if (!debit.rows[0]) return
  await addAchRepayment(tx, invoice, debit.rows[0])
  await saveInvoice(tx, id, { status: 'PROCESSING' }, now)
}

test.each([1, 2])(
  '[INV-018] [CONST-009] whatever several people and the clock do at once, every total is the sum of its ledger (seed %i)',
  async (seed) => {
    const chance = chanceOf(seed)
    const { employerId, organizationId } = await newDebtor(server, `Random ${seed}`)
    await setRolloverPercentage(server.db, { organizationId }, 1000)
    const debtor =
      seed % 2 === 0
        ? { debtor_type: 'ORGANIZATION' as const, debtor_id: organizationId }
        : { debtor_type: 'EMPLOYER' as const, debtor_id: employerId }
    const create = (status: (typeof invoiceStatuses)[number], dueDate: number) =>
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
    const cents = (most: number) => 1 + Math.floor(chance() * Math.max(1, most))
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
          const [name, deed] = pick(Object.entries(deeds))
          const answer = await deed(who, world)
          expect(answer.status, `${name}: ${JSON.stringify(answer.body)}`).toBeLessThan(500)
          count(answer.status < 300 ? name : `refused: ${answer.body.code}`)
        }),
        patiently(() => server.db.transaction().execute((tx) => time(tx, pick(ids), world))),
      ])
      if (step % 100 === 0) ids.push((await create('DRAFT', 5 + step)).id)
    }
    expect(await auditMoney(server.db)).toEqual([])
    expect(await strayMoves()).toEqual([])
    expect(await strayStates()).toEqual([])
    const done = Object.keys(deeds).filter((name) => outcome[name])
    expect(done.length, JSON.stringify(outcome)).toBeGreaterThanOrEqual(steps >= 400 ? 12 : 1)
  },
  300_000,
)

/** The clock is tried again when it and a person got in each other's way, as its job is. */
async function patiently(work: () => Promise<void>, tries = 5): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (tries === 0 || !['40P01', '40001'].includes((error as { code?: string }).code ?? '')) throw error
    await patiently(work, tries - 1)
  }
}

/** Paid although something is owed and nobody closed it, or refunded although something is left: decisions section 2. */
async function strayStates(): Promise<string[]> {
  const { rows } = await sql<{ id: number; status: string; outstanding_amount: number }>`
    select id, status, outstanding_amount from invoices
    where (status = 'CLOSED' and outstanding_amount > 0 and closed_by is null)
      or (status = 'REFUNDED' and outstanding_amount <> 0)
      or (status = 'REFUND_IN_PROGRESS' and outstanding_amount > 0)`.execute(server.db)
  return rows.map((row) => `INV-${row.id} is ${labelOf(row.status)} with ${row.outstanding_amount} outstanding`)
}

/** What the histories tell of an invoice's status that is not a step of the table. */
async function strayMoves(): Promise<string[]> {
  const { rows } = await sql<{ entity_id: string; intent: string; was: string; is: string }>`
    select entity_id, intent, before ->> 'status' as was, after ->> 'status' as is from audit_events
    where entity = 'invoice' and before ->> 'status' <> after ->> 'status'`.execute(server.db)
  // A move may be two steps of the table in one transaction: what rolled out made it closed by itself, say.
  const reachable = (was: string, is: string) =>
    mayMove(was, is) || invoiceStatuses.some((between) => mayMove(was, between) && mayMove(between, is))
  return rows
    .filter((row) => !reachable(row.was, row.is))
    .map((row) => `INV-${row.entity_id}: ${row.intent} took it from ${labelOf(row.was)} to ${labelOf(row.is)}`)
}
