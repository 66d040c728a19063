import { expect } from 'vitest'
import { type BankResult, listBankResults } from '#contract/bank-results.ts'
import { type Deduction, listDeductions } from '#contract/deductions.ts'
import { type Invoice, listInvoices } from '#contract/invoices.ts'
import { type InvoiceLine, listInvoiceLines } from '#contract/invoice-lines.ts'
import { listRepayments, type Repayment } from '#contract/repayments.ts'
import { listWriteOffs, type WriteOff } from '#contract/write-offs.ts'
import { bankResultStates } from '#domain/bank-result.ts'
import { deductionStatuses } from '#domain/deduction.ts'
import { billedAmount } from '#domain/invoice-line.ts'
import { invoiceStatuses } from '#domain/invoice.ts'
import { formatCents } from '#domain/money.ts'
import { permissionIds } from '#domain/permissions.ts'
import { writeOffStatuses } from '#domain/write-off.ts'
import { bankResult } from '#entities/bank-result.ts'
import { type Availability, availability } from '#kernel/availability.ts'
import { changes, type Command, undoable, type FieldMessage, type PreviewRow } from '#kernel/command.ts'
import { formOf } from '#kernel/form.ts'
import { undoOf } from '#kernel/history.ts'
import type { MoneyLines } from '#kernel/money-lines.ts'
import { type Outcome, runOne, runSteps } from '#kernel/run.ts'
import { type OverSeveral, overSeveral } from '#kernel/several.ts'
import type { CommandContext } from '#kernel/command-context.ts'
import { realClient, runEnvironment } from '#tests/kernel/real-client.ts'
import type { TestServer } from '#tests/support/server.ts'
import type { SignedIn } from '#tests/support/session.ts'

type Thing = { id: number }
type Params = Record<string, unknown>
type Execution = { outcome: Outcome & { kind: 'done' }; params: Params }

/** Permissions to read and change billing and to decide write-offs. */
export const biller = [1, 2, 3, 4, 1001, 1008]

const contextOf = (held: readonly number[]): CommandContext => ({
  signedIn: true,
  held: new Set(held),
  supports: () => true,
  selection: null,
  pane: null,
  open: null,
  online: true,
})
export const everyone = contextOf([...permissionIds])

const nothing = formatCents(0)

/** The state of every record of an employer, in the words of a preview; two write-offs may share a name. */
type Snapshot = Map<string, { of: string; figures: Record<string, string> }>

/** The actions of a form from opening to sending, over the real API. */
export function moneyHost(server: TestServer, person: SignedIn) {
  const apiClient = realClient(server, person)
  const read = async <T>(command: Command, id: number): Promise<T> => {
    if (!command.on) throw new Error(`${command.id} has no noun.`)
    return (await apiClient.read(command.on.get, { id })) as T
  }

  async function snapshot(employerId: number): Promise<Snapshot> {
    const of = { 'employer-id': String(employerId), limit: '200' }
    const [invoices, repayments, writeOffs, deductions, results] = await Promise.all([
      apiClient.read(listInvoices, {}, of) as Promise<{ data: Invoice[] }>,
      apiClient.read(listRepayments, {}, of) as Promise<{ repayments: Repayment[] }>,
      apiClient.read(listWriteOffs, {}, of) as Promise<{ write_offs: WriteOff[] }>,
      apiClient.read(listDeductions, {}, of) as Promise<{ deductions: Deduction[] }>,
      apiClient.read(listBankResults, {}, of) as Promise<{ bank_results: BankResult[] }>,
    ])
    const found: Snapshot = new Map()
    const put = (kind: string, id: number, of: string, figures: Record<string, string>) =>
      found.set(`${kind} ${id}`, { of, figures })
    for (const one of invoices.data) {
      const { lines } = (await apiClient.read(listInvoiceLines, { id: one.id }, { limit: '200' })) as { lines: InvoiceLine[] }
      const waiting = one.refund?.state === 'WAITING' ? one.refund.amount - one.refund.absorbed_amount : 0
      put('invoice', one.id, one.number, {
        'write-off': formatCents(one.writeoff_amount),
        rollover: formatCents(one.rollover_amount),
        invoice: formatCents(one.invoice_amount),
        paid: formatCents(one.paid_amount),
        outstanding: formatCents(one.outstanding_amount),
        debit: one.ach?.state === 'SCHEDULED' ? formatCents(one.ach.amount) : 'none',
        'due date': one.due_date,
        // Scheduling or cancelling a debit is described by its amount.
        ...(one.ach?.state === 'SCHEDULED' ? { 'debit date': one.ach.debit_date } : {}),
        status: invoiceStatuses.label(one.status),
        'pending refund': formatCents(waiting),
        'suggested and not decided': formatCents(lines.reduce((sum, line) => sum + line.pending_amount, 0)),
        withheld: formatCents(lines.reduce((sum, line) => sum + (line.withheld_amount ?? 0), 0)),
      })
    }
    for (const one of repayments.repayments.filter((each) => each.origin !== 'RETURN'))
      put('repayment', one.id, one.reference_id, {
        amount: formatCents(one.amount),
        date: one.repayment_date,
        unallocated: formatCents(one.unallocated_amount),
        returned: formatCents(one.returned_amount),
      })
    for (const one of results.bank_results)
      put('bank result', one.id, bankResult.title(one), { status: bankResultStates.label(one.state) })
    for (const one of writeOffs.write_offs)
      put('write-off', one.id, `${one.employee_name}, ${one.invoice_number}`, { status: writeOffStatuses.label(one.status) })
    for (const one of deductions.deductions)
      put('deduction', one.id, `Deduction of ${one.invoice_number}`, { status: deductionStatuses.label(one.status) })
    return found
  }

  /** The balance of each line of a money form on the server, by column; cents by id. */
  async function balancesOf(
    { heads: [now, , then] }: MoneyLines,
    employerId: number,
  ): Promise<Record<'before' | 'after', Map<number, number>>> {
    const { data } = (await apiClient.read(listInvoices, {}, { 'employer-id': String(employerId), limit: '200' })) as {
      data: Invoice[]
    }
    const lines = await Promise.all(
      data.map(
        async ({ id }) => ((await apiClient.read(listInvoiceLines, { id }, { limit: '200' })) as { lines: InvoiceLine[] }).lines,
      ),
    )
    const each = (figure: (line: InvoiceLine) => number) => lines.flat().map((line) => [line.id, figure(line)] as const)
    const owed = data.map((one) => [one.id, one.outstanding_amount] as const)
    const notSuggested = each((line) => billedAmount(line) - line.pending_amount)
    const known: Record<string, readonly (readonly [number, number])[]> = {
      'Owes now': then === 'If approved' ? notSuggested : owed,
      'Owes after': owed,
      'If approved': notSuggested,
      'Asked for': each(billedAmount),
      'Not withheld': each((line) => billedAmount(line) - (line.withheld_amount ?? 0)),
    }
    return { before: new Map(known[now]), after: new Map(known[then]) }
  }

  /** The changes as a preview would show them: of new records only their open amounts. */
  function difference(before: Snapshot, after: Snapshot): PreviewRow[] {
    const suggested = [...after.keys()].some((key) => key.startsWith('write-off') && !before.has(key))
    return [...after].flatMap(([key, { of, figures: now }]) => {
      const was = before.get(key)?.figures
      if (!was)
        return now.unallocated === undefined || now.unallocated === nothing
          ? []
          : [{ of: 'New repayment', what: 'unallocated', before: nothing, after: now.unallocated }]
      return Object.keys(now)
        .filter((what) => what in was || what !== 'debit date')
        .filter((what) => was[what] !== now[what] && (suggested || what !== 'suggested and not decided'))
        .map((what) => ({ of, what, before: was[what] as string, after: now[what] as string }))
    })
  }

  /** The state of the form: the preview and the field errors. */
  async function shown(
    command: Command,
    target: unknown,
    params: Params,
    together?: readonly unknown[],
  ): Promise<{ preview: readonly PreviewRow[]; lines: MoneyLines | null; wrong: readonly FieldMessage[]; facts: unknown }> {
    if (!changes(command)) throw new Error(`${command.id} changes nothing.`)
    const schema = formOf(command, everyone, target)
    const parsed = schema?.safeParse(params)
    const facts = command.facts ? await command.facts.read(target, apiClient.read, params, together) : undefined
    const byForm = parsed?.error?.issues.map((issue) => ({ path: issue.path.join('.'), message: issue.message })) ?? []
    const wrong = byForm.length ? byForm : (command.form?.messages?.(target, params, facts) ?? [])
    const lines = command.preview?.lines?.(target, params, facts) ?? null
    return { preview: command.preview?.rows?.(target, params, facts) ?? [], lines, wrong, facts }
  }

  async function run(command: Command, target: unknown, params: Params, facts: unknown): Promise<Outcome> {
    return runOne(command, target, params, io(command), { facts })
  }

  async function over(command: Command, ids: readonly number[], context: CommandContext): Promise<OverSeveral> {
    const rows = await Promise.all(ids.map((id) => read(command, id)))
    return overSeveral(command, { ids: ids.map(String), filter: null, count: ids.length }, rows, context)
  }

  const io = (command: Command) => runEnvironment(apiClient, person, async (one) => read(command, (one as Thing).id))

  /** The steps that undo an execution, or the reason why not; as used by history and toast. */
  async function offered(command: Command, { outcome, params }: Execution) {
    const { before, after, answers } = outcome
    const entry = { at: 0, title: command.title, params, before, after, answers, undone: false }
    return undoOf(command, entry, 0, await read(command, (after as Thing).id))
  }

  return {
    read,
    io,
    shown,
    run,
    snapshot,
    difference,

    /** Whether a person with these permissions can run the command on the record now. */
    state: async (command: Command, id: number, held: readonly number[] = [...permissionIds]): Promise<Availability> =>
      availability(command, contextOf(held), await read(command, id)),

    /** The availability of the command over several records. */
    over: async (command: Command, ids: readonly number[], held: readonly number[] = [...permissionIds]): Promise<OverSeveral> =>
      over(command, ids, contextOf(held)),

    /**
     * Fills in the form, executes it, and compares the changes of all records of the employer with the preview; several records
     * are executed together.
     */
    async execute(command: Command, id: number | readonly number[], params: Params, employerId: number) {
      const several = typeof id === 'number' ? null : await over(command, id, everyone)
      const together = several?.validated?.eligible
      const target = together?.[0] ?? (await read(command, id as number))
      expect(several?.state ?? availability(command, everyone, target)).toEqual({ state: 'ready' })
      const { preview, lines, wrong, facts } = await shown(command, target, params, together)
      expect(wrong).toEqual([])
      const before = await snapshot(employerId)
      const balancesBefore = lines && (await balancesOf(lines, employerId))
      const outcome = await run(command, target, params, facts)
      if (outcome.kind !== 'done') throw new Error(`${command.id}: ${outcome.sentence} ${outcome.detail ?? ''}`)
      const changed = difference(before, await snapshot(employerId))
      const predicted = preview.filter((row) => row.what !== 'outstanding once it is reported')
      expect(sorted(predicted)).toEqual(sorted(changed))
      const balancesAfter = lines && (await balancesOf(lines, employerId))
      // The next invoice is previewed for the day on which it is reported.
      const own = lines?.lines.filter((line) => !line.detail?.includes('once it is reported')) ?? []
      expect(own.map((line) => [line.title, line.before, line.after])).toEqual(
        own.map(({ id, title }) => [title, balancesBefore?.before.get(Number(id)), balancesAfter?.after.get(Number(id))]),
      )
      const done = { outcome, preview, lines, before, params }
      // The undo offered afterwards must match what the form promised.
      expect('steps' in (await offered(command, done))).toBe(undoable(command, target, { params, facts }))
      return done
    },

    undoOf: offered,

    /** Undoes an execution; null where no undo is offered. */
    async undo(command: Command, done: Execution): Promise<Outcome | null> {
      const { after } = done.outcome
      const undo = await offered(command, done)
      if ('sentence' in undo) return null
      const { steps } = undo
      const about = { title: 'Undo', sentence: () => 'Undone', undoneBy: 'session.undo' }
      return runSteps(command, steps, after, about, io(command))
    },
  }
}

const sorted = (rows: readonly PreviewRow[]) => rows.map((row) => `${row.of} ${row.what}: ${row.before} to ${row.after}`).sort()
