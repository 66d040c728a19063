import { expect, test } from 'vitest'
import { z } from 'zod'
import { type Call, endpoint, intent } from '#contract/define.ts'
import { pause } from '#contract/employees.ts'
import { byId, choice, choices, date, idSchema, longText, money, nothing, reference, text, version } from '#contract/fields.ts'
import pauseCommand from '#commands/employee/pause.ts'
import themeCommand from '#commands/view/theme.ts'
import { formatCents } from '#domain/money.ts'
import { all, any, asEntity, permissionId, type PermissionName, permissionIds } from '#domain/permissions.ts'
import { refuse } from '#domain/refusal.ts'
import { employee } from '#entities/employee.ts'
import { availability, guard } from '#kernel/availability.ts'
import { localLimit } from '#kernel/dry-run.ts'
import { changes, type Command, defineCommand, type Step, undoable } from '#kernel/command.ts'
import { type AnyEntity, defineEntity } from '#kernel/entity.ts'
import { fieldsOf, formOf, stepsOf } from '#kernel/form.ts'
import { undoOf } from '#kernel/history.ts'
import { callOf, planOf, resolve } from '#kernel/plan.ts'
import { memoryPending } from '#kernel/pending.ts'
import { runOne } from '#kernel/run.ts'
import type { Situation } from '#kernel/situation.ts'
import type { Wire } from '#kernel/wire.ts'

// Eight hard commands of later work, drawn on the kernel: what they cannot say, the kernel has to learn.

const situation = (...names: PermissionName[]): Situation => ({
  signedIn: true,
  held: new Set(names.length ? names.map(permissionId) : permissionIds),
  offers: () => true,
  selection: null,
  pane: null,
  open: null,
  online: true,
})
const only = (steps: readonly Step[]): Call => callOf(steps[0] as Step, [])
/** A wire whose answers are made up: these endpoints do not exist yet. */
const answering = (answer: (call: { intent: string; at: unknown; body: unknown }) => unknown, sent: unknown[] = []): Wire => ({
  read: async () => ({}),
  post: async () => ({}),
  send: async (one, at, body) => {
    sent.push({ intent: one.id, at, body })
    return answer({ intent: one.id, at, body })
  },
})
const io = (wire: Wire) => ({
  wire,
  pending: memoryPending(),
  person: 'somebody',
  newKey: () => crypto.randomUUID(),
  wait: async () => {},
  reread: async (target: unknown) => target,
})

// ---- an invoice, as later work will have it

const Invoice = z.object({
  id: z.int(),
  number: z.string(),
  employer_id: z.int(),
  status: z.string(),
  outstanding_amount: z.int(),
  version: z.int(),
})
type Invoice = z.infer<typeof Invoice>
const getInvoice = endpoint({
  method: 'GET',
  path: '/invoices/{id}',
  summary: '',
  tag: 'Invoices',
  params: byId,
  query: nothing,
  answer: Invoice,
  needs: all('read:billing'),
})
const listInvoices = endpoint({
  method: 'GET',
  path: '/invoices',
  summary: '',
  tag: 'Invoices',
  params: nothing,
  query: z.object({ 'employer-id': idSchema.optional() }),
  answer: z.object({ invoices: z.array(Invoice) }),
  needs: all('read:billing'),
})
const invoice = defineEntity<Invoice>({
  name: 'invoice',
  one: 'invoice',
  many: 'invoices',
  icon: 'receipt',
  idPattern: /^INV-\d+$/,
  path: '/invoices',
  schema: Invoice,
  get: getInvoice,
  list: listInvoices,
  query: {},
  rows: (answer: { invoices: Invoice[] }) => answer.invoices,
  filters: [],
  pane: true,
  id: (one) => String(one.id),
  title: (one) => one.number,
  subtitle: (one) => one.status,
  status: (one) => one.status,
  version: (one) => one.version,
  keywords: () => [],
  confirmWith: (one) => one.number,
})
const inv = (id: number, outstanding: number): Invoice => ({
  id,
  number: `INV-${id}`,
  employer_id: 7,
  status: 'SENT',
  outstanding_amount: outstanding,
  version: id,
})

// ---- 1. a repayment over three invoices: one request, a preview of each, the version of each

const addRepayment = intent(
  endpoint({
    method: 'POST',
    path: '/repayments',
    summary: '',
    tag: 'Repayments',
    params: nothing,
    query: nothing,
    answer: z.object({ id: z.int() }),
  }),
  {
    id: 'repayment.add',
    body: z.object({
      amount: money('Amount', { min: 1 }),
      date: date('Repayment date'),
      notes: text('Notes').optional(),
      allocations: z.array(z.object({ invoice_id: z.int(), amount: z.int() })),
      expected: z.record(z.string(), z.int()),
    }),
    needs: all('write:billing'),
    event: 'Repayment added',
  },
)
const takeBack = intent(
  endpoint({
    method: 'POST',
    path: '/repayments/{id}/returns',
    summary: '',
    tag: 'Repayments',
    params: byId,
    query: nothing,
    answer: z.object({ id: z.int() }),
  }),
  { id: 'repayment.take-back', body: z.object({}), needs: all('write:billing'), event: 'Repayment taken back' },
)
/** Oldest due first. */
const allocate = (open: readonly Invoice[], amount: number) => {
  let left = amount
  return open.flatMap((one) => {
    const pays = Math.min(left, one.outstanding_amount)
    left -= pays
    return pays > 0 ? [{ invoice: one, pays }] : []
  })
}
interface RepaymentParams {
  amount: number
  date: string
  notes?: string
  open?: Invoice[]
}
const repay = defineCommand<Invoice, typeof addRepayment, RepaymentParams>({
  id: 'invoice.repay',
  title: 'Add repayment',
  on: invoice,
  does: addRepayment,
  bulk: false,
  form: addRepayment.body.pick({ amount: true, date: true, notes: true }),
  facts: async (one, read) =>
    ((await read(listInvoices, {}, { 'employer-id': String(one.employer_id) })) as { invoices: Invoice[] }).invoices,
  preview: (_, params, facts) =>
    allocate(facts as Invoice[], params.amount ?? 0).map(({ invoice: one, pays }) => ({
      of: one.number,
      what: 'outstanding',
      before: formatCents(one.outstanding_amount),
      after: formatCents(one.outstanding_amount - pays),
    })),
  plan: (_, { amount, date: day, notes }, facts) => {
    const shares = allocate(facts as Invoice[], amount)
    return [
      addRepayment(
        {},
        {
          amount,
          date: day,
          notes,
          allocations: shares.map(({ invoice: one, pays }) => ({ invoice_id: one.id, amount: pays })),
          expected: Object.fromEntries(shares.map(({ invoice: one }) => [one.id, one.version])),
        },
      ),
    ]
  },
  undo: ({ answers }) => [takeBack({ id: (answers[0] as { id: number }).id }, {})],
  done: (one, { amount }) => `Added a repayment of ${formatCents(amount)} from ${one.number}`,
  failed: (one) => `Something went wrong adding a repayment to ${one.number}`,
})

test('a repayment over three invoices is one request, with a preview and the version of each', async () => {
  const facts = [inv(1, 5000), inv(2, 3000), inv(3, 9000)]
  const params = { amount: 10_000, date: '2026-11-21' }
  if (!changes(repay)) throw new Error('It changes something.')
  expect(repay.preview?.(facts[0], params, facts)).toEqual([
    { of: 'INV-1', what: 'outstanding', before: '$50.00', after: '$0.00' },
    { of: 'INV-2', what: 'outstanding', before: '$30.00', after: '$0.00' },
    { of: 'INV-3', what: 'outstanding', before: '$90.00', after: '$70.00' },
  ])
  const sent: unknown[] = []
  const outcome = await runOne(repay, facts[0], params, io(answering(() => ({ id: 55 }), sent)), { facts })
  expect(sent).toMatchObject([{ intent: 'repayment.add', body: { amount: 10_000, expected: { 1: 1, 2: 2, 3: 3 } } }])
  if (outcome.kind !== 'done') throw new Error(outcome.sentence)
  const entry = {
    at: 0,
    title: 'Add repayment',
    params,
    before: facts[0],
    after: outcome.after,
    answers: outcome.answers,
    undone: false,
  }
  const made = undoOf(repay, entry, 1, undefined)
  if (!('steps' in made)) throw new Error(made.sentence)
  expect(only(made.steps).intent).toBe(takeBack)
  expect(only(made.steps).at).toEqual({ id: 55 })
})

// ---- 2. approving a write-off: who suggested it may not

const WriteOff = z.object({
  id: z.int(),
  invoice: z.string(),
  suggested_amount: z.int(),
  status: z.string(),
  suggested_by_me: z.boolean(),
  version: z.int(),
})
type WriteOff = z.infer<typeof WriteOff>
const getWriteOff = endpoint({
  method: 'GET',
  path: '/write-offs/{id}',
  summary: '',
  tag: 'Write-offs',
  params: byId,
  query: nothing,
  answer: WriteOff,
  needs: all('read:billing'),
})
const writeOff = defineEntity<WriteOff>({
  ...(invoice as unknown as ReturnType<typeof defineEntity<WriteOff>>),
  name: 'write-off',
  one: 'write-off',
  many: 'write-offs',
  schema: WriteOff,
  get: getWriteOff,
  title: (one) => `write-off on ${one.invoice}`,
  confirmWith: (one) => one.invoice,
})
const approve = intent(
  endpoint({
    method: 'POST',
    path: '/write-offs/{id}/approve',
    summary: '',
    tag: 'Write-offs',
    params: byId,
    query: nothing,
    answer: WriteOff,
  }),
  {
    id: 'write-off.approve',
    body: z.object({ amount: money('Approved amount', { min: 1 }), reason: text('Reason'), version: version() }),
    needs: all('write:billing', 'approve:write-offs'),
    event: 'Approved',
    refuses: (one: WriteOff) =>
      one.suggested_by_me ? refuse('status-forbids', 'Somebody else has to approve what you suggested.') : null,
  },
)
const approveCommand = defineCommand({
  id: 'write-off.approve',
  title: 'Approve write-off',
  on: writeOff,
  does: approve,
  // A function, so that what is approved is at most what was suggested.
  form: (_, one) =>
    one
      ? approve.body
          .pick({ reason: true })
          .extend({ amount: money('Approved amount', { min: 1, max: one.suggested_amount, order: -1 }) })
      : approve.body,
  start: (one) => ({ amount: one?.suggested_amount }),
  amount: (one) => one.suggested_amount,
  done: (one, { amount }) => `Approved ${formatCents(amount)} of the ${writeOff.title(one)}`,
  failed: (one) => `Something went wrong approving the ${writeOff.title(one)}`,
})

test('[CARD-001] approving a write-off needs both permissions and another person', () => {
  const one: WriteOff = { id: 9, invoice: 'INV-1', suggested_amount: 4000, status: 'PENDING', suggested_by_me: false, version: 2 }
  expect(availability(approveCommand, situation('write:billing'), one)).toMatchObject({
    state: 'locked',
    lacks: ['approve:write-offs'],
  })
  expect(availability(approveCommand, situation(), { ...one, suggested_by_me: true })).toMatchObject({
    state: 'off',
    sentence: 'Somebody else has to approve what you suggested.',
  })
  expect(availability(approveCommand, situation(), one)).toEqual({ state: 'ready' })
  const schema = formOf(approveCommand, situation(), one) as z.ZodObject
  expect(fieldsOf(schema).map((field) => field.name)).toEqual(['amount', 'reason'])
  expect(schema.safeParse({ amount: 4001, reason: 'Bankrupt' }).success).toBe(false)
  expect(only(planOf(approveCommand, one, { amount: 4000, reason: 'Bankrupt' })).body).toEqual({
    amount: 4000,
    reason: 'Bankrupt',
    version: 2,
  })
})

// ---- 3. the wizard for an account manager: three steps, one transaction

const createManager = intent(
  endpoint({
    method: 'POST',
    path: '/account-managers',
    summary: '',
    tag: 'Account managers',
    params: nothing,
    query: nothing,
    answer: z.object({ id: z.string() }),
  }),
  {
    id: 'account-manager.create',
    body: z.object({
      first_name: text('First name', 100, { step: 'Person' }),
      last_name: text('Last name', 100, { step: 'Person' }),
      email: text('E-mail', 254, { step: 'Person' }),
      group_ids: choices(
        'Groups',
        ['2', '3', '4'],
        { 2: 'timekeeping-approvers', 3: 'human-resources', 4: 'payroll' },
        { step: 'Rights' },
      ),
      organization_id: reference('Organization', 'organization', { step: 'Connections' }).optional(),
      employer_id: reference('Employer', 'employer', { step: 'Connections' }).optional(),
    }),
    needs: all('write:account-managers'),
    event: 'Created',
  },
)
const createManagerCommand = defineCommand({
  id: 'account-manager.create',
  title: 'Create account manager',
  does: createManager,
  done: (_, { first_name, last_name }) => `Created ${first_name} ${last_name}`,
  failed: () => 'Something went wrong creating the account manager',
})

test('the account-manager wizard asks in three steps and sends once', async () => {
  const schema = formOf(createManagerCommand, situation()) as z.ZodObject
  expect(stepsOf(fieldsOf(schema))).toEqual(['Person', 'Rights', 'Connections'])
  const sent: unknown[] = []
  const params = { first_name: 'Ana', last_name: 'Ruiz', email: 'ana@example.com', group_ids: ['3'], organization_id: 100_001 }
  const outcome = await runOne(createManagerCommand, undefined, params, io(answering(() => ({ id: 'x' }), sent)))
  expect(outcome).toMatchObject({ kind: 'done', sentence: 'Created Ana Ruiz' })
  expect(sent).toEqual([{ intent: 'account-manager.create', at: {}, body: params }])
  expect(undoable(createManagerCommand)).toBe(false)
})

// ---- 4. switching the level of a configuration: irreversible, confirmed by name, permission by level

const Organization = z.object({ id: z.int(), name: z.string(), level: z.string(), version: z.int() })
type Organization = z.infer<typeof Organization>
const organization = defineEntity<Organization>({
  ...(invoice as unknown as ReturnType<typeof defineEntity<Organization>>),
  name: 'organization',
  one: 'organization',
  many: 'organizations',
  schema: Organization,
  title: (one) => one.name,
  confirmWith: (one) => one.name,
})
const switchLevel = intent(
  endpoint({
    method: 'PUT',
    path: '/organizations/{id}/configurations/level',
    summary: '',
    tag: 'Configurations',
    params: byId,
    query: nothing,
    answer: Organization,
  }),
  {
    id: 'configuration.switch-level',
    body: z.object({ level: z.literal('EMPLOYER'), version: version() }),
    needs: all('write:employers', 'write:organizations'),
    event: 'Switched to employer level',
    refuses: (one: Organization) =>
      one.level === 'EMPLOYER' ? refuse('status-forbids', 'It is at employer level already.') : null,
  },
)
const switchCommand = defineCommand({
  id: 'organization.switch-level',
  title: 'Configure by employer',
  on: organization,
  does: switchLevel,
  irreversible: true,
  warning: () => 'Every employer gets a copy of the configuration. There is no way back.',
  done: (one) => `${one.name} is configured by employer`,
  failed: (one) => `Something went wrong switching ${one.name}`,
})

test('the switch of the configuration level asks for the name, and cannot be undone', () => {
  const one = { id: 1, name: 'Harbor', level: 'ORGANIZATION', version: 4 }
  if (!changes(switchCommand)) throw new Error('It changes something.')
  expect(switchCommand.irreversible && switchCommand.on?.confirmWith(one)).toBe('Harbor')
  expect(undoable(switchCommand)).toBe(false)
  expect(formOf(switchCommand, situation(), one)).toBeNull()
  expect(only(planOf(switchCommand, one, {}))).toMatchObject({ at: { id: '1' }, body: { level: 'EMPLOYER', version: 4 } })
  expect(availability(switchCommand, situation(), { ...one, level: 'EMPLOYER' })).toMatchObject({ state: 'off' })
})

// ---- 5. a note, on any entity: whoever may read it may write one

const addNote = intent(
  endpoint({
    method: 'POST',
    path: '/notes/{entity}/{id}',
    summary: '',
    tag: 'Notes',
    params: z.object({ entity: z.string(), id: idSchema }),
    query: nothing,
    answer: z.object({ id: z.int() }),
  }),
  { id: 'note.add', body: z.object({ note: longText('Note') }), needs: asEntity(), event: 'Note added' },
)
const removeNote = intent(
  endpoint({
    method: 'DELETE',
    path: '/notes/{id}',
    summary: '',
    tag: 'Notes',
    params: byId,
    query: nothing,
    answer: z.object({}),
  }),
  { id: 'note.remove', body: z.object({}), needs: asEntity(), event: 'Note removed' },
)
const noteOn = (entity: AnyEntity) =>
  defineCommand({
    id: `note.add.${entity.name}`,
    title: `Add note to ${entity.one}`,
    on: entity,
    does: addNote,
    keys: [{ scope: 'row', chord: 'n' }],
    form: addNote.body,
    plan: (one, { note }: { note: string }) => [addNote({ entity: entity.name, id: Number(entity.id(one)) }, { note })],
    undo: ({ answers }) => [removeNote({ id: (answers[0] as { id: number }).id }, {})],
    done: (one) => `Added a note to ${entity.title(one)}`,
    failed: (one) => `Something went wrong adding a note to ${entity.title(one)}`,
  })

test('a note is a command for every entity, open to whoever may read it', () => {
  const [onEmployee, onInvoice] = [employee, invoice].map(noteOn) as [Command, Command]
  const support = situation('read:employees').held
  expect(guard(onEmployee, support).verdict).toBe('yes')
  expect(guard(onInvoice, support)).toEqual({ verdict: 'no', lacks: ['read:billing'] })
  expect(only(planOf(onInvoice, inv(3, 1), { note: 'Called' }))).toMatchObject({
    at: { entity: 'invoice', id: 3 },
    body: { note: 'Called' },
  })
})

// ---- 6. the theme: nothing but the person's own desk

test('the theme calls nothing, and needs nobody but a person', () => {
  expect(guard(themeCommand, new Set()).verdict).toBe('yes')
  expect(changes(themeCommand)).toBe(false)
  expect(fieldsOf(formOf(themeCommand, situation()) as z.ZodObject)[0]?.options.length).toBe(3)
})

// ---- 7. pausing 300 employees: the server's, one intent on the row itself

test('a pause of 300 rows is more than this page does itself, and the server can', () => {
  if (!changes(pauseCommand)) throw new Error('It changes something.')
  expect(300).toBeGreaterThan(localLimit)
  expect(pauseCommand.plan).toBeUndefined()
  expect(pauseCommand.does).toEqual([pause])
  expect(Object.keys(pauseCommand.does[0]?.endpoint.params.shape ?? {})).toEqual(['id'])
})

// ---- 8. an export: reads, in the background, over the list that is open

const startExport = intent(
  endpoint({
    method: 'POST',
    path: '/exports',
    summary: '',
    tag: 'Exports',
    params: nothing,
    query: nothing,
    answer: z.object({ id: z.string() }),
    status: 202,
  }),
  {
    id: 'export.start',
    body: z.object({
      list: z.string(),
      format: choice('Format', ['csv', 'xlsx'], { csv: 'CSV', xlsx: 'Excel' }),
      filter: z.record(z.string(), z.string()),
    }),
    needs: any('read:reports', 'read:employees'),
    event: 'Export started',
  },
)
const exportList = defineCommand<
  undefined,
  typeof startExport,
  { format: 'csv' | 'xlsx'; list: string; filter: Record<string, string> }
>({
  id: 'list.export',
  title: 'Export this list',
  does: startExport,
  unavailable: ({ pane }) => (pane ? null : { sentence: 'Open a list first.' }),
  form: ({ pane }) =>
    startExport.body.pick({ format: true }).extend({
      list: z.literal(pane?.name ?? '').default(pane?.name ?? ''),
      filter: z
        .record(z.string(), z.string())
        .default(Object.fromEntries((pane?.set ?? []).map((each) => [each.id, each.value]))),
    }),
  plan: (_, params) => [startExport({}, params)],
  done: () => 'The export is being made. It will be in your downloads.',
  failed: () => 'The export could not be started',
})

test('an export is a change without a target, over the list that is open', () => {
  expect(availability(exportList, situation())).toEqual({ state: 'off', sentence: 'Open a list first.' })
  const pane = {
    name: 'employees',
    entity: 'employee',
    title: 'Employees',
    filters: [],
    set: [{ id: 'status', type: 'is' as const, value: 'PAUSED' }],
    narrowed: true,
    columns: [],
    shown: [],
    sorts: [],
    sort: { id: 'id', order: 'asc' as const },
  }
  const open = { ...situation(), pane }
  expect(availability(exportList, open)).toEqual({ state: 'ready' })
  const params = (formOf(exportList, open) as z.ZodObject).parse({ format: 'csv' })
  expect(resolve(exportList, planOf(exportList, undefined, params)[0] as Step, []).body).toEqual({
    format: 'csv',
    list: 'employees',
    filter: { status: 'PAUSED' },
  })
})
