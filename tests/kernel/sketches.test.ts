import { expect, test } from 'vitest'
import { z } from 'zod'
import { type Call, endpoint, intent } from '#contract/define.ts'
import { pause } from '#contract/employee-changes.ts'
import { byId, choices, idSchema, longText, nothing, reference, text, version } from '#contract/fields.ts'
import pauseCommand from '#commands/employee/pause.ts'
import themeCommand from '#commands/view/theme.ts'
import { all, asEntity, permissionId, type PermissionName, permissionIds, byIntent } from '#domain/permissions.ts'
import { refuse } from '#domain/refusal.ts'
import { employee } from '#entities/employee.ts'
import { invoice } from '#entities/invoice.ts'
import { availability, guard } from '#kernel/availability.ts'
import { localLimit } from '#kernel/dry-run.ts'
import { changes, type Command, defineCommand, type Step, undoable } from '#kernel/command.ts'
import { type AnyEntity, defineEntity } from '#kernel/entity.ts'
import { fieldsOf, formOf, stepsOf } from '#kernel/form.ts'
import { callOf, planOf } from '#kernel/plan.ts'
import { memoryOutbox } from '#tests/kernel/memory-outbox.ts'
import { runOne } from '#kernel/run.ts'
import type { CommandContext } from '#kernel/command-context.ts'
import type { ApiClient } from '#kernel/api-client.ts'
import { invoiceLike } from '#tests/support/examples.ts'

// Sketches of difficult commands: what they cannot express, the kernel lacks.

const context = (...names: PermissionName[]): CommandContext => ({
  signedIn: true,
  held: new Set(names.length ? names.map(permissionId) : permissionIds),
  supports: () => true,
  selection: null,
  pane: null,
  open: null,
  online: true,
})
const only = (steps: readonly Step[]): Call => callOf(steps[0] as Step, [])
/** An API client with made-up answers: these endpoints do not exist yet. */
const answering = (
  answer: (call: { intent: string; at: unknown; body: unknown }) => unknown,
  sent: unknown[] = [],
): ApiClient => ({
  read: async () => ({}) as never,
  post: async () => ({}),
  send: async (one, at, body) => {
    sent.push({ intent: one.id, at, body })
    return answer({ intent: one.id, at, body })
  },
})
const io = (apiClient: ApiClient) => ({
  apiClient,
  outbox: memoryOutbox(),
  person: 'somebody',
  newKey: () => crypto.randomUUID(),
  wait: async () => {},
  reread: async (target: unknown) => target,
})

// ---- 1. the wizard for an account manager: three steps, one transaction

const createManager = intent(
  endpoint({
    method: 'POST',
    path: '/account-managers',
    summary: '',
    tag: 'Account managers',
    params: nothing,
    query: nothing,
    answer: z.object({ id: z.string() }),
    needs: byIntent,
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

test('the account-manager wizard has three steps and sends once', async () => {
  const schema = formOf(createManagerCommand, context()) as z.ZodObject
  expect(stepsOf(fieldsOf(schema))).toEqual(['Person', 'Rights', 'Connections'])
  const sent: unknown[] = []
  const params = { first_name: 'Ana', last_name: 'Ruiz', email: 'ana@example.com', group_ids: ['3'], organization_id: 100_001 }
  const outcome = await runOne(createManagerCommand, undefined, params, io(answering(() => ({ id: 'x' }), sent)))
  expect(outcome).toMatchObject({ kind: 'done', sentence: 'Created Ana Ruiz' })
  expect(sent).toEqual([{ intent: 'account-manager.create', at: {}, body: params }])
  expect(undoable(createManagerCommand)).toBe(false)
})

// ---- 2. switching the level of a configuration: irreversible, confirmed by name, permission by level

const Organization = z.object({ id: z.int(), name: z.string(), level: z.string(), version: z.int() })
type Organization = z.infer<typeof Organization>
const organization = defineEntity<Organization>({
  ...(employee as unknown as ReturnType<typeof defineEntity<Organization>>),
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
    needs: byIntent,
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
  undo: { irreversible: true },
  preview: { warning: () => 'Every employer gets a copy of the configuration. There is no way back.' },
  done: (one) => `${one.name} is configured by employer`,
  failed: (one) => `Something went wrong switching ${one.name}`,
})

test('switching the configuration level asks for the name, and cannot be undone', () => {
  const one = { id: 1, name: 'Harbor', level: 'ORGANIZATION', version: 4 }
  if (!changes(switchCommand)) throw new Error('It changes nothing.')
  expect(switchCommand.undo?.irreversible && switchCommand.on?.confirmWith(one)).toBe('Harbor')
  expect(undoable(switchCommand)).toBe(false)
  expect(formOf(switchCommand, context(), one)).toBeNull()
  expect(only(planOf(switchCommand, one, {}))).toMatchObject({ at: { id: '1' }, body: { level: 'EMPLOYER', version: 4 } })
  expect(availability(switchCommand, context(), { ...one, level: 'EMPLOYER' })).toMatchObject({ state: 'off' })
})

// ---- 3. a note on any entity: the permission to read includes writing notes

const addNote = intent(
  endpoint({
    method: 'POST',
    path: '/notes/{entity}/{id}',
    summary: '',
    tag: 'Notes',
    params: z.object({ entity: z.string(), id: idSchema }),
    query: nothing,
    answer: z.object({ id: z.int() }),
    needs: byIntent,
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
    needs: byIntent,
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
    plan: (one, { note }: { note: string }) => [addNote({ entity: entity.name, id: entity.id(one) }, { note })],
    undo: ({ answers }) => [removeNote({ id: (answers[0] as { id: number }).id }, {})],
    done: (one) => `Added a note to ${entity.title(one)}`,
    failed: (one) => `Something went wrong adding a note to ${entity.title(one)}`,
  })

test('a note is a command for every entity, with the permission to read it', () => {
  const [onEmployee, onInvoice] = [employee, invoice].map(noteOn) as [Command, Command]
  const support = context('read:employees').held
  expect(guard(onEmployee, support).verdict).toBe('yes')
  expect(guard(onInvoice, support)).toMatchObject({ verdict: 'no', lacks: ['read:billing'] })
  expect(only(planOf(onInvoice, invoiceLike({ id: 3 }), { note: 'Called' }))).toMatchObject({
    at: { entity: 'invoice', id: '3' },
    body: { note: 'Called' },
  })
})

// ---- 4. the theme: nothing but the portal itself

test('the theme makes no call, and needs no permission', () => {
  expect(guard(themeCommand, new Set()).verdict).toBe('yes')
  expect(changes(themeCommand)).toBe(false)
  expect(fieldsOf(formOf(themeCommand, context()) as z.ZodObject)[0]?.options.length).toBe(3)
})

// ---- 5. pausing 300 employees on the server: one intent on the row itself

test('a pause of 300 rows exceeds the limit of the page, and runs on the server', () => {
  if (!changes(pauseCommand)) throw new Error('It changes nothing.')
  expect(300).toBeGreaterThan(localLimit)
  expect(pauseCommand.plan).toBeUndefined()
  expect(pauseCommand.does).toEqual([pause])
  expect(Object.keys(pauseCommand.does[0]?.endpoint.params.shape ?? {})).toEqual(['id'])
})
