import { describe, expect, test } from 'vitest'
import { noPermission, permissionIds, permissionId, type PermissionName, permissionNames } from '#domain/permissions.ts'
import { auditFilters } from '#contract/audit-events.ts'
import type { Employee } from '#contract/employees.ts'
import type { Employer } from '#contract/employers.ts'
import type { Invoice } from '#contract/invoices.ts'
import { WriteOff } from '#contract/write-offs.ts'
import { writeOffReasons } from '#domain/write-off.ts'
import { rewardFilters } from '#contract/rewards.ts'
import { employee } from '#entities/employee.ts'
import { employer } from '#entities/employer.ts'
import { admin } from '#entities/admin.ts'
import { auditEvent } from '#entities/audit-event.ts'
import { accountManager } from '#entities/account-manager.ts'
import { importedFile } from '#entities/import.ts'
import { deduction } from '#entities/deduction.ts'
import { invoice } from '#entities/invoice.ts'
import { repayment } from '#entities/repayment.ts'
import { organization } from '#entities/organization.ts'
import { user } from '#entities/user.ts'
import { writeOff } from '#entities/write-off.ts'
import type { Command } from '#kernel/command.ts'
import { changes, defineCommand, isIrreversible, mayAlter } from '#kernel/command.ts'
import { defineEntity } from '#kernel/entity.ts'
import { searchable } from '#contract/search.ts'
import type { HistoryEntry } from '#kernel/history.ts'
import { timeEntry } from '#entities/time-entry.ts'
import { withList } from '#entities/with-list.ts'
import { uuids } from '#kernel/ids.ts'
import { finder, type Finder } from '#kernel/rank.ts'
import type { OpenPane, Selection, CommandContext } from '#kernel/command-context.ts'
import { closePalette, openPalette, paletteAtom } from '#portal/commands/palette-state.ts'
import { runRow } from '#portal/palette/act-on-row.ts'
import { commandFinder } from '#portal/palette/command-rows.ts'
import { compose, type Composing } from '#portal/palette/compose.ts'
import { highlit } from '#portal/palette/highlight.ts'
import { startGroups } from '#portal/palette/start-rows.ts'
import { recordRow } from '#portal/palette/record-rows.ts'
import { readPasted } from '#kernel/pasted-ids.ts'
import {
  actionsIn,
  byIdIn,
  holdsIds,
  listsIn,
  ofAnyList,
  type ParsedQuery,
  readTyped,
  sentencesIn,
} from '#kernel/sentence/reading.ts'
import { factsOf } from '#portal/palette/facts.ts'
import { spanFrom } from '#portal/palette/filter-rows.ts'
import type { AnyEntity } from '#kernel/entity.ts'
import { inOwnWords } from '#kernel/sentence/own-words.ts'
import { parse } from '#kernel/sentence/parse.ts'
import { fetchSentences } from '#portal/palette/sentences.ts'
import { searchedFor } from '#portal/palette/use-search.ts'
import type { SearchResults } from '#portal/palette/ask.ts'
import { store } from '#portal/platform/store.ts'
import { findableRecord, type Local, localOf } from '#portal/records/find-locally.ts'
import { employeeLike, employerLike, invoiceLike, repaymentLike } from '#tests/support/examples.ts'

const modules = import.meta.glob<{ default: Command | Command[] }>(['../../commands/**/*.ts', '!../../commands/**/*.page.ts'], {
  eager: true,
})
const commands = Object.values(modules).flatMap((module) => [module.default].flat())

await fetchSentences()

const benjamin = employeeLike(104234, 'Benjamin', 'Ortiz', {
  status: 'PAUSED',
  pause: { at: '2026-11-12T09:14:00Z', by: { id: '1', name: 'Priya Raman' }, reason: 'Leave', details: null },
})
const paul = employeeLike(160771, 'Paul', 'Adeyemi')
const paulina = employeeLike(118204, 'Paulina', 'Reyes')
const known = [benjamin, paul, paulina]

const selected = (...rows: Employee[]): Selection => ({
  entity: 'employee',
  ids: rows.map(employee.id),
  rows: new Map(rows.map((row) => [employee.id(row), row])),
  filter: null,
  count: rows.length,
  how: rows.length > 1 ? 'marked' : 'active',
})

const employees: OpenPane = {
  name: 'employees',
  entity: 'employee',
  title: 'Employees',
  filters: employee.filters,
  set: [],
  searched: true,
  q: '',
  narrowed: false,
  columns: [],
  shown: [],
  path: '/employees',
  search: '',
  named: [],
  view: null,
  sorts: [],
  sort: null,
}

/** What a text says once `tries` readings found nothing; the last reading if there are no more. */
function parsed(typed: string, entities: readonly AnyEntity[], tries = 0, all: readonly Command[] = commands): ParsedQuery {
  const { origin } = location
  const read = readTyped(typed, entities, origin)
  const readings = parse(read, {
    ...{
      commands: all,
      entities,
      find: commandFinder(all),
      used: () => 0,
      spanOf: spanFrom,
      isSearched: () => true,
      facts: factsOf,
      origin,
    },
  })
  const at = [...Array(tries + 1).keys()].findLast((place) => readings(place)) ?? 0
  return readings(at) ?? read
}

const noResults: SearchResults = { asked: '', lists: {}, ids: {} }

interface ComposeOptions extends Partial<Composing> {
  selection?: Selection | null
  lacks?: PermissionName[]
  records?: readonly Employee[]
  pane?: OpenPane | null
  /** Set on the second pass, after the first reading of the text found nothing. */
  missed?: boolean
  /** How many readings found nothing. */
  tries?: number
  supports?: CommandContext['supports']
}

function composed(
  typed: string,
  {
    selection = null,
    lacks = [],
    records = known,
    pane = null,
    missed = false,
    tries = missed ? 1 : 0,
    supports = () => true,
    ...more
  }: ComposeOptions = {},
) {
  const entities = more.entities ?? [employee, employer]
  const missing = new Set<number>(lacks.map(permissionId))
  const context: CommandContext = {
    signedIn: true,
    held: new Set(permissionIds.filter((id) => !missing.has(id))),
    supports,
    selection,
    pane,
    open: null,
    online: true,
  }
  const all = more.commands ?? commands
  const used = () => 0
  const find: Finder<Local> = finder(records.map((one) => findableRecord(employee, one)))
  const results = compose({
    typed: parsed(typed, entities, tries, all),
    context,
    commands: all,
    findCommands: commandFinder(all),
    entities,
    findRecords: (entity, ...asked) => (entity.name === 'employee' ? find(...asked) : []),
    find: () => [],
    found: noResults,
    waiting: false,
    used,
    recent: [],
    start: (input) =>
      startGroups(
        input,
        {
          counts: new Map(),
          lines: [],
          recent: input.recent.map(({ entity, id, title }) => ({ entity: entity.name, id, title, subtitle: '', at: 0 })),
          favourites: [],
          names: new Map(),
          isNew: false,
        },
        null,
      ),
    ...more,
  })
  const row = (title: string) => results.rows.find((each) => each.title === title)
  return {
    ...results,
    titles: results.rows.map((each) => each.title),
    active: results.rows[results.preselected]?.title ?? null,
    row,
  }
}

test('an empty palette lists no command of an employee out of reach; a search shows it locked', () => {
  const gone: Selection = { ...selected(benjamin), rows: new Map() }
  const rest = ['write-password-change:payroll', 'write-unlink:payroll', 'write:unpause'].map((name) =>
    permissionId(name as PermissionName),
  )
  const lacks = permissionIds.filter((id) => !rest.includes(id)).map((id) => permissionNames[id])
  const titles = ['Force password change', 'Cancel forced password change', 'Unlink employee from user']
  const seen = lacks.filter((name) => name !== 'read:employees')
  expect(composed('', { selection: gone, lacks: seen }).titles).toEqual(expect.arrayContaining(titles.slice(0, 2)))
  for (const title of composed('', { selection: gone, lacks }).titles) expect(titles).not.toContain(title)
  expect(composed('Force password', { selection: gone, lacks }).row('Force password change')).toMatchObject({
    icon: 'lock',
    note: "You don't have permission to take this action. It needs the right to see employees.",
  })
})

test('[CARD-003] reasons, aliases, and the best match keeps the highlight', () => {
  const { groups, active, row } = composed('pau', { selection: selected(benjamin) })
  expect(groups.map((group) => group.title)).toEqual(['On this employee', 'Employees', 'Commands', 'Also with these letters'])
  expect(row('Pause employee')).toMatchObject({ usable: false, chord: 'p', preselects: false })
  expect(row('Pause employee')?.note).toMatch(/paused/i)
  expect(row('Resume employee')).toMatchObject({ usable: true, found: 'also called unpause', preselects: false })
  expect(active).toBe('Pause employee')
  expect(row('Show paused employees')).toMatchObject({ usable: true, preselects: true })
})

test('a command and its target may be typed together: the form is one Enter away', () => {
  const { titles, active, row } = composed('pause paul')
  expect(titles).toEqual(['Pause employee: Paul Adeyemi', 'Pause employee: Paulina Reyes', 'Paul Adeyemi', 'Paulina Reyes'])
  expect(active).toBe('Pause employee: Paul Adeyemi')
  expect(row('Pause employee: Paul Adeyemi')).toMatchObject({ usable: true, targets: { entity: 'employee', ids: ['160771'] } })
  // By the command's noun, by an id, and by the noun alone.
  expect(composed('pause employee paulina').active).toBe('Pause employee: Paulina Reyes')
  expect(composed('pause 118204').active).toBe('Pause employee: Paulina Reyes')
  expect(composed('employee paulina').titles).toEqual(['Paulina Reyes'])
  expect(composed('open paulina').titles).toEqual(['Paulina Reyes'])
})

test('a command typed before its target shows why it is refused; irreversible ones need a choice', () => {
  const paused = composed('pause benjamin')
  expect(paused.row('Pause employee: Benjamin Ortiz')).toMatchObject({ usable: false, preselects: false })
  expect(paused.row('Pause employee: Benjamin Ortiz')?.note).toMatch(/paused/i)
  const locked = composed('pause paulina', { lacks: ['write:employees'] })
  expect(locked.row('Pause employee: Paulina Reyes')).toMatchObject({ usable: false })
  for (const { rows, preselected } of [composed('terminate paulina'), composed('terminate off-cycle paulina')]) {
    const row = rows[preselected]
    expect(row?.kind === 'command' && isIrreversible(row.command)).toBeFalsy()
  }
})

test('a target is searched only among the noun of the command, and no other row is highlighted', () => {
  const anns = Array.from({ length: 9 }, (_, at) => employeeLike(100001 + at, 'Ann', `Oliveira ${at}`))
  const invited = {
    ...{ id: '0e9d5c7e-8f0a-4a52-9f0a-3d5a6b1c2d3e', name: 'Joanna Example', email: 'ann@example.com', kind: 'ADMIN' },
    ...{ status: 'INVITED', group_ids: [1], created_at: '2026-11-01T09:00:00Z', version: 1 },
  }
  const list = { state: 'done' as const, rows: [invited], more: false, problem: null }
  const found = { asked: '', ids: {}, lists: { admin: list } }
  const asked = { records: anns, entities: [employee, admin], found }
  const { titles, active } = composed('withdraw invitation ann', asked)
  // It cannot be undone, so it must be selected explicitly.
  expect([titles[0], active]).toEqual(['Withdraw invitation of admin: Joanna Example', null])
  expect(composed('withdraw invitation ann', { records: anns, entities: [employee, admin] }).active).toBeNull()
})

test('words of two different aliases of a command do not match together', () => {
  expect(composed('new employee', { records: [] }).titles).not.toContain('Add file mapping')
  expect(composed('mapping new', { records: [] }).titles).toContain('Add file mapping')
  expect(composed('add timekeeping file', { records: [] }).titles).toContain('Add file mapping')
})

test('a complete alias leaves the highlight to no other command', () => {
  const { titles, active } = composed('invite admin', { records: [] })
  expect(titles.slice(0, 2)).toEqual(['Create admin', 'Show invited admins'])
  expect(active).toBeNull()
})

test('nothing is highlighted until the target of a command is known, then the command is', () => {
  const asking = composed('pause 123456', { waiting: true })
  expect(asking.titles).toEqual(['Open employee 123456'])
  expect(asking.active).toBeNull()
  const found = composed('pause 118204')
  const before = { list: 'pause 118204', key: null }
  expect(highlit(found, { ...before, sure: false }, 'pause 118204')).toBe(0)
  expect(highlit(found, { ...before, sure: true }, 'pause 118204')).toBe(-1)
})

test('a target may be typed before its command where nothing else is found', () => {
  expect(composed('paul pause', { missed: true }).titles.slice(0, 2)).toEqual([
    'Pause employee: Paul Adeyemi',
    'Pause employee: Paulina Reyes',
  ])
  for (const typed of ['paulina pause', '118204 pause', 'paulina reyes pause employee', '118204 pause employee'])
    expect(composed(typed, { missed: true }).active, typed).toBe('Pause employee: Paulina Reyes')
  expect(composed('paulina employee', { missed: true }).titles).toEqual(['Paulina Reyes'])
  // It may be a name, which is searched first.
  expect(composed('paulina pause').titles).toEqual([])
  // Nothing else is highlighted where the command cannot be run on the results.
  const closed = composed('paul close', { missed: true })
  expect([closed.titles, closed.active]).toEqual([['Paul Adeyemi', 'Paulina Reyes'], null])
})

test('the noun of a command may be omitted before a target; aliases count on the second pass', () => {
  expect(composed('add note paulina').titles[0]).toBe('Add employee note: Paulina Reyes')
  expect(composed('note paulina').titles[0]).toBe('Add employee note: Paulina Reyes')
  expect(composed('history paulina').active).toBe('Show History of employee: Paulina Reyes')
  const { row, active } = composed('unpause benjamin', { missed: true })
  expect(row('Resume employee: Benjamin Ortiz')).toMatchObject({ usable: true, found: 'also called unpause' })
  expect(active).toBeNull()
})

test('a status and search terms lead to the filtered list where nothing else is found', () => {
  const entities = [employee, invoice]
  for (const typed of [
    'overdue laurel',
    'laurel overdue',
    'overdue invoices laurel',
    'show overdue laurel',
    'show overdue invoices laurel',
  ]) {
    const { rows, active } = composed(typed, { entities, missed: true })
    expect(active, typed).toBe('Show overdue invoices · Search for “laurel”')
    expect(rows[0], typed).toMatchObject({ command: { id: 'filter.show.invoice.overdue' }, params: { q: 'laurel' } })
  }
  expect(composed('paused raven park', { entities, missed: true }).active).toBe('Show paused employees · Search for “raven park”')
  for (const typed of ['invocies overdue', 'overdue invoces'])
    expect(composed(typed, { entities, records: [], missed: true }).active, typed).toBe('Show overdue invoices')
  expect(composed('overdue laurel', { entities }).titles).toEqual([])
  expect(composed('overdue laurel', { entities: [employee], missed: true }).titles).toEqual([])
})

test('[CARD-007] an id after a prefix of a noun matches whichever noun has it', () => {
  expect(composed('emp 118204').titles).toEqual(['Paulina Reyes'])
  expect(readTyped('emp 118204', [employee, employer], location.origin).ids.map(({ entity }) => entity.name)).toEqual([
    'employee',
    'employer',
  ])
  expect(readTyped('em 118204', [employee, employer], location.origin).ids).toEqual([])
  expect(readTyped('emp 2 main', [employee, employer], location.origin).ids).toEqual([])
})

test('a noun matches by prefix or initials, and an id without hyphen, on the second pass', () => {
  const read = (typed: string) => parsed(typed, entities, 1)
  const entities = [employee, employer, invoice, organization, writeOff, accountManager]
  for (const [typed, only, text] of [
    ['org heron', ['organization'], 'heron'],
    ['wo laurel', ['write-off'], 'laurel'],
    ['am maya', ['account-manager'], 'maya'],
    // A prefix of two nouns.
    ['emp zephyr', ['employee', 'employer'], 'zephyr'],
    ['or heron', null, 'or heron'],
    ['our empl', null, 'our empl'],
    ['lh17919', null, 'LH-17919'],
  ] as const)
    expect({ typed, ...read(typed) }).toMatchObject({ typed, only, text: expect.stringMatching(new RegExp(`^${text}$`, 'i')) })
  expect(composed('org heron').empty).toContain('“org heron”')
})

test('[CARD-003] a synonym of a noun matches where nothing else is found', () => {
  const entities = [employee, employer, invoice, repayment]
  const shown = (typed: string, missed: boolean) =>
    listsIn(parsed(typed, entities, missed ? 1 : 0)).map(({ command, q }) => `${command.id} ${q}`.trim())
  expect(shown('bills laurel', false)).toEqual([])
  expect(shown('bills laurel', true)).toEqual(shown('invoices laurel', true))
  expect(shown('bills laurel', true)).toContain('filter.show.invoice.all laurel')
  expect(shown('failed payments', true)).toEqual(shown('failed repayments', true))
  // Within an address or a hyphenated name it is not a noun.
  for (const text of ['payments@laurel.example', 'bills-laurel']) expect(parsed(text, entities, 1).text).toBe(text)
  const asked = (typed: string) => composed(typed, { entities, missed: true }).titles[0]
  expect(asked('unpaid bills over 5000')).toBe(asked('unpaid invoices over 5000'))
})

test('[CARD-003] an id, phone number or e-mail may be preceded by its kind', () => {
  const entities = [employee, employer, invoice, writeOff]
  for (const [typed, only, text] of [
    ['id 100171', null, '100171'],
    ['employee id 100171', ['employee'], '100171'],
    ['invoice number 40123', ['invoice'], '40123'],
    ['phone 0163', null, '0163'],
    ['phone number 2015550163', null, '2015550163'],
    ['call (201) 555-0163', null, '(201) 555-0163'],
    ['cell +1 201 555 0163', null, '+1 201 555 0163'],
    ['email maya.lindt@example.com', null, 'maya.lindt@example.com'],
    // No prefix of this kind: a word of a command's title, a name, and text without a number.
    ['clear phone number 0163', null, /0163/],
    ['phone number', null, 'phone number'],
    ['email laurel', null, 'email laurel'],
  ] as const)
    for (const missed of [false, true]) {
      const read = parsed(typed, entities, missed ? 1 : 0)
      expect({ typed, only: read.only, text: read.text }).toEqual({
        typed,
        only,
        text: typeof text === 'string' ? text : expect.stringMatching(text),
      })
    }
  expect(actionsIn(parsed('clear phone number 0163', entities))).not.toEqual([])
})

test('[CARD-003] filters apply to any list, from anywhere', () => {
  const entities = [employee, employer, invoice, repayment, importedFile]
  const shown = (typed: string) => {
    const { rows, active } = composed(typed, { missed: true, entities })
    const [row] = rows
    expect(row, typed).toMatchObject({ kind: 'command', title: active })
    return row?.kind === 'command' ? [row.title, row.params] : []
  }
  expect(shown('overdue > 500')).toEqual([
    'Show overdue invoices · Outstanding over $500.00',
    { set: [{ id: 'outstanding', type: 'over', value: '50000' }], q: '' },
  ])
  expect(shown('invoices over 500')[0]).toBe('Show all invoices · Outstanding over $500.00')
  for (const typed of ['invoices between 1000 and 2000', 'invoices 1000 to 2000'])
    expect(shown(typed)[1]).toEqual({ set: [{ id: 'outstanding', type: 'between', value: '100000..200000' }], q: '' })
  for (const typed of ['outstanding 100 to 500', 'outstanding between 100 and 500'])
    expect(shown(typed)[1]).toEqual({ set: [{ id: 'outstanding', type: 'between', value: '10000..50000' }], q: '' })
  expect(shown('due 1 nov to 15 nov')[0]).toMatch(/^Show all invoices · Due date .+ to /)
  for (const typed of ['not paid', 'not paid invoices', 'invoices not paid'])
    expect(shown(typed)[1]).toEqual({ set: [{ id: 'status', type: 'is_not', value: 'CLOSED' }], q: '' })
  expect(shown('invoices due this week')[0]).toMatch(/^Show all invoices · Due date /)
  expect(shown('laurel employees paused')).toEqual(['Show paused employees · Search for “laurel”', { set: [], q: 'laurel' }])
  // A partial word may be a name, and another list does not match.
  expect(shown('employees biweek')[0]).toBe('Show all employees · Search for “biweek”')
  expect(composed('failed repayments zephyr', { missed: true, entities }).titles).not.toContain(
    'Show failed imports · Search for “repayments zephyr”',
  )
  // No list is named, where the filters determine it.
  expect(shown('due last week')[0]).toMatch(/^Show all invoices · Due date /)
  expect(shown('hired last month')[0]).toMatch(/^Show all employees · Hire date /)
  expect(composed('zephyr last week', { missed: true, entities }).titles).toEqual([])
  expect(shown('invoices overdue more than 30 days')[0]).toMatch(
    /^Show overdue invoices · Due date 1 Jan 1900 to |^Show all invoices · Due date 1 Jan 1900 to .*Overdue/,
  )
  expect(shown('overdue laurel > 500')[0]).toMatch(
    /^Show overdue invoices · Outstanding\D* over \$500\.00 · Search for “laurel”$/,
  )
  expect(shown('failed repayments last week')[0]).toMatch(
    /^Show all repayments · Repayment date .* · Reconciliation is .*Failed$/,
  )
  const { titles } = composed('open invoices over 1000 last month', { missed: true, entities })
  expect(titles.length).toBeGreaterThan(1)
  for (const title of titles)
    expect(title).toMatch(/^Show open invoices · Outstanding over \$1,000\.00 · (Issue|Report|Due) date /)
  // A hire date is not the date of a pause.
  for (const time of ['last week', 'today']) expect(shown(`paused ${time}`)[0]).toBe('Show paused employees')
  // A bare day is offered for each date of the list; it is not dropped.
  expect(composed('invoices today', { missed: true, entities }).titles).toEqual([
    expect.stringMatching(/^Show all invoices · Issue date is /),
    expect.stringMatching(/^Show all invoices · Report date is /),
    expect.stringMatching(/^Show all invoices · Due date is /),
  ])
  expect(composed('repayments today', { missed: true, entities }).titles).toEqual([
    expect.stringMatching(/^Show all repayments · Repayment date is /),
  ])
  // It may also be a name.
  expect(shown('employees may')).toEqual(['Show all employees · Search for “may”', { set: [], q: 'may' }])
  expect(shown('repayments over 1000 last week')[0]).toMatch(
    /^Show all repayments · Repayment date .+ to .+ · Amount over \$1,000\.00$/,
  )
  // An API without this filter is not asked for it.
  const old = composed('overdue > 500', {
    missed: true,
    entities,
    supports: (_, name = '') => !/^(outstanding|amount)-/.test(name),
  })
  expect(old.titles).toEqual(['Show overdue invoices'])
  expect(old.row('Show overdue invoices')).toMatchObject({ note: 'not understood: “> 500”' })
  // A command on a list is not a search term in it.
  expect(shown('export invoices')[0]).toBe('Show all invoices')
})

test('[CARD-003] a number that is no write-off leads to its invoice, and undo with a command to the undo', () => {
  const among = [employee, invoice, writeOff]
  const read = (typed: string) => parsed(typed, among, 1)
  for (const typed of ['write off 40100', 'suggest write-off 40100'])
    expect(read(typed)).toMatchObject({
      text: '40100',
      only: typed === 'write off 40100' ? ['invoice'] : null,
      readings: expect.arrayContaining([
        expect.objectContaining({ command: expect.objectContaining({ id: 'invoice.suggest-write-offs' }), by: null }),
      ]),
    })
  expect(read('undo pause')).toMatchObject({ mode: 'commands', text: 'undo', said: 'undo pause' })
  expect(actionsIn(read('deactivate laurel')).map(({ command }) => command.id)).toContain('employer.deactivate')
})

/** API results for these nouns, by text and by typed id. */
const answered = (lists: Record<string, readonly unknown[]>, ids: Record<string, unknown> = {}): SearchResults =>
  ({
    asked: '',
    lists: Object.fromEntries(
      Object.entries(lists).map(([noun, rows]) => [noun, { state: 'done', rows, more: false, problem: null }]),
    ),
    ids: Object.fromEntries(Object.entries(ids).map(([noun, record]) => [noun, { state: 'hit', record, problem: null }])),
  }) as unknown as SearchResults

test('[CARD-003] suggesting write-offs is also offered after the write-offs of a named invoice', () => {
  const entities = [employee, invoice, writeOff]
  const billed = invoiceLike({ id: 40887, number: 'INV-40887' })
  const other = invoiceLike({ id: 40888, number: 'INV-40888' })
  const by = { id: '1', name: 'Priya Raman' }
  const suggested = WriteOff.parse({
    ...{ id: 70001, invoice_id: 40887, invoice_number: 'INV-40887', invoice_status: 'SENT', invoice_version: 1, line_id: 1 },
    ...{ employer: { id: 1, name: 'Bluebird Hotel 1' }, organization: { id: 2, name: 'Bluebird Hospitality' } },
    ...{ employee_id: 118204, employee_name: 'Paulina Reyes', suggested_amount: 500, approved_amount: null, own: false },
    ...{ reason: writeOffReasons[0], details: null, status: 'PENDING', suggested_by: by, suggested_at: '2026-11-12T09:14:00Z' },
    ...{ decided_by: null, decided_at: null, decision_reason: null, comments: null, updated_at: '2026-11-12T09:14:00Z' },
    version: 1,
  })
  for (const typed of ['write off INV-40887', 'write off 40887']) {
    const found = answered({ 'write-off': [suggested], invoice: [other] }, { invoice: billed })
    const { rows, titles, row } = composed(typed, { entities, found })
    expect(rows[0], typed).toMatchObject({ kind: 'record', id: '70001' })
    expect(row('Suggest write-offs: INV-40887')).toMatchObject({ usable: true, targets: { entity: 'invoice', ids: ['40887'] } })
    expect(titles.filter((title) => title.includes('40888'))).toEqual([])
  }
  // Words without a number are no id: only the noun matches.
  expect(byIdIn(parsed('write off laurel', entities))).toEqual([])
})

test('[CARD-003] a command before a name applies to eligible records, and a title prefix selects it', () => {
  const at = (name: string) => ({ employer: { ...invoiceLike().employer, name } })
  const billed = invoiceLike({ id: 40887, number: 'INV-40887', ...at('Bluebird Hotel 1') })
  // Found by a field that is not displayed.
  const overpaid = invoiceLike({ id: 40880, number: 'INV-40880', status: 'CLOSED', outstanding_amount: -500 })
  const found = answered({ invoice: [billed, overpaid] })
  const { titles, active } = composed('refund bluebird', { entities: [employee, employer, invoice], found })
  expect(titles.slice(0, 4)).toEqual([
    'Refund overpayment: INV-40880',
    'Refund overpayment: INV-40887',
    'Cancel refund: INV-40887',
    'Cancel refund: INV-40880',
  ])
  // The company has several invoices: none of them was named.
  expect(active).toBeNull()
  // The same for a single invoice, though neither command can be run on it.
  expect(composed('refund 40887', { entities: [employee, employer, invoice], found }).titles[0]).toBe(
    'Refund overpayment: INV-40887',
  )
})

test('[CARD-003] `of` before a name is not searched for', () => {
  const shown = composed('employees of laurel', { entities: [employee, employer, invoice] }).titles
  expect(shown).toContain('Show all employees · Search for “laurel”')
  expect(composed('invoices of laurel', { entities: [employee, employer, invoice] }).titles).toContain(
    'Show all invoices · Search for “laurel”',
  )
})

const historyEntry = (id: string, title: string, sentence: string, undone = false): HistoryEntry => ({
  ...{ id, at: Date.now(), command: 'employee.pause', title, sentence, target: null, params: {} },
  ...{ before: null, after: null, answers: [], undone },
})

test('[CARD-003] the undo names what it undoes, and `undo pause` the last pause, whatever was done since', () => {
  const entry = historyEntry
  const done = [
    entry('3', 'Resume employee', 'Resumed Juan White'),
    entry('2', 'Pause employee', 'Paused Ann Lee', true),
    entry('1', 'Pause employee', 'Paused Sadia Barnes'),
  ]
  expect(composed('undo', { done }).row('Undo the last action')).toMatchObject({ note: 'Resumed Juan White', preselects: true })
  // Its own title adds nothing.
  for (const typed of ['Undo the last action', 'undo last']) expect(composed(typed, { done }).active).toBe('Undo the last action')
  for (const typed of ['undo pause', 'undo paused sadia']) {
    const { active, row } = composed(typed, { missed: true, done })
    expect(active).toBe('Undo: Paused Sadia Barnes')
    expect(row('Undo: Paused Sadia Barnes')).toMatchObject({ params: { entry: '1' } })
  }
  // Actions that failed or were undone are not the last action.
  const { rows, active } = composed('undo ann', { missed: true, done })
  expect(rows[0]).toMatchObject({ title: 'Undo the last action', note: 'Resumed Juan White' })
  expect(active).toBeNull()
})

test('the undo is not highlighted where nothing can be undone, and says why', () => {
  const entry = (more: Partial<HistoryEntry>): HistoryEntry => ({
    ...{
      id: '1',
      at: Date.now(),
      command: 'import.import-all-the-same',
      title: 'Import all the same',
      sentence: 'Received a.csv',
    },
    ...{ target: null, params: {}, before: null, after: null, answers: [], undone: false, ...more },
  })
  const row = (...done: HistoryEntry[]) => composed('undo', { done }).row('Undo the last action')
  const off = (note: string) => ({ note, usable: false, preselects: false, state: { state: 'off', sentence: note } })
  expect(row()).toMatchObject(off('There is nothing to undo.'))
  const never = 'Import all the same cannot be undone.'
  expect(row(entry({ noUndo: never }), entry({ id: '2', noUndo: never }))).toMatchObject(off(never))
  expect(row(entry({ undone: true }), entry({ at: Date.now() - 660_000 }))).toMatchObject(off('There is nothing to undo.'))
  // An older action can be undone: on request it says that this one cannot, and which can.
  expect(row(entry({ noUndo: never }), entry({ id: '2', sentence: 'Paused Ann Lee' }))).toMatchObject({
    note: never,
    usable: true,
  })
  expect(row(entry({ passed: true, noUndo: never }), entry({ id: '2', sentence: 'Paused Ann Lee' }))).toMatchObject({
    ...{ note: 'Paused Ann Lee', usable: true, preselects: true },
  })
})

test('[CARD-003] typos: two misspelled words of a command are treated as a name', () => {
  expect(composed('maia chen', { records: [] }).titles).toEqual([])
  // The correction is only typed: no command is found.
  expect(composed('pasue emplyoee', { records: [] }).titles).toEqual(['pause employee'])
  expect(composed('pasue employee', { records: [] }).titles).toContain('Pause employee')
})

test('[CARD-003] whole words of a name rank before prefixes', () => {
  const [cheng, chen] = [
    employeeLike(1, 'Elena', 'Cheng', { employee_code: 'NG-1' }),
    employeeLike(2, 'John', 'Chen', { employee_code: 'NG-2' }),
  ]
  expect(composed('chen ng', { records: [cheng, chen] }).titles.slice(0, 2)).toEqual(['John Chen', 'Elena Cheng'])
})

const guessed = (lists: Record<string, readonly unknown[]>, ...similar: Employee[]): SearchResults => ({
  ...answered(lists),
  similar: { employee: similar, employer: [] },
})

test('[CARD-003] similar names are last under their heading, and Enter takes none of them by default', () => {
  const john = employeeLike(131313, 'John', 'Smith')
  const alone = composed('jhon smith', { records: [], found: guessed({ employee: [] }, john) })
  expect(alone.groups.map(({ title, rows }) => [title, rows.map((row) => row.title)])).toEqual([
    ['Similar names', ['John Smith']],
  ])
  expect(alone.active).toBeNull()
  const exact = employeeLike(141414, 'Jhon', 'Smithers')
  const beside = composed('jhon smith', { records: [], found: guessed({ employee: [exact] }, exact, john) })
  expect(beside.groups.at(0)?.rows.at(0)?.title).toBe('Jhon Smithers')
  expect(beside.groups.at(-1)?.title).toBe('Similar names')
  expect(beside.groups.at(-1)?.rows.map(({ title }) => title)).toEqual(['John Smith'])
  expect(beside.active).toBe('Jhon Smithers')
})

test('[CARD-003] a command with a misspelled name is offered for the similar name, without highlight', () => {
  const john = employeeLike(131313, 'John', 'Smith')
  const { groups, active } = composed('pause jhon smith', { records: [], found: guessed({ employee: [] }, john) })
  expect(groups.at(-1)).toMatchObject({
    title: 'Similar names',
    rows: [
      { title: 'Pause employee: John Smith', kind: 'command' },
      { title: 'John Smith', kind: 'record' },
    ],
  })
  expect(active).toBeNull()
})

test.each(['benjamin ortis', 'pause paulina reyez', 'adeyemy', '@benjamin ortis', 'benjamin ortis resume'])(
  '[CARD-003] a locally known record with a misspelled name is only a guess, too: `%s`',
  (typed) => {
    const { groups, active } = composed(typed, { tries: 1 })
    expect(active).toBeNull()
    expect(groups.at(-1)?.title).toBe('Similar names')
    expect(groups.at(-1)?.rows.length).toBeGreaterThan(0)
    expect(groups.slice(0, -1).flatMap(({ rows }) => rows.filter(({ kind }) => kind === 'record'))).toEqual([])
  },
)

test('[CARD-003] an address is extracted from text copied from a mail program, and ids from one line', () => {
  expect(readTyped('Paul Reyes <paul@example.org>', [employee], location.origin)).toMatchObject({
    text: 'paul@example.org',
    said: 'Paul Reyes <paul@example.org>',
  })
  expect(composed('$1,234.50', { records: [] }).empty).toContain('“$1,234.50”')
  // 'Last, First' as in a payroll register, but no other text with a comma.
  expect(readTyped('Adeyemi, Paul', [employee], location.origin).text).toBe('Adeyemi Paul')
  expect(composed('adeyemi, paul').active).toBe('Paul Adeyemi')
  for (const text of ['129831, 137273', 'adeyemi,', 'nov 3, 2026', 'a, b, c'])
    expect(readTyped(text, [employee], location.origin).text).toBe(text)
  expect(holdsIds('129831 137273 161983')).toBe(true)
  expect([...readPasted('129831 137273\n', employee).ids.keys()]).toEqual(['129831', '137273'])
  for (const number of ['555 123 4567', '12345', '1 555 123 45678']) expect(holdsIds(number), number).toBe(false)
})

test('[CARD-003] on the second pass, filler words of a question are ignored, and a verb may be a prefix', () => {
  const read = (typed: string) => parsed(typed, among, 1)
  const among = [employee, employer, invoice, accountManager]
  const done = (typed: string) => actionsIn(read(typed)).map(({ command }) => command.id)
  expect(read("why can't paul")).toMatchObject({ text: 'paul', said: "why can't paul", only: null })
  expect(read('list of paul')).toMatchObject({ text: 'paul', said: 'list of paul', only: null })
  expect(read('who is paul reyes').text).toBe('paul reyes')
  expect(read('how do i sign out').text).toBe('sign out')
  expect(done('could you pause paul')).toEqual(['employee.pause'])
  // Names with such a word stay unchanged as long as they find something.
  expect(parsed('an nguyen', among).text).toBe('an nguyen')
  for (const typed of ['config of laurel', 'laurel config']) {
    expect(read(typed).text).toBe('laurel')
    expect(done(typed)).toContain('employer.configure')
  }
  expect(done('pau 118204')).toEqual(['employee.pause'])
  // By an alias without the noun.
  expect(done('link paul')).toEqual(['account-manager.connect'])
  for (const typed of ['unpaid zephyr', 'open invoices of zephyr', 'zephyr outstanding invoices'])
    expect(listsIn(read(typed))).toEqual([
      { kind: 'list', command: expect.objectContaining({ title: 'Show open invoices' }), q: 'zephyr' },
    ])
})

test('the message for no matches quotes the complete text', () => {
  expect(composed('pause nobody').empty).toContain('“pause nobody”')
})

test('an amount alone without another match filters each list that has amounts', () => {
  const entities = [employee, invoice, repayment]
  for (const typed of ['$1,234.50', '1234.50', '1,234.50']) {
    const rows = composed(typed, { missed: true, entities, records: [] }).rows.map((row) => 'title' in row && row.title)
    expect(rows.slice(0, 2)).toEqual([
      'Show all invoices · Outstanding $1,234.50 to $1,234.51',
      'Show all repayments · Amount $1,234.50 to $1,234.51',
    ])
  }
  expect(composed('invoices $8,685', { missed: true, entities }).rows[0]).toMatchObject({
    title: 'Show all invoices · Outstanding $8,685.00 to $8,685.01',
  })
})

test('a day alone is offered for each date of each list, and no list without dates', () => {
  const { rows } = composed('11/14/2026', { missed: true, entities: [employee, invoice, user], records: [] })
  const titles = rows.map(({ title }) => title)
  expect(titles).toContain('Show all invoices · Due date is 14 Nov 2026')
  expect(titles).toContain('Show all employees · Hire date is 14 Nov 2026')
  expect(titles.every((title) => title.endsWith('14 Nov 2026'))).toBe(true)
})

test('a period after search terms is offered for each date of a list of events, and no other', () => {
  const [first, ...more] = composed('invoices laurel last month', { missed: true, entities: [employee, invoice] }).rows
  expect(first).toMatchObject({ params: { set: [{ type: 'between' }], q: 'laurel' } })
  expect(more.length).toBeGreaterThan(0)
  expect(composed('paused employees yesterday', { missed: true, entities: [employee, invoice] }).rows[0]).toMatchObject({
    title: 'Show paused employees',
    note: 'no date for “yesterday”',
  })
})

test('an amount alone without results suggests how to search for amounts, with a valid example', () => {
  for (const typed of ['$1,234.50', '1234.50']) {
    const { empty } = composed(typed, { records: [] })
    expect(empty).toBe(`Nothing is found by “${typed}” alone. Type the amount with a list: “invoices 1234 to 1235”.`)
  }
  expect(composed('12', { records: [], commands: [] }).empty).toContain('Nothing matches “12”.')
  expect(composed('invoices 1234 to 1235', { missed: true, entities: [employee, invoice, repayment] }).rows[0]).toMatchObject({
    kind: 'command',
    params: { set: [{ id: 'outstanding', type: 'between', value: '123400..123500' }], q: '' },
  })
})

test('a list that the person may not see names the missing right, also for amounts', () => {
  for (const typed of ['invoices laurel last month', '$1,234.50', '$50'])
    expect(composed(typed, { lacks: ['read:billing'], records: [], missed: true, entities: [employee] }).empty).toBe(
      `Nothing is found by “${typed}”. ${noPermission} It needs the right to see billing.`,
    )
})

test('a noun without results is used as a command prefix for another noun', () => {
  const harbor = employerLike()
  const among = { missed: true, entities: [employee, employer, invoice, importedFile] }
  const found: SearchResults = {
    ...noResults,
    lists: { employer: { state: 'done', rows: [harbor], more: false, problem: null } },
  }
  expect(composed('import harbor', { ...among, found }).active).toBe('Import file of employer: Harbor Foods')
  expect(composed('invoice paulina', among).active).toBe('Show Invoices of employee: Paulina Reyes')
})

test('text that matches as a whole is not split', () => {
  expect(composed('pause employee').titles).toContain('Pause employee')
  expect(composed('show paused', { selection: null }).titles).toContain('Show paused employees')
  const open = employeeLike(200001, 'Open', 'Door')
  expect(composed('open door', { records: [open] }).titles).toContain('Open Door')
})

test('> alone lists commands by title, the recently used first', () => {
  const { titles } = composed('>')
  expect(titles).toEqual([...titles].sort((one, other) => one.localeCompare(other)))
  expect(composed('>', { used: (key) => (key === 'session.sign-out' ? 1 : 0) }).titles[0]).toBe('Sign out')
})

test('[CARD-003] every command is first for its title', () => {
  expect(commands.length).toBeGreaterThan(400)
  const wrong = commands.filter(({ title }) => composed(`>${title}`, { records: [] }).titles[0] !== title)
  expect(wrong.map(({ id }) => id)).toEqual([])
})

test('[CARD-003] Enter on the title of any command of a record asks for the record, or says why not', () => {
  const odd = commands.flatMap((command) => {
    const [row] = composed(`>${command.title}`, { records: [] }).rows
    if (row?.kind !== 'command' || row.title !== command.title) return `${command.id}: finds ${row?.title}`
    if (!row.usable) return /^[A-Z].*\.$/.test(row.note ?? '') ? [] : `${command.id}: ${row.note}`
    if (!command.on) return []
    openPalette()
    runRow(row, 'here', () => {})
    const page = store.get(paletteAtom).pages.at(-1)
    return page?.kind === 'target' && page.command === row.command.id ? [] : `${command.id}: ${JSON.stringify(page)}`
  })
  closePalette()
  expect(odd).toEqual([])
})

test('an alias never preselects a command that changes data, even as the only result', () => {
  const { titles, active } = composed('unpause', { selection: selected(benjamin), records: [] })
  expect(titles[0]).toBe('Resume employee')
  expect(active).toBeNull()
  expect(composed('resume', { selection: selected(benjamin), records: [] }).active).toBe('Resume employee')
  expect(composed('dark mode', { records: [] }).active).toBe('Switch theme')
})

test('irreversible commands are preselected neither without text nor for two initials', () => {
  const invoices = oneInvoice(invoiceLike({ status: 'SENT', derived: [] }))
  const { titles, active } = composed('', { selection: invoices })
  expect([titles[0], active]).toEqual(['Add repayment', null])
  expect(composed('rp', { records: [] }).titles).toContain('Reset password of account manager')
  expect(composed('rp', { records: [] }).active ?? '').not.toMatch(/^Reset password/)
  expect(composed('reset password of account', { records: [] }).active).toBe('Reset password of account manager')
  expect(composed('add rep', { selection: invoices, records: [] }).active).toBe('Add repayment')
})

test('the highlight uses the same reversibility as the row: that of the selected record', () => {
  const closing = (status: Invoice['status']) => {
    const { rows, preselected, row } = composed('ci', {
      selection: oneInvoice(invoiceLike({ status, derived: [] })),
      entities: [employee, employer, invoice],
      records: [],
    })
    return { note: row('Close invoice')?.note ?? '', active: rows[preselected] === row('Close invoice') }
  }
  expect(closing('SENT')).toEqual({ note: '', active: true })
  expect(closing('PARTIALLY_RETURNED')).toEqual({ note: 'cannot be undone', active: false })
})

test.each([
  ['nsf', 'Retry ACH debit'],
  ['nsf', 'Record return'],
  ['restart', 'Resume employee'],
  ['who changed', 'Open audit'],
  ['change log', 'Open audit'],
  ['grant access', 'Change connections of account manager'],
  ['grant access', 'Change permissions of account manager'],
  ['tx', 'Show Transactions of employee'],
  ['pay groups', 'Show Payroll Group of employer'],
  ['what can i do', 'My Permissions'],
  ['log off', 'Sign out'],
  ['ach returns', 'Record return'],
])('%s is an alias of %s', (typed, title) => {
  expect(composed(typed, { records: [] }).titles.slice(0, 3)).toContain(title)
})

test('sort with a column name sorts the open list, with the opposite of the current order first', () => {
  const sorts = [
    { id: 'due_date', title: 'Due date' },
    { id: 'outstanding_amount', title: 'Outstanding amount' },
  ]
  const pane: OpenPane = { ...employees, sorts, sort: { id: 'outstanding_amount', order: 'desc' } }
  const { rows, active, titles } = composed('sort outstanding', { pane, records: [] })
  expect(titles).toEqual(['Sort by Outstanding amount, ascending', 'Sort by Outstanding amount, descending'])
  expect(active).toBe(titles[0])
  expect(rows[0]).toMatchObject({ command: { id: 'list.sort' }, params: { sort: 'outstanding_amount', order: 'asc' } })
  expect(composed('Sort by due desc', { pane, records: [] }).titles).toEqual(['Sort by Due date, descending'])
  expect(composed('sort', { pane, records: [] }).active).toBe('Sort this list')
  // Not the command that resets them.
  expect(composed('columns', { pane, records: [] }).active).toBe('Choose columns')
  expect(composed('sort outstanding', { records: [] }).titles).toEqual([])
})

test('a command that changes data is not preselected for a near match of its title', () => {
  const { rows, active, titles } = composed('ravers', { records: [] })
  expect(titles).toContain('Reverse write-off')
  const row = rows.find((each) => each.title === active)
  expect(row?.kind === 'command' && changes(row.command)).toBe(false)
})

test('an unknown id is reported as an id', () => {
  expect(composed('INV-40712', { records: [], commands: [] }).empty).toBe('No such record “INV-40712”, or you have no access.')
})

test('a command whose title contains the text keeps the highlight, despite a better alias match', () => {
  for (const typed of ['off-c', 'off-cycle', 'offc']) {
    const { titles, active } = composed(typed, { selection: selected(paul), records: [] })
    expect([titles[0], active]).toEqual(['Terminate employee off-cycle', 'Terminate employee off-cycle'])
  }
  expect(composed('final pay', { selection: selected(paul), records: [] }).active).toBeNull()
})

test('an unavailable best match keeps its place and the highlight, whatever else matches', () => {
  const both = composed('pause', { selection: selected(benjamin), records: [paul] })
  expect([both.titles[0], both.active]).toEqual(['Pause employee', 'Pause employee'])
  expect(both.titles.length).toBeGreaterThan(1)
  // An alias must be selected explicitly, and a person with this name is not what was asked for.
  const alias = composed('suspend', { selection: selected(paul), records: [employeeLike(7, 'Suspend', 'Moore')] })
  expect([alias.titles.slice(0, 2), alias.active]).toEqual([['Pause employee', 'Suspend Moore'], null])
  // A better match of a name is what was asked for.
  expect(composed('paul', { selection: selected(benjamin) }).active).toBe('Paul Adeyemi')
})

test('a refused command is not replaced by another one that moves money', () => {
  const one = invoiceLike()
  const selection: Selection = {
    entity: 'invoice',
    ids: [String(one.id)],
    rows: new Map([[String(one.id), one]]),
    filter: null,
    count: 1,
    how: 'active',
  }
  const { titles, active, rows } = composed('ro', { selection, records: [] })
  expect([titles[0], active]).toEqual(['Roll overpayment over', 'Roll overpayment over'])
  expect(rows[0]).toMatchObject({ usable: false })
})

test('for any text from any command, the highlight is on the first row or nowhere', () => {
  const chosen = [selected(benjamin), selected(paul)]
  const words = commands.flatMap(({ title, aliases = [] }) => [title, ...aliases])
  const texts = new Set(words.flatMap((each) => [each.slice(0, 3).toLowerCase(), each.toLowerCase()]))
  const wrong: string[] = []
  for (const selection of chosen)
    for (const text of texts) {
      const { rows, preselected } = composed(text, { selection })
      const [first] = rows
      if (preselected > 0 || (first && !first.usable && preselected !== 0)) wrong.push(text)
    }
  expect(wrong).toEqual([])
})

test('an update of the list never moves the highlight to another command that changes data', () => {
  const before = composed('', { selection: selected(paul), actions: true })
  const pausing = before.rows.findIndex((row) => row.title === 'Pause employee')
  const now = composed('', { selection: selected({ ...paul, status: 'PAUSED' }), actions: true })
  const resuming = now.rows.findIndex((row) => row.title === 'Resume employee')
  const list = { rows: now.rows, preselected: resuming, sure: true }
  const was = { list: 'a', key: before.rows[pausing]?.key ?? null, sure: true }
  expect(now.rows[highlit(list, was, 'a')]?.title).toBe('Pause employee')
  expect(highlit({ ...list, rows: now.rows.filter((row) => row.title !== 'Pause employee') }, was, 'a')).toBe(-1)
  // Another text or another target resets the highlight.
  expect(highlit(list, was, 'b')).toBe(resuming)
  const harmless = now.rows.findIndex((row) => row.kind === 'command' && !changes(row.command))
  expect(highlit({ ...list, preselected: harmless }, was, 'a')).toBe(harmless)
})

test('a known record is highlighted once no answer can precede it, or where it was before', () => {
  const { rows } = composed('paul a', { records: [paul] })
  const preselected = rows.findIndex((row) => row.kind === 'record')
  const at = (sure: boolean, key: string | null) =>
    highlit({ rows, preselected, sure }, { list: 'paul', key, sure: true }, 'paul a')
  expect(preselected).toBeGreaterThanOrEqual(0)
  expect([at(false, null), at(true, null)]).toEqual([-1, preselected])
  expect(at(false, rows[preselected]?.key ?? null)).toBe(preselected)
})

test('[CARD-007] an exact id is the first and only result', () => {
  const near = [employeeLike(1042340, 'Near', 'Miss'), employeeLike(104235, 'Next', 'One')]
  const { titles, active } = composed('104234', { records: [...near, benjamin] })
  expect([titles, active]).toEqual([['Benjamin Ortiz'], 'Benjamin Ortiz'])
})

test('[CARD-007] the answer of the API to an id is enough, and hides its results for the text', () => {
  const found: SearchResults = {
    asked: 'all null 104234',
    ids: {
      employee: { id: '104234', state: 'hit', record: benjamin, problem: null },
      employer: { id: '104234', state: 'miss', record: undefined, problem: null },
    },
    lists: { employee: { state: 'done', rows: [paul], more: false, problem: null } },
  }
  expect(composed('104234', { records: [], found }).titles).toEqual(['Benjamin Ortiz'])
})

test('[CARD-007] an exact id is certain before all answers, unless an earlier noun may have that id', () => {
  const waiting = { waiting: true }
  expect(composed('104234', { ...waiting }).sure).toBe(true)
  expect(composed('104234').sure).toBe(true)
  expect(composed('104234', { ...waiting, entities: [employer, employee] }).sure).toBe(false)
  const missed = { id: '104234', state: 'miss' as const, record: undefined, problem: null }
  const found: SearchResults = { ...noResults, ids: { employer: missed } }
  expect(composed('104234', { ...waiting, entities: [employer, employee], found }).sure).toBe(true)
  expect(composed('paul', { ...waiting }).sure).toBe(false)
  expect(composed('paul').sure).toBe(true)
})

test('[CARD-007] an unknown id is one row that retries the lookup', () => {
  const missed = { id: '999999', state: 'miss' as const, record: undefined, problem: null }
  const { rows, active } = composed('999999', {
    records: [],
    found: { asked: '', lists: {}, ids: { employee: missed, employer: missed } },
  })
  expect(rows.map((row) => [row.kind, row.title])).toEqual([['ask', 'Open employee 999999']])
  expect(active).toBe('Open employee 999999')
})

test('[CARD-007] a record with a UUID is opened by a pasted one, in upper or lower case', () => {
  const uuid = '0198c2a4-7d3e-7b1a-9f00-3c5d2e8a41b7'
  const person = defineEntity({ ...employee, name: 'person', one: 'person', many: 'people', path: '/people', ids: uuids })
  const typed = (text: string) => readTyped(text, [employee, person], 'https://admin.example.com').ids
  expect(typed('104234')).toEqual([{ entity: employee, id: '104234' }])
  for (const text of [uuid, uuid.toUpperCase(), `https://admin.example.com/people/${uuid}`, `person ${uuid}`])
    expect(typed(text)).toEqual([{ entity: person, id: uuid }])
  const hit = { id: uuid, state: 'hit' as const, record: { ...paul, id: uuid }, problem: null }
  const found: SearchResults = { asked: '', lists: {}, ids: { person: hit } }
  const { active, rows } = composed(uuid, { entities: [employee, person], records: [], found })
  expect([active, rows.length]).toEqual(['Paul Adeyemi', 1])
})

test('the group with the best match comes first', () => {
  expect(composed('paul adeyemi').groups[0]?.title).toBe('Employees')
  expect(composed('pause employee').groups[0]?.title).toBe('Commands')
})

test('[PERM-037] a command without permission is found locked, and hidden without a search', () => {
  const lacks: PermissionName[] = ['write:employees']
  const searched = composed('pause employee', { lacks, selection: selected(paul) })
  expect(searched.row('Pause employee')).toMatchObject({
    icon: 'lock',
    usable: false,
    note: "You don't have permission to take this action. It needs the right to change employees.",
  })
  expect(composed('', { lacks, selection: selected(paul) }).titles).not.toContain('Pause employee')
  expect(composed('', { selection: selected(paul) }).titles).toContain('Pause employee')
})

test('a row says that it cannot be undone once its record is known, not where only a page opens', () => {
  const linked = employeeLike(1, 'A', 'B', { user_id: 7 })
  expect(composed('unlink', { selection: selected(linked) }).row('Unlink employee from user')?.note).toBe('cannot be undone')
  expect(composed('>unlink').row('Unlink employee from user')?.note).toBe('asks which employee')
  expect(composed('>pause employee').row('Pause employee')?.note).not.toMatch(/cannot be undone|cannot undo it/)
  for (const title of ['Add pay group', 'Add file mapping', 'Edit employer configuration'])
    expect(composed(`>${title}`).row(title)?.note).not.toContain('cannot be undone')
  // A pause is undone by resuming, which needs another permission.
  expect(composed('>pause employee', { lacks: ['write:unpause'] }).row('Pause employee')?.note).toContain('you cannot undo it')
})

test('several rows: the number of eligible ones, or why there are none', () => {
  const two = selected(benjamin, paul)
  const { row, groups } = composed('pause', { selection: two, records: [] })
  expect(groups[0]?.title).toBe('On 2 employees')
  expect(row('Pause employee')).toMatchObject({ usable: true, note: '1 of 2' })
  const none = composed('pause', { selection: selected(benjamin, { ...benjamin, id: 104235 }), records: [] })
  expect(none.row('Pause employee')).toMatchObject({ usable: false })
})

test('without text: at most 12 rows, the selection’s first, nothing irreversible preselected', () => {
  const irreversible: Command[] = ['a', 'b'].map((name) => ({
    ...(commands.find(({ id }) => id === 'employee.unlink') as Command),
    id: `employee.${name}`,
    title: `Delete ${name}`,
    irreversible: true,
  }))
  const linked = employeeLike(5, 'Linked', 'One', { user_id: 7 })
  const { rows, groups, active } = composed('', { selection: selected(linked), commands: [...irreversible, ...commands] })
  expect(rows.length).toBeLessThanOrEqual(12)
  expect(groups[0]?.title).toBe('On this employee')
  expect(active).toBeNull()
  const alone = composed('', { selection: selected(linked), commands: irreversible })
  expect(alone.active === null || !alone.row(alone.active)?.usable).toBe(true)
})

const moves = ['session.undo', 'run.retry', 'run.stop']

test('without text: Enter changes nothing, whatever was used last', () => {
  const done = [historyEntry('1', 'Pause employee', 'Paused Paulina Reyes')]
  const empty = ['', '>', '/', '#', '@'].flatMap((typed) =>
    [null, selected(paul), selected(benjamin, paul), oneInvoice(sent)].map((selection) => ({ typed, selection })),
  )
  for (const last of commands.filter((command) => changes(command) || moves.includes(command.id)))
    for (const { typed, selection } of moves.includes(last.id) ? empty : empty.slice(0, 4)) {
      const used = (key: string) => (key === last.id ? 100 : 0)
      const { rows, preselected } = composed(typed, { selection, used, done, pane: employees })
      const row = rows[preselected]
      expect(row?.kind === 'command' && mayAlter(row.command), `${typed} after ${last.id}: ${row?.title}`).toBe(false)
      expect(preselected).toBeLessThanOrEqual(0)
    }
})

test('the actions on a record keep their order, whatever was used, with the first highlighted', () => {
  const linked = employeeLike(5, 'Linked', 'One', { user_id: 7, phone_number: '+16505550100' })
  const records = [selected(linked), selected(benjamin), oneInvoice(sent), oneEmployer(employerLike())]
  for (const selection of records) {
    const fresh = composed('', { selection, actions: true })
    expect(fresh.preselected).toBe(0)
    for (const last of fresh.rows) {
      const used = (key: string) => (key === last.key ? 100 : 0)
      const { titles, preselected, row } = composed('', { selection, actions: true, used })
      expect([titles, preselected]).toEqual([fresh.titles, 0])
      expect(row(last.title)?.note).toMatch(/used lately$/)
    }
  }
  const [first, second] = composed('', { selection: selected(linked), actions: true }).titles
  expect([first, second]).toEqual(['Pause employee', 'Additional transaction'])
  expect(composed('', { selection: oneEmployer(employerLike()), actions: true }).active).toBe('Edit employer configuration')
})

test('a command on a record is highlighted only once no better record can precede it', () => {
  const paid = invoiceLike({ id: 40058, number: 'INV-40058', status: 'SENT', derived: [], debtor_name: 'Harbor Foods' })
  const other = repaymentLike()
  const entities = [invoice, repayment]
  const list = 'add repayment harbor foods'
  const early = composed(list, { entities, records: [], found: answered({ repayment: [other] }), waiting: true, missed: true })
  expect(early.titles[0]).toMatch(/^Add repayment note: /)
  expect(highlit(early, null, list)).toBe(-1)
  const whole = answered({ repayment: [other], invoice: [paid] })
  const late = composed(list, { entities, records: [], found: whole, missed: true })
  expect(late.titles.slice(0, 2)).toEqual(['Add repayment: INV-40058', 'Add repayment note: REP-70001'])
  const before = { list, key: null, sure: false }
  expect(late.titles[highlit(late, before, list)]).toBe('Add repayment: INV-40058')
  const note = { list, key: late.rows[1]?.key ?? null, sure: false }
  expect(highlit(late, note, list)).toBe(-1)
})

test('a command that sends without a form asks for confirmation unless its full title was typed', () => {
  const linked = employeeLike(118204, 'Paulina', 'Reyes', { user_id: 7 })
  const force = (typed: string, selection: Selection | null) => {
    const row = composed(typed, { selection, records: [linked] }).rows.find(({ title }) =>
      title.startsWith('Force password change'),
    )
    return row?.kind === 'command' ? row.exact : null
  }
  for (const typed of ['force', 'force password', 'password', 'fpc', 'forec'])
    expect([typed, force(typed, selected(linked))]).toEqual([typed, false])
  for (const typed of ['force password change', 'Force Password Change', 'reset password', '>new password'])
    expect([typed, force(typed, selected(linked))]).toEqual([typed, true])
  expect(force('force password change paulina', null)).toBe(false)
  expect(force('force password change 118204', null)).toBe(true)
  expect(force('force password 118204', null)).toBe(false)
})

test('without text: recent records and commands, then pages', () => {
  const { groups } = composed('', {
    used: (key) => (key === 'view.theme' ? 100 : 0),
    recent: [recordRow(employee, localOf(employee, paul), null)],
  })
  expect(groups.map((group) => group.title).slice(0, 2)).toEqual(['Recent', 'Go to'])
  expect(groups[0]?.rows.map((row) => row.title)).toEqual(['Paul Adeyemi', 'Switch theme'])
  expect(groups[1]?.rows.map((row) => row.title)).toContain('Open employees')
})

test('/ alone lists the filter values of a list whose rows have no noun of their own', () => {
  const pane = { ...employees, name: 'rewards', entity: 'reward', title: 'Rewards', filters: rewardFilters }
  const [group] = composed('/', { pane }).groups
  expect(group?.rows.map(({ title }) => title)).toContain('Status is Expired')
  expect(group?.rows.every((row) => row.usable)).toBe(true)
})

test('the modes: commands only, people only, ids only, filters of the list, keys', () => {
  expect(composed('>pau').groups.map((group) => group.key)).toEqual(['commands', 'inside'])
  expect(composed('@pau').groups.map((group) => group.key)).toEqual(['employee'])
  expect(composed('@pau', { records: [employeeLike(9, 'Paul', 'Nomail', { email: null })] }).rows).toEqual([])
  expect(composed('#160').titles).toEqual(['Paul Adeyemi'])
  expect(composed('/').empty).toMatch(/Open a list first/)
  expect(composed('?').titles[0]).toBe('Show all keys')
  expect(composed('?tab').titles).toContain('Tab completes the next value')
  expect(composed('?').rows.every((row) => row.kind === 'text' || (row.kind === 'command' && row.chord !== null))).toBe(true)
})

test('the number of rendered rows is limited, however many match', () => {
  const many = Array.from({ length: 300 }, (_, index) =>
    defineCommand({ id: `made.${index}`, title: `Made ${index}`, needs: 'signed-in', act: () => {} }),
  )
  const crowd = Array.from({ length: 500 }, (_, index) => employeeLike(200000 + index, 'Made', `Person${index}`))
  expect(composed('made', { commands: many, records: crowd }).rows.length).toBeLessThanOrEqual(50)
})

test('a failed search is a row that retries it, and is never preselected', () => {
  const list = { state: 'failed' as const, rows: [], more: false, problem: 'The server did not answer.' }
  const { rows, active } = composed('zzz', { records: [], found: { asked: '', ids: {}, lists: { employee: list } } })
  expect(rows.map((row) => [row.kind, row.title])).toEqual([['retry', 'Employees could not be searched']])
  expect(active).toBeNull()
  const all = composed('zzz', { records: [], found: { asked: '', ids: {}, lists: { employee: list, employer: list } } })
  expect(all.rows.map((row) => [row.kind, row.title])).toEqual([['retry', 'Records could not be searched']])
})

test('a record shows its state and its most relevant figure', () => {
  expect(composed('paul').row('Paul Adeyemi')?.note).toMatch(/^160771 · .* · Active$/)
  const open = invoiceLike({ outstanding_amount: 120_00 })
  expect([
    localOf(invoice, open).subtitle.endsWith('$120.00 outstanding'),
    invoice.figure?.(invoiceLike({ outstanding_amount: -8_00 })),
  ]).toEqual([true, '$8.00 overpaid'])
})

test('a noun alone leads to its list, and title matches rank before aliases', () => {
  for (const [typed, title] of [
    ['repayment', 'Open repayments'],
    ['emp', 'Open employees'],
    ['inv', 'Open invoices'],
    ['write off', 'Open write-offs'],
    ['unmatched', 'Open unmatched bank results'],
    ['logout', 'Sign out'],
    ['ci', 'Close invoice'],
    ['wo app', 'Approve write-off'],
  ] as const)
    expect([typed, composed(typed, { records: [] }).active]).toEqual([typed, title])
  // Also with a record of that noun selected: its commands follow.
  const { groups, active } = composed('emp', { selection: selected(paul), records: [] })
  expect(active).toBe('Open employees')
  expect(groups.map((group) => group.title)).toEqual(['Commands', 'On this employee', 'Other commands'])
})

test('of equal matches, the shortest title comes first', () => {
  const { titles } = composed('return', { records: [] })
  expect(titles.indexOf('Record return')).toBeLessThan(titles.indexOf('Record late return'))
  expect(titles.indexOf('Record late return')).toBeLessThan(titles.indexOf('Book instead of the return by hand'))
  expect(composed('password', { selection: selected(paul), records: [] }).titles[0]).toBe('Force password change')
})

test('a company name leads to the company, then to its employees, then to its invoices', () => {
  const harbor = {
    ...{ id: 81001, internal_name: 'Harbor Foods', external_code: 'HF-1', external_name: 'Harbor Foods Inc.', status: 'ACTIVE' },
    ...{ brand: 'DAYLINE', organization_name: 'Pier Group', version: 1 },
  }
  const company = { id: 81001, name: 'Harbor Foods', code: 'HF-1', status: 'ACTIVE' }
  const billed = invoiceLike({ id: 40001, number: 'INV-40001', employer: company })
  const jo = employeeLike(100007, 'Jo', 'Berg', { employer: { ...company, organization_id: 9, organization_name: 'Pier Group' } })
  const lists = [harbor, billed, jo].map((row) => ({ state: 'done' as const, rows: [row], more: false, problem: null }))
  const found = {
    asked: '',
    ids: {},
    lists: { employer: lists[0] as never, invoice: lists[1] as never, employee: lists[2] as never },
  }
  for (const typed of ['Harbor Foods', 'harbor f', 'foods']) {
    const { titles, active, row } = composed(typed, { records: [], entities: [employee, employer, invoice], found })
    expect([typed, active]).toEqual([typed, 'Harbor Foods'])
    expect(titles).toEqual(['Harbor Foods', 'Show employees of Harbor Foods', 'Jo Berg', 'INV-40001'])
    expect(`${row('INV-40001')?.found} ${row('INV-40001')?.note}`.split('Harbor Foods')).toHaveLength(2)
  }
  const { titles } = composed('81001', { records: [], found: { ...found, lists: {}, ids: {} } })
  expect(titles).not.toContain('Show employees of Harbor Foods')
  // Commands on employees are offered for those who work there only where nobody else was found.
  const pausing = (lists: SearchResults['lists']) =>
    composed('pause harbor', { records: [], entities: [employee, employer], found: { ...found, lists } })
  expect(pausing(found.lists)).toMatchObject({ titles: ['Harbor Foods', 'Jo Berg'], active: null })
  expect(pausing({ employee: found.lists.employee })).toMatchObject({
    titles: ['Pause employee: Jo Berg', 'Jo Berg'],
    active: null,
  })
  // Commands on invoices are offered for those of the company, which have no other name.
  const closing = composed('close invoice harbor', { records: [], entities: [employee, employer, invoice], found })
  expect(closing.titles[0]).toBe('Close invoice: INV-40001')
  // But not those that display a part of an invoice: with a company its list is preferred.
  for (const [typed, missed] of [
    ['harbor repayments', true],
    ['repayments harbor', false],
  ] as const) {
    const { titles, active } = composed(typed, { records: [], entities: [employer, invoice, repayment], found, missed })
    expect([typed, active]).toEqual([typed, 'Show all repayments · Search for “harbor”'])
    expect(titles).not.toContain('Show Repayments of invoice: INV-40001')
  }
})

test('a tab of a record is found by its name', () => {
  expect(composed('linked accounts', { selection: selected(paul), records: [] }).active).toBe('Show Linked Accounts of employee')
  const { titles, active } = composed('file mapping', { records: [] })
  expect(titles).toContain('Show File Mapping of employer')
  expect(active).toBe('Add file mapping')
  expect(composed('invoices', { selection: selected(paul), records: [] }).active).toBe('Open invoices')
})

test('a group says that it shows only the first results, and no measured time', () => {
  const list = (rows: unknown[], more: boolean) => ({ state: 'done' as const, rows, more, problem: null })
  const note = (rows: unknown[], more: boolean) =>
    composed('pau', { found: { asked: '', ids: {}, lists: { employee: list(rows, more) } } }).groups.find(
      (group) => group.key === 'employee',
    )?.note
  expect(note([paul, paulina], false)).toBeNull()
  expect(note([paul], true)).toBe('first 1')
  expect(note([], false)).toBeNull()
})

test('a text without matches is quoted, truncated if long', () => {
  expect(composed('zzqx', { records: [] }).empty).toContain('“zzqx”')
  const { empty } = composed('zq'.repeat(200), { records: [] })
  expect(empty?.match(/“(.*)”/)?.[1]).toBe(`${'zq'.repeat(200).slice(0, 59)}…`)
})

const oneInvoice = (invoice: Invoice): Selection => ({
  entity: 'invoice',
  ids: [String(invoice.id)],
  rows: new Map([[String(invoice.id), invoice]]),
  filter: null,
  count: 1,
  how: 'active',
})
const sent = invoiceLike({ status: 'SENT', derived: [] })

const oneEmployer = (one: Employer): Selection => ({
  ...{ entity: 'employer', ids: [String(one.id)], rows: new Map([[String(one.id), one]]) },
  ...{ filter: null, count: 1, how: 'active' },
})

test.each([
  ['edit', oneInvoice(sent), 'Change due date'],
  ['hist', oneInvoice(sent), 'Show History of invoice'],
  ['pay', oneInvoice(sent), 'Add repayment'],
  ['hist', selected(paul), 'Show History of employee'],
  ['block', selected(paul), 'Pause employee'],
])('with a selection, %s finds its commands before those of other nouns', (typed, selection, first) => {
  expect(composed(typed, { selection }).titles[0]).toBe(first)
})

test.each([
  ['audit', selected(paul), ['Open audit', 'Show audit of employee']],
  ['invoices', selected(paul), ['Open invoices', 'Show Invoices of employee']],
  ['history', selected(paul), ['Show History of employee']],
  ['pay', selected(paul), ['Change pay frequency and next pay date']],
  ['p', oneInvoice(sent), ['Add repayment']],
])('with a selection, %s lists only better matches before its commands', (typed, selection, first) => {
  const { titles } = composed(typed, { selection })
  expect(titles.filter((title) => first.includes(title))).toEqual(first)
  const last = first.at(-1) as string
  expect(titles.indexOf(last), titles.slice(0, 10).join()).toBeLessThan(6)
})

test('the letter of a key finds its command, and commands without permission come last', () => {
  expect(composed('c', { selection: oneInvoice(sent) }).titles.find((title) => /invoice|refund/i.test(title))).toBe(
    'Close invoice',
  )
  const linked = employeeLike(5, 'Linked', 'One', { user_id: 7, phone_number: '+16505550100' })
  const { titles } = composed('phone', { selection: selected(linked), records: [], lacks: ['write:users'] })
  const [copy, clear] = ['Copy phone number', 'Clear phone number of linked user'].map((title) => titles.indexOf(title)) as [
    number,
    number,
  ]
  expect(copy).toBeGreaterThan(-1)
  expect(clear === -1 || copy < clear, titles.join()).toBe(true)
})

test('the highlight skips no row to reach a page with a form', () => {
  const { active, titles } = composed('pay', { records: [] })
  expect(titles).toContain('Add pay group')
  expect(active).not.toBe('Add pay group')
})

test('of equal matches without a selected target, available commands come first', () => {
  const { rows } = composed('delete')
  const possible = rows.filter((row) => row.tier === rows[0]?.tier).map((row) => row.usable)
  expect(possible.length).toBeGreaterThan(1)
  expect(possible).toEqual([...possible].sort((a, b) => Number(b) - Number(a)))
  expect(possible[0]).toBe(true)
})

test('of the actions, likely ones come first and irreversible ones last', () => {
  const { rows } = composed('', { selection: oneInvoice(sent), actions: true })
  const possible = rows.filter((row) => row.usable).flatMap((row) => (row.kind === 'command' ? [row.command] : []))
  expect(possible.slice(0, 2).map((command) => command.title)).toEqual(['Add repayment', 'Close invoice'])
  const changing = possible.map((command) => (changes(command) ? (isIrreversible(command) ? 0 : 2) : 1))
  expect(changing).toEqual([...changing].sort((a, b) => b - a))
})

test.each(['INV-40100', 'inv 40100', 'invoice 40100'])('[CARD-007] %s can only be an invoice', (typed) => {
  const found: SearchResults = {
    asked: typed,
    lists: {},
    ids: { invoice: { state: 'miss', id: '40100', record: null, problem: null } },
  }
  const { titles } = composed(typed, { entities: [employee, employer, invoice], found })
  expect(titles).toEqual(['Open invoice 40100'])
})

test('[INV-019] the menu of an invoice has every action, with and without a key, and reasons', () => {
  const selection = oneInvoice(invoiceLike({ status: 'CLOSED', derived: [] }))
  const { groups, rows } = composed('', { selection, actions: true })
  expect(groups.map((group) => group.title)).toEqual(['On this invoice'])
  const all = commands.filter((command) => command.on?.name === 'invoice' && command.id !== 'link.open.invoice')
  expect(rows).toHaveLength(all.length)
  const possible = rows.map((row) => row.usable)
  expect(possible).toEqual([...possible].sort((a, b) => Number(b) - Number(a)))
  const refused = rows.filter((row) => row.note === 'Actions unavailable when in Paid.')
  const keyless = refused.filter((row) => row.kind === 'command' && !row.command.keys?.length)
  expect(keyless.length).toBeGreaterThan(0)
  expect(refused.every((row) => !row.usable)).toBe(true)
  expect(rows.filter((row) => !row.usable && !row.note)).toEqual([])
})

test('after / a value is a filter, in one row with search terms; a filter name opens its form', () => {
  const { groups, active, rows } = composed('/paused raven', { pane: employees })
  expect(groups.map((group) => group.title)).toEqual(['Filter this list'])
  expect(active).toBe('Status is Paused · Search for “raven”')
  expect(rows[0]).toMatchObject({
    command: { id: 'filter.set' },
    params: { set: [{ id: 'status', type: 'is', value: 'PAUSED' }], q: 'raven' },
  })
  expect(composed('/emp', { pane: employees }).active).toBe('Filter employees by employer')
  expect(composed('/emp', { pane: employees }).titles).toContain('Search for “emp”')
  expect(composed('/raven', { pane: employees }).active).toBe('Search for “raven”')
  expect(composed('/paused').empty).toMatch(/Open a list first/)
})

test('after / a comparison applies to the named column, with dates in readable form', () => {
  const columns = [
    { id: 'paid', title: 'Paid' },
    { id: 'outstanding', title: 'Outstanding' },
  ]
  const pane = { ...employees, name: 'invoices', entity: 'invoice', title: 'Invoices', filters: invoice.filters, columns }
  expect(composed('/outstanding > 1,000', { pane }).active).toBe('Outstanding over $1,000.00')
  expect(composed('/paid > 100', { pane }).titles).toEqual(['Search for “paid > 100”'])
  expect(composed('/due before 11/30/2026', { pane }).active).toBe('Due date 1 Jan 1900 to 29 Nov 2026')
  expect(composed('/due 11/26/2026', { pane }).active).toBe('Due date is 26 Nov 2026')
  expect(composed('/due 2026-11-20..2026-11-30', { pane }).active).toBe('Due date 20 Nov 2026 to 30 Nov 2026')
  expect(composed('/due nov 1 2026..nov 15 2026', { pane }).active).toBe('Due date 1 Nov 2026 to 15 Nov 2026')
  expect(composed('/due feb 30', { pane }).titles).toEqual(['Search for “due feb 30”'])
  const time = { ...employees, name: 'time-entries', entity: 'time-entry', filters: timeEntry.filters }
  expect(composed('/between nov 1 2026 and nov 15 2026', { pane: time }).active).toBe('Worked 1 Nov 2026 to 15 Nov 2026')
  expect(composed('/outstanding 10..20', { pane }).active).toBe('Outstanding $10.00 to $20.00')
  expect(composed('/outstanding 100..500', { pane }).active).toBe('Outstanding $100.00 to $500.00')
  expect(composed('/status paid', { pane }).titles[0]).toBe('Status is Paid')
  expect(composed('/Zephyr or Bluebird', { pane }).active).toBe('Search for “Zephyr or Bluebird”')
})

test('after / a period alone is offered for each date of the list, and a word alone is searched', () => {
  const users = { ...employees, name: 'users', entity: 'user', title: 'Users', filters: user.filters }
  const titles = (typed: string, pane: OpenPane = users) => composed(typed, { pane }).titles
  for (const typed of ['/last 7 days', '/since nov 2', '/today'])
    expect(titles(typed), typed).toEqual([
      expect.stringMatching(/^Last sign-in /),
      expect.stringMatching(/^Joined /),
      `Search for “${typed.slice(1)}”`,
    ])
  expect(composed('/last 7 days', { pane: users }).active).toMatch(/^Last sign-in \d+ \w+ 20\d\d to /)
  expect(titles('/may')).toEqual(['Search for “may”'])
  expect(titles('/15')).toEqual(['Search for “15”'])
  expect(titles('/raven last 7 days')).toEqual(['Search for “raven last 7 days”'])
  // A list with an overall reading uses only that.
  expect(titles('/today', employees).join()).not.toMatch(/Hire date/)
})

test('after / an amount without a filter is compared with no other, and the filters are listed', () => {
  const invoices = { ...employees, name: 'invoices', entity: 'invoice', title: 'Invoices', filters: invoice.filters }
  const notesOf = (typed: string, pane: OpenPane) => composed(typed, { pane }).groups.map(({ note }) => note)
  expect(composed('/total > 1,000.50', { pane: invoices }).active).toBe('Invoice amount over $1,000.50')
  const columns = [{ id: 'rolled-out', title: 'Rolled out' }]
  expect(composed('/rolled out > 5', { pane: { ...invoices, columns } }).titles).toEqual(['Search for “rolled out > 5”'])
  expect(notesOf('/rolled out > 5', { ...invoices, columns })).toEqual(['Amounts to filter by: Outstanding, Invoice amount'])
  expect(notesOf('/available > 50', employees)).toEqual(['Amounts to filter by: none'])
  expect(notesOf('/outstanding > 50', invoices)).toEqual([null])
  expect(notesOf('/amount 500..100', invoices)).toEqual(['The second amount is below the first.'])
  expect(notesOf('/between nov 1 and nov 15', employees)).toEqual([null])
  expect(notesOf('/hired 2026-11-30..2026-11-20', employees)).toEqual([null])
  expect(notesOf('/raven', employees)).toEqual([null])
})

test('after / an employer name after the filter name is a value', () => {
  const zephyr = employerLike({ id: 100003, external_name: 'Zephyr Parking 2', internal_name: 'Zephyr Parking 2' })
  const found: SearchResults = {
    asked: '/ employer zephyr',
    lists: { employer: { state: 'done', rows: [zephyr], more: false, problem: null } },
    ids: {},
  }
  const pane = { ...employees, name: 'invoices', entity: 'invoice', title: 'Invoices', filters: invoice.filters }
  const { titles, active, rows } = composed('/employer zephyr', { pane, found })
  expect(titles).toEqual(['Employer is Zephyr Parking 2', 'Search for “employer zephyr”'])
  expect(active).toBe(titles[0])
  expect(rows[0]).toMatchObject({ params: { set: [{ id: 'employer', type: 'is', value: '100003' }], q: '' } })
  expect(composed('/overdue emp zephyr', { pane, found }).active).toBe('Status is Overdue · Employer is Zephyr Parking 2')
  expect(composed('/not employer zephyr', { pane, found }).active).toBe('Search for “not employer zephyr”')
  expect(composed('/employer zephyr', { pane }).titles).toEqual(['Search for “employer zephyr”'])
})

test('after / a command is a value of the command filter', () => {
  const pane = { ...employees, name: 'audit-events', entity: 'audit-event', title: 'Audit', filters: auditFilters }
  expect(composed('/pause employee', { pane }).active).toBe('Command contains pause employee')
  expect(composed('/pause', { pane }).active).toBe('Command contains pause')
  expect(composed('/employee pau', { pane }).titles).toContain('Command contains employee pause')
  expect(composed('/pause employee priya', { pane }).active).toBe('Command contains pause employee · Search for “priya”')
  // Its title differs from its id, by which the list finds it.
  expect(composed('/retry ach debit', { pane }).active).toBe('Command contains invoice retry ach')
  expect(composed('/employee', { pane }).active).toBe('Record kind is Employee')
  expect(composed('/raven', { pane }).titles).toEqual(['Search for “raven”'])
  expect(composed('/pause employee', { pane: employees }).titles.join()).not.toMatch(/Command/)
})

test('after / the word of a value sets it, also where a filter has that name', () => {
  const named = employee.filters.find(({ title }) => /paused/i.test(title))
  expect(named).toBeDefined()
  expect(composed('/paused', { pane: employees }).titles[0]).toBe('Status is Paused')
})

test('after / a view is found by its name, and / alone lists the views after the filters', () => {
  const named = [
    { id: 'open', title: 'Open', search: '' },
    { id: 'saved Late ones', title: 'Late ones', search: '', own: true as const },
  ]
  const pane = { ...employees, named, view: 'open' }
  expect(composed('/open', { pane }).titles[0]).toBe('Open')
  expect(composed('/ones', { pane }).titles).toContain('Late ones')
  expect(composed('/', { pane }).titles.slice(-2)).toEqual(['Open', 'Late ones'])
  expect(composed('/open').titles).not.toContain('Open')
})

test('after / filters without permission are not offered', () => {
  const titles = (lacks: PermissionName[]) => composed('/biweekly', { pane: employees, lacks }).titles
  expect(titles([])).toEqual(['Pay frequency is Bi-weekly', 'Search for “biweekly”'])
  expect(titles(['read:compensations'])).toEqual(['Search for “biweekly”'])
})

test('one call searches all indexed nouns, others only in their open list or when named alone', () => {
  const lists = withList.map(({ list, get }) => [list, get])
  expect(Object.values(searchable)).toHaveLength(lists.length)
  expect(Object.values(searchable)).toEqual(expect.arrayContaining(lists))
  const asked = (only: readonly string[] | null, among: typeof withList, open?: string) =>
    searchedFor({ only }, among, [open]).map(({ name }) => name)
  expect(asked(null, [employee, timeEntry, invoice], 'invoice')).toEqual(['employee', 'invoice'])
  expect(asked(null, [employee, timeEntry], 'time-entry')).toEqual(['employee', 'time-entry'])
  expect(asked(null, [timeEntry])).toEqual(['time-entry'])
  expect(asked(['time-entry'], [employee, timeEntry], 'employee')).toEqual(['time-entry'])
})

test('sort by a column name comes first, also where another command or list has its words', () => {
  const entities = [employee, employer, invoice]
  const sorts = [
    { id: 'due_date', title: 'Due date' },
    { id: 'outstanding_amount', title: 'Outstanding amount' },
  ]
  const pane: OpenPane = {
    ...{ ...employees, name: 'invoices', entity: 'invoice', title: 'Invoices', filters: invoice.filters, path: '/invoices' },
    ...{ sorts, sort: { id: 'due_date', order: 'asc' } },
  }
  for (const missed of [false, true]) {
    const asked = { pane, entities, records: [], missed }
    expect(composed('sort by outstanding', asked).active).toBe('Sort by Outstanding amount, descending')
    expect(composed('sort by due date', asked).titles).toEqual(['Sort by Due date, descending', 'Sort by Due date, ascending'])
  }
})

test('the plural of a noun matches like the singular', () => {
  expect(composed('work periods', { records: [] }).active).toBe('Adjust work period balance')
  const { active, titles } = composed('approve time entries', { records: [] })
  expect([active, titles[1]]).toEqual(['Approve time entry', 'Show approved time entries'])
  expect(composed('pause employees', { records: [] }).titles.slice(0, 2)).toEqual(['Pause employee', 'Show paused employees'])
  // A name with this ending is not a command.
  expect(composed('barnes', { records: [] }).titles).toEqual([])
})

test.each([
  ['inactive employees', 'Show all employees · Status is not Active'],
  ['biweekly pay employees', 'Show all employees · Pay frequency is Bi-weekly'],
  ['timesheets to approve', 'Show pending time entries'],
  ['write-offs to approve', 'Show pending write-offs'],
  ['deductions to confirm', 'Show waiting confirmation deductions'],
  ['bounced payments', 'Open failed repayments'],
  ['pending refunds', 'Open refunds without a next invoice'],
  ['invoices 341.96', 'Show all invoices · Outstanding $341.96 to $341.97'],
  ['who am i', 'My Permissions'],
  ['unlinked employees', 'Show all employees · User link is No'],
  ['employees without account', 'Show all employees · User link is No'],
  ['pending kyc', 'Show all employees · Identity check is Under review'],
  ['timesheet to approve', 'Show pending time entries'],
  ['pending timekeeping', 'Show pending time entries'],
  ['timekeeping rejected', 'Show rejected time entries'],
  ['export audit', 'Export list as CSV or Excel'],
])('`%s` leads to %s', (typed, title) => {
  const entities = [employee, employer, invoice, repayment, writeOff, deduction, timeEntry]
  expect(composed(typed, { entities, records: [], missed: true }).active).toBe(title)
})

test.each([
  ['largest overdue', 'Show overdue invoices · largest first', { sort: 'outstanding_amount', order: 'desc' }],
  ['biggest invoice', 'Show all invoices · largest first', { sort: 'outstanding_amount', order: 'desc' }],
  ['who owes the most', 'Show open invoices · largest first', { sort: 'outstanding_amount', order: 'desc' }],
  ['most overdue', 'Show overdue invoices · oldest first', { sort: 'due_date', order: 'asc' }],
  ['newest employees', 'Show all employees · latest first', { sort: 'hire_date', order: 'desc' }],
  [
    'last repayment of laurel',
    'Show all repayments · Search for “laurel” · latest first',
    { q: 'laurel', sort: 'repayment_date', order: 'desc' },
  ],
])('`%s` shows a list in that order: %s', (typed, title, params) => {
  const entities = [employee, employer, invoice, repayment, writeOff, deduction, timeEntry]
  const { active, rows } = composed(typed, { entities, records: [], missed: true })
  expect(active).toBe(title)
  expect(rows[0]).toMatchObject({ params })
})

test.each([
  ['adjust balance paulina', 'Adjust work period balance: Paulina Reyes'],
  ['paulina balance', 'Adjust work period balance: Paulina Reyes'],
  ['change email paulina', 'Change e-mail of linked user: Paulina Reyes'],
  ['change email of paulina', 'Change e-mail of linked user: Paulina Reyes'],
  ['repayment failed over 500', 'Show all repayments · Amount over $500.00 · Reconciliation is Unreconciled/Failed'],
])('`%s` leads to %s by words anywhere in a title, or by one of several', (typed, title) => {
  const entities = [employee, employer, invoice, repayment]
  expect(composed(typed, { entities, missed: true }).titles).toContain(title)
})

test('a list without amounts has no largest, and a period with last is not an order', () => {
  const entities = [employee, deduction, timeEntry]
  expect(composed('largest time entries', { entities, records: [], missed: true }).titles.join()).not.toContain('first')
  expect(composed('last week', { entities, records: [], missed: true }).titles.join()).not.toContain('first')
})

test('a telephone number that is no id finds its owner', () => {
  const caller = employeeLike(100018, 'Amelie', 'Collins', { phone_number: '+12015550163' })
  const found = {
    asked: '',
    lists: {},
    ids: { employee: { state: 'miss', record: null, problem: null } },
  } as unknown as SearchResults
  expect(composed('2015550163', { records: [caller], found }).titles).toEqual(['Amelie Collins'])
  expect(composed('2015550164', { records: [caller], found }).titles).toEqual(['Open employee 2015550164'])
})

test('access questions are explained for a record, and for a person', () => {
  const tom = {
    ...{ id: '0e9d5c7e-8f0a-4a52-9f0a-3d5a6b1c2d3e', name: 'Tom Berg', email: 'tom@example.com', kind: 'ADMIN' },
    ...{ status: 'ACTIVE', group_ids: [1], created_at: '2026-11-01T09:00:00Z', version: 1 },
  }
  const asked = { entities: [employee, admin], missed: true }
  expect(composed('who can see paulina reyes', asked).active).toBe('Explain access to employee: Paulina Reyes')
  const { active } = composed('can tom see billing', { ...asked, records: [], found: answered({ admin: [tom] }) })
  expect(active).toBe('Explain access of admin: Tom Berg')
})

test('an amount between a command and an id is ignored, and an invoice finds its deduction', () => {
  const billed = invoiceLike({ id: 40887, number: 'INV-40887' })
  const writing = composed('write off 50 INV-40887', {
    entities: [employee, invoice, writeOff],
    found: answered({}, { invoice: billed }),
  })
  expect(writing.titles).toContain('Suggest write-offs: INV-40887')
  const read = parsed('record confirmations INV-40887', [invoice, deduction])
  expect(read).toMatchObject({ text: '40887', only: ['invoice', 'deduction'] })
})

test('an alias match ranks before a partial title match, and available rows before refused ones', () => {
  const zephyr = { id: 100003, name: 'Zephyr Parking', code: 'ZH-4', status: 'ACTIVE' }
  const company = {
    ...{ id: 100003, internal_name: 'Zephyr Parking', external_code: 'ZH-4', external_name: 'Zephyr', status: 'ACTIVE' },
    ...{ brand: 'DAYLINE', organization_name: 'Pier Group', version: 1 },
  }
  const drafts = Array.from({ length: 9 }, (_, at) =>
    invoiceLike({ id: 40900 + at, number: `INV-4090${at}`, status: 'DRAFT', employer: zephyr }),
  )
  const sent = invoiceLike({ id: 40722, number: 'INV-40722', status: 'SENT', employer: zephyr })
  const found = answered({ employer: [company], invoice: [...drafts, sent] })
  const { rows, titles } = composed('pay zephyr', { entities: [employee, employer, invoice], records: [], found, missed: true })
  expect(titles[0]).toBe('Add repayment: INV-40722')
  expect(rows[0]).toMatchObject({ usable: true })
})

test('commands on file mappings of an employer open its mappings', () => {
  const company = {
    ...{ id: 100002, internal_name: 'Laurel Parking 1', external_code: 'LH-3', external_name: 'Laurel', status: 'ACTIVE' },
    ...{ brand: 'DAYLINE', organization_name: 'Pier Group', version: 1 },
  }
  const found = answered({ employer: [company] })
  const { active } = composed('edit file mapping laurel', { entities: [employee, employer], records: [], found })
  expect(active).toBe('Show File Mapping of employer: Laurel Parking 1')
})

test('amounts are no part of codes, name fragments no time off, and missing values no search', () => {
  const coded = employeeLike(100194, 'Aisha', 'Quintero', { employee_code: 'ZH-500853' })
  expect(composed('$500', { records: [coded] }).empty).toContain('“invoices 500 to 501”')
  const hoffmann = employeeLike(100041, 'Teresa', 'Hoffmann')
  expect(composed('time off', { records: [hoffmann], entities: [employee, timeEntry], missed: true }).titles).toEqual([])
  expect(composed('employees without email', { missed: true }).titles).toEqual([])
  expect(composed('export employees', { records: [], missed: true }).rows[0]).toMatchObject({
    title: 'Show all employees',
    note: expect.stringContaining('can be exported'),
  })
})

test('saved views and user invitations are found by common synonyms', () => {
  expect(composed('saved views', { records: [] }).titles.slice(0, 3).sort()).toEqual([
    'Remove a saved view',
    'Save this view',
    'Show a view of this list',
  ])
  expect(composed('rename view', { records: [] }).titles[0]).toBe('Save this view')
  expect(composed('invite user', { records: [] }).titles[0]).toBe('Create admin')
})

test('a negated status with a name filters the list; only typed words are searched for', () => {
  const entities = [employee, employer, invoice, user]
  for (const typed of ['wren inactive', 'inactive wren', 'wren not active', 'not active wren', 'inactive employees wren']) {
    const { rows, active, titles } = composed(typed, { entities, records: [], missed: true })
    expect([typed, active]).toEqual([typed, 'Show all employees · Status is not Active · Search for “wren”'])
    expect(rows[0], typed).toMatchObject({ params: { set: [{ id: 'status', type: 'is_not', value: 'ACTIVE' }], q: 'wren' } })
    expect(titles.join(), typed).not.toMatch(/\bnot”|“not\b/)
  }
  expect(composed('wren not paid', { entities, records: [], missed: true }).titles).toEqual([
    'Show all invoices · Status is not Paid · Search for “wren”',
  ])
  expect(composed('unlinked employees wren', { entities, records: [], missed: true }).active).toBe(
    'Show all employees · User link is No · Search for “wren”',
  )
  // A status that no list has is quoted in the typed words.
  for (const typed of ['inactive wren', 'bounced wren', 'payments nobody'])
    expect(composed(typed, { entities: [writeOff], records: [], missed: true }).empty).toContain(`“${typed}”`)
  expect(composed('bounced employees wren', { entities, records: [], missed: true }).titles.join()).not.toContain('failed')
})

const someAdmin = {
  ...{ id: '0e9d5c7e-8f0a-4a52-9f0a-3d5a6b1c2d3e', name: 'Tom Berg', email: 'tom@example.com', kind: 'ADMIN' },
  ...{ status: 'ACTIVE', group_ids: [1], created_at: '2026-11-01T09:00:00Z', version: 1 },
}

test.each([
  'who changed paulina',
  'who paused paulina reyes',
  'who has updated paulina',
  'activity paulina reyes',
  'changes of paulina',
])('`%s` is the history of the person', (typed) => {
  const { active, titles } = composed(typed, { entities: [employee, employer, auditEvent], missed: true })
  expect(active).toBe('Show History of employee: Paulina Reyes')
  expect(titles.join()).not.toMatch(/Change /)
})

test('a date filters the audit; with a name, what they did and what was done to them', () => {
  const asked = { entities: [employee, admin, invoice, auditEvent], missed: true }
  for (const typed of ['audit 11/14/2026', 'changes 11/14/2026', 'history 11/14/2026', 'what happened 11/14/2026'])
    expect([typed, composed(typed, { ...asked, records: [] }).titles]).toEqual([
      typed,
      ['Show all audit events · Date is 14 Nov 2026'],
    ])
  for (const typed of ['audit yesterday', 'changes last week'])
    expect(composed(typed, { ...asked, records: [] }).active).toMatch(/^Show all audit events · Date /)
  const of = composed('who changed paulina 11/14/2026', asked)
  expect(of.active).toBe('Show audit of employee: Paulina Reyes · Date is 14 Nov 2026')
  expect(of.rows[0]).toMatchObject({
    command: { id: 'link.audit.employee' },
    targets: { entity: 'employee', ids: ['118204'] },
    params: { set: [{ id: 'date', type: 'is', value: '2026-11-14' }] },
  })
  const found = answered({ admin: [someAdmin] })
  const by = composed('tom 11/14/2026', { ...asked, records: [employeeLike(7, 'Tom', 'Moore')], found })
  expect(by.titles.slice(0, 2)).toEqual([
    'Show what admin did: Tom Berg · Date is 14 Nov 2026',
    'Show audit of employee: Tom Moore · Date is 14 Nov 2026',
  ])
  expect(by.active).toBe(by.titles[0])
  // A date filter of a list is not a name.
  expect(composed('hired last month', asked).active).toMatch(/^Show all employees · Hire date /)
  // It may be a name.
  expect(composed('paulina may', asked).titles.join()).not.toContain('audit')
})

test('a month beside a list is a period, and also the name of a person found by it', () => {
  const entities = [employee, invoice, repayment, auditEvent]
  const shown = (typed: string, more: ComposeOptions = {}) =>
    composed(typed, { entities, records: [], missed: true, ...more }).titles
  const dates = (titles: readonly string[]) =>
    titles.map((title) =>
      /^Show all invoices · (?:Issue|Report|Due) date 1 (\w+) 20\d\d to \d\d \w+ 20\d\d(.*)$/.exec(title)?.slice(1),
    )
  for (const typed of ['invoices october', 'oct invoices', 'invoices oct', 'october invoices'])
    expect([typed, dates(shown(typed))]).toEqual([typed, Array(3).fill(['Oct', ''])])
  for (const typed of ['oct invoices zephyr', 'invoices zephyr october', 'zephyr october invoices', 'zephyr invoices oct'])
    expect([typed, dates(shown(typed))]).toEqual([typed, Array(3).fill(['Oct', ' · Search for “zephyr”'])])
  expect(shown('last months invoices')).toEqual(shown('invoices last month'))
  expect(shown('repayments october')[0]).toMatch(/^Show all repayments · Repayment date 1 Oct /)
  // Also a name: both are offered, and beside another name it is part of it.
  const april = employeeLike(7, 'April', 'Moore')
  const { titles, active } = composed('invoices april', { entities, records: [april] })
  expect(active).toMatch(/^Show all invoices · Issue date 1 Apr /)
  expect(titles).toEqual(
    expect.arrayContaining(['Show all invoices · Search for “april”', 'Show Invoices of employee: April Moore']),
  )
  expect(composed('invoices april moore', { entities, records: [april] }).titles).toContain(
    'Show Invoices of employee: April Moore',
  )
  expect(shown('invoices april moore').join()).not.toContain('date')
  // The list of employees has no event date.
  for (const name of ['april', 'june', 'may', 'august', 'jan'])
    expect(shown(`employees ${name}`)).toEqual([`Show all employees · Search for “${name}”`])
  for (const name of ['April', 'May', 'June', 'August']) {
    const records = [employeeLike(7, name, 'Moore')]
    for (const typed of [name, `${name} moore`, `pause ${name}`])
      expect(composed(typed.toLowerCase(), { entities, records }).active).toContain(`${name} Moore`)
  }
  const pane = { ...employees, name: 'invoices', entity: 'invoice', title: 'Invoices', filters: invoice.filters }
  expect(composed('/november', { pane }).active).toMatch(/^Issue date 1 Nov /)
  expect(composed('/nov', { pane }).titles).toEqual(['Search for “nov”'])
})

test.each(['overdue 90+', '90+ overdue', '90+ days overdue', 'overdue 90+ days'])('`%s` applies to the due date', (typed) => {
  const asked = { entities: [employee, invoice], records: [], missed: true }
  expect(composed(typed, asked).titles).toEqual(composed('overdue 90 days', asked).titles)
  expect(composed(typed, asked).active).toMatch(/^Show overdue invoices · Due date 1 Jan 1900 to /)
})

test.each([
  ['unblock', 'Resume employee'],
  ['unfreeze account', 'Resume employee'],
  ['unsuspend', 'Resume employee'],
  ['reactivate', 'Resume employee'],
  ['freeze account', 'Pause employee'],
  ['fire', 'Terminate employee off-cycle'],
  ['layoff', 'Terminate employee off-cycle'],
  ['send invoice', 'Download invoice'],
  ['email invoice', 'Download invoice'],
  ['resend invoice', 'Download invoice'],
  ['pmt', 'Open repayments'],
  ['account mgr', 'Open account managers'],
  ['nsf', 'Record return'],
])('`%s` leads to %s, and commands that change data must be selected explicitly', (typed, title) => {
  const { titles, active } = composed(typed, { records: [], missed: true })
  expect(titles[0]).toBe(title)
  expect(active === null || /^(Open|Show|Download) /.test(active), `${active}`).toBe(true)
  expect(titles).not.toContain('Switch invoice to self pay')
  expect(titles).not.toContain('Create SFTP user')
})

test.each([
  ['unblock benjamin', 'Resume employee: Benjamin Ortiz'],
  ['reactivate benjamin', 'Resume employee: Benjamin Ortiz'],
  ['freeze account paulina', 'Pause employee: Paulina Reyes'],
  ['fire paulina', 'Terminate employee off-cycle: Paulina Reyes'],
  ['change phone paulina', 'Clear phone number of linked user: Paulina Reyes'],
  ['edit email paulina', 'Change e-mail of linked user: Paulina Reyes'],
  ['disable login tom', 'Remove admin: Tom Berg'],
  ['rights tom', 'Change permissions of admin: Tom Berg'],
  ['add right tom', 'Change permissions of admin: Tom Berg'],
  ['grant permission tom', 'Change permissions of admin: Tom Berg'],
  ['grant tom billing', 'Change permissions of admin: Tom Berg'],
  ['reset mfa tom', 'Reset authenticator of admin: Tom Berg'],
  ['lost phone tom', 'Reset authenticator of admin: Tom Berg'],
])('`%s` leads to %s for a named target', (typed, title) => {
  const records = typed.endsWith('tom') || typed.includes('tom ') ? [] : known
  const found = records.length ? noResults : answered({ admin: [someAdmin] })
  expect(composed(typed, { entities: [employee, admin], records, found, missed: true }).titles[0]).toBe(title)
})

test.each([
  ['rehire paulina', 'files'],
  ['void invoice', 'not voided'],
  ['delete invoice 40001', 'not voided'],
  ['cancel invoice', 'not voided'],
])('`%s` has no command: a sentence says so, and no other one is offered', (typed, words) => {
  for (const missed of [false, true]) {
    const { titles, empty } = composed(typed, { entities: [employee, invoice], missed })
    expect([titles, empty]).toEqual([[], expect.stringContaining(words)])
  }
  expect(composed(`>${typed.split(' ')[0]}`, { records: [] }).empty ?? '').not.toContain(words)
})

test('the subject of an export may be named before or after the word for it', () => {
  for (const typed of ['zephyr invoices csv', 'export zephyr invoices', 'invoices zephyr excel'])
    expect(composed(typed, { entities: [employee, invoice], records: [], missed: true }).rows[0]).toMatchObject({
      title: 'Show all invoices · Search for “zephyr”',
      note: expect.stringContaining('can be exported'),
    })
})

const laurel = {
  ...{ id: 100002, internal_name: 'Laurel Parking 1', external_code: 'LH-3', external_name: 'Laurel', status: 'ACTIVE' },
  ...{ brand: 'DAYLINE', organization_name: 'Pier Group', version: 1 },
}

test.each([
  ['edit employer laurel', 'Edit employer: Laurel Parking 1'],
  ['edit employer configuration laurel', 'Edit employer configuration: Laurel Parking 1'],
  ['add file mapping laurel', 'Add file mapping: Laurel Parking 1'],
  ['add pay group laurel', 'Add pay group: Laurel Parking 1'],
  ['edit pay group laurel', 'Show Payroll Group of employer: Laurel Parking 1'],
  ['edit pay groups laurel', 'Show Payroll Group of employer: Laurel Parking 1'],
])('`%s` has %s first and highlighted', (typed, title) => {
  const found = answered({ employer: [laurel] })
  const { titles, active } = composed(typed, { entities: [employee, employer], records: [], found, missed: true })
  expect([titles[0], active]).toEqual([title, title])
})

test('of two commands with the same alias, the one with the word in its title comes first', () => {
  const pane = {
    ...employees,
    name: 'invoices',
    entity: 'invoice',
    title: 'Invoices',
    filters: invoice.filters,
    path: '/invoices',
  }
  const selection = oneInvoice(sent)
  const { titles, active } = composed('csv', { pane, selection, records: [] })
  expect([titles.slice(0, 2), active]).toEqual([
    ['Export list as CSV or Excel', 'Download invoice'],
    'Export list as CSV or Excel',
  ])
  expect(composed('csv', { selection, records: [] }).titles[0]).toBe('Download invoice')
})

test('a status, noun or id of a list without permission names the missing right', () => {
  const asked = { lacks: ['read:billing' as const], records: [], missed: true, entities: [employee] }
  const why = `${noPermission} It needs the right to see billing.`
  for (const typed of ['overdue laurel', 'laurel overdue', 'paid laurel', 'paid invoices laurel'])
    expect(composed(typed, asked).empty).toBe(`Nothing is found by “${typed}”. ${why}`)
  for (const typed of ['invoice 40001', 'INV-40001', 'inv 40001']) {
    const { rows } = composed(typed, asked)
    expect(rows, typed).toEqual([
      expect.objectContaining({ title: 'Open invoice 40001', usable: false, icon: 'lock', note: why }),
    ])
  }
  expect(composed('open laurel', asked).empty).not.toContain('billing')
  expect(composed('REP-70001', asked).titles).toEqual(['Open repayment 70001'])
  // A number alone may be an id of several nouns.
  const { titles, row, active } = composed('40001', asked)
  expect([titles[0], active]).toEqual(['Open employee 40001', 'Open employee 40001'])
  expect(row('Open invoice 40001')).toMatchObject({ usable: false, note: why })
  expect(composed('118204', { ...asked, records: known }).titles).toEqual(['Paulina Reyes'])
  expect(composed('invoice 40001', { records: [], entities: [employee, invoice] }).titles).toEqual(['Open invoice 40001'])
  expect(composed('terminated laurel', { ...asked, lacks: [] }).titles).toEqual([
    'Show terminated employees · Search for “laurel”',
  ])
})

test('print is the command with that title, before the document of the selected record', () => {
  expect(composed('print', { selection: oneInvoice(sent), records: [] }).titles).toEqual([
    'Print what is on screen',
    'Download invoice',
  ])
  expect(composed('print', { pane: employees, records: [] }).row('Print what is on screen')?.usable).toBe(true)
  expect(composed('print list', { pane: employees, records: [] }).active).toBe('Print what is on screen')
})

test('after / without an open list, the text applies to any list, and a link stays a link', () => {
  expect(ofAnyList('/overdue > 500')).toBe('overdue > 500')
  for (const typed of ['/', '/ ', '/employees/104234', 'overdue']) expect(ofAnyList(typed)).toBe(typed)
})

test('synonyms that need a name do not match a command alone', () => {
  expect(composed('rights', { records: [] }).active).toBe('My Permissions')
  expect(composed('disable', { records: [] }).titles[0]).toBe('De-activate employer')
  expect(composed('rp', { records: [] }).titles).toContain('Add repayment')
  expect(composed('ci', { records: [] }).titles).toContain('Reject import')
})

test('rewritten text is rewritten once: its own words have no effect', () => {
  for (const typed of [
    ...[
      'overdue 90+',
      '90+ overdue',
      'who changed who changed it',
      'changes activity changes',
      'invoices csv csv',
      'rights rights rights',
    ],
    ...['grant grant grant', 'mail invoice', 'unblock account', 'inactive unlinked', 'acct mgr pmt', 'last weeks last weeks'],
  ]) {
    let said: string | null = typed
    for (let times = 0; said !== null && times < 6; times++) said = inOwnWords(said, commands)
    expect([typed, said]).toEqual([typed, null])
  }
})

test('a UUID may belong to an inaccessible noun, which is shown beside the accessible ones', () => {
  for (const uuid of ['0198c2a4-7d3e-7b1a-9f00-3c5d2e8a41b7', 'c198c2a4-7d3e-7b1a-9f00-3c5d2e8a41b7']) {
    const { titles, rows } = composed(uuid, { records: [], lacks: ['read:admins'], entities: [employee, accountManager] })
    expect(titles).toEqual([`Open account manager ${uuid}`, `Open admin ${uuid}`])
    expect(rows[1]).toMatchObject({ usable: false, note: expect.stringContaining('see admins') })
  }
})

test.each(['who did what', 'who changed', 'who changed this', 'what changed', 'what happened', 'who changed what'])(
  '`%s` alone is the audit',
  (typed) => {
    expect(composed(typed, { records: [], missed: true }).active).toBe('Open audit')
  },
)

const linked = employeeLike(118204, 'Paulina', 'Reyes', { user_id: 7, phone_number: '+16505550100' })
const overdue = invoiceLike({ status: 'SENT', derived: ['OVERDUE'] })
const pending = WriteOff.parse({
  ...{ id: 60001, invoice_id: 40001, invoice_number: 'INV-40001', invoice_status: 'SENT', invoice_version: 1, line_id: 1 },
  ...{ employer: { id: 1, name: 'Bluebird Hotel 1' }, organization: { id: 2, name: 'Bluebird Hospitality' } },
  ...{ employee_id: 118204, employee_name: 'Paulina Reyes', suggested_amount: 500, approved_amount: null, own: false },
  ...{ reason: writeOffReasons[0], details: null, status: 'PENDING', suggested_at: '2026-11-12T09:14:00Z' },
  ...{
    suggested_by: { id: '1', name: 'Priya Raman' },
    decided_by: null,
    decided_at: null,
    decision_reason: null,
    comments: null,
  },
  ...{ updated_at: '2026-11-12T09:14:00Z', version: 1 },
})
const oneWriteOff: Selection = {
  ...{ entity: 'write-off', ids: ['60001'], rows: new Map([['60001', pending]]), filter: null, count: 1, how: 'active' },
}
const invoicesPane = {
  ...employees,
  name: 'invoices',
  entity: 'invoice',
  title: 'Invoices',
  filters: invoice.filters,
  path: '/invoices',
}

/** The typed text, the context, and the title that must be first. */
const first: Readonly<Record<string, { at: ComposeOptions; queries: Readonly<Record<string, string>> }>> = {
  employee: {
    at: { selection: selected(linked), pane: employees },
    queries: {
      ...{ pe: 'Pause employee', pau: 'Pause employee', pause: 'Pause employee', puase: 'Pause employee', ci: 'Close invoice' },
      ...{
        fpc: 'Force password change',
        force: 'Force password change',
        foce: 'Force password change',
        at: 'Additional transaction',
      },
      ...{ addi: 'Additional transaction', awpb: 'Adjust work period balance', adj: 'Adjust work period balance' },
      ...{
        ajdust: 'Adjust work period balance',
        note: 'Add employee note',
        aen: 'Add employee note',
        unlink: 'Unlink employee from user',
      },
      ...{ unlnk: 'Unlink employee from user', term: 'Terminate employee off-cycle', teo: 'Terminate employee off-cycle' },
      ...{
        offc: 'Terminate employee off-cycle',
        columsn: 'Choose columns',
        colunms: 'Choose columns',
        columns: 'Choose columns',
      },
    },
  },
  invoice: {
    at: { selection: oneInvoice(overdue), pane: invoicesPane },
    queries: {
      ...{ ci: 'Close invoice', clo: 'Close invoice', clsoe: 'Close invoice', di: 'Download invoice', dl: 'Download invoice' },
      ...{ dnl: 'Download invoice', dwn: 'Download invoice', dld: 'Download invoice', down: 'Download invoice' },
      ...{ wr: 'Suggest write-offs', wri: 'Suggest write-offs', writeoff: 'Suggest write-offs', sugg: 'Suggest write-offs' },
      ...{
        sgst: 'Suggest write-offs',
        swo: 'Suggest write-offs',
        exp: 'Export list as CSV or Excel',
        expo: 'Export list as CSV or Excel',
      },
      ...{
        ar: 'Add repayment',
        repay: 'Add repayment',
        cdd: 'Change due date',
        due: 'Change due date',
        roo: 'Roll overpayment over',
      },
    },
  },
  'write-off': {
    at: { selection: oneWriteOff },
    queries: {
      ...{ ok: 'Approve write-off', app: 'Approve write-off', aprove: 'Approve write-off', apv: 'Approve write-off' },
      ...{ awo: 'Approve write-off', rej: 'Reject write-off', rwo: 'Reject write-off', rjct: 'Reject write-off' },
    },
  },
  employer: {
    at: { selection: oneEmployer(employerLike()) },
    queries: {
      de: 'De-activate employer',
      deac: 'De-activate employer',
      eec: 'Edit employer configuration',
      apg: 'Add pay group',
    },
  },
}

test.each(
  Object.entries(first).flatMap(([noun, { at, queries }]) => Object.entries(queries).map((each) => [noun, ...each, at] as const)),
)('with one selected %s, `%s` has %s first', (_, typed, title, at) => {
  const { titles, rows, preselected } = composed(typed, { records: [], ...at })
  expect(titles[0]).toBe(title)
  const row = rows[preselected]
  expect(preselected <= 0 || (row?.kind === 'command' && !mayAlter(row.command)), row?.title).toBe(true)
})

const inside = [
  'tag',
  'ok',
  'ause',
  'mploy',
  'voice',
  'erminat',
  'nlink',
  'assword',
  'rite',
  'ollover',
  'ownload',
  'ctivate',
  'ermission',
]
inside.push(
  'ransact',
  'alance',
  'djust',
  'uggest',
  'epay',
  'efund',
  'laim',
  'ategory',
  'entage',
  'ookup',
  'onfig',
  'ccount',
  'anager',
)

test.each(inside)('fragments inside of words, `%s`, highlight no command and rank after word prefixes', (typed) => {
  for (const selection of [null, selected(linked), oneInvoice(overdue)]) {
    const { rows, preselected } = composed(typed, { selection, records: [] })
    const begins = (title: string, found: string | null) =>
      [title, found?.replace(/^also called /, '') ?? ''].some((text) => new RegExp(`(?<![a-z])${typed}`, 'i').test(text))
    const highlighted = rows[preselected]
    if (highlighted?.usable && highlighted.tier >= 7) expect(highlighted.title).toBeNull()
    const order = rows.flatMap((row) =>
      row.kind === 'command' ? [begins(row.title, row.found) ? 0 : row.tier >= 7 ? 1 : 0] : [],
    )
    for (const group of composed(typed, { selection, records: [] }).groups) {
      const late = group.rows.map((row) => (row.tier >= 7 ? 1 : 0))
      expect(late).toEqual([...late].sort((a, b) => a - b))
    }
    expect(order.length).toBe(rows.filter(({ kind }) => kind === 'command').length)
  }
})

test.each(['tag', 'assword', 'ollover', 'entage', 'ermission', 'oyee'])(
  'fragments inside of words are never the only results, and come last: `%s`',
  (typed) => {
    for (const selection of [null, selected(benjamin), oneInvoice(overdue)]) {
      const { groups, rows } = composed(typed, { selection, records: [] })
      const isInside = (row: (typeof rows)[number]) => row.kind === 'command' && row.tier >= 7
      if (rows.length) expect(rows.some((row) => !isInside(row))).toBe(true)
      for (const group of groups.slice(0, -1)) expect(group.rows.filter(isInside)).toEqual([])
    }
    const named = employeeLike(
      100020,
      typed.replace(/^./, (letter) => letter.toUpperCase()),
      'Lee',
    )
    const { titles, active } = composed(typed, { records: [named] })
    expect(active).toBe(titles[0])
    expect(active).toContain('Lee')
  },
)

test.each(['pause arnes', 'arnes pause', 'pause birch'])(
  'a command is not highlighted for a record found by a fragment inside of a word: `%s`',
  (typed) => {
    const company = {
      id: 81002,
      name: 'Birch Foods',
      code: 'BF-1',
      status: 'ACTIVE',
      organization_id: 9,
      organization_name: 'Pier',
    }
    const sadia = employeeLike(100008, 'Sadia', 'Barnes', { phone_number: '+12025554567', employer: company })
    const found = answered({ employee: [sadia] })
    const { titles, active } = composed(typed, { records: [], found, missed: true })
    expect(titles).toContain('Pause employee: Sadia Barnes')
    expect(active).toBeNull()
  },
)

test.each(['inv 61', 'INV-61', 'invoice 61', 'Inv 61'])(
  '`%s` finds exactly the invoices whose numbers start with it',
  (typed) => {
    const invoices = [61001, 61002, 40061, 16100].map((id) => invoiceLike({ id, number: `INV-${id}` }))
    const found = answered({ invoice: invoices })
    const { titles } = composed(typed, { records: [], entities: [employee, invoice], found })
    expect(titles.filter((title) => title.startsWith('INV'))).toEqual(['INV-61001', 'INV-61002'])
    expect(readTyped(typed, [employee, invoice], location.origin)).toMatchObject({ text: '61', asked: 'INV-61' })
  },
)

test.each(['birch s', 's', 'birch p', 'd birch', 'laurel m'])('after / a single letter is not a filter value: `/%s`', (typed) => {
  const { rows } = composed(`/${typed}`, { pane: employees })
  for (const row of rows) {
    const set = row.kind === 'command' ? (row.params?.['set'] as readonly unknown[] | undefined) : undefined
    expect(set ?? []).toEqual([])
  }
})

test('after / employers and organizations are values, also combined with other values', () => {
  const called = (name: string, id: number) => employerLike({ id, internal_name: name, external_name: name })
  const birches = [
    called('Birch Distribution 1', 100003),
    called('Birch Distribution 2', 100004),
    called('Birch Staffing', 100005),
  ]
  const found = answered({ employer: birches })
  const asked = (typed: string) => composed(typed, { pane: employees, entities: [employee, employer, organization], found })
  expect(asked('/birch').titles.slice(0, 3)).toEqual(birches.map((one) => `Employer is ${one.internal_name}`))
  expect(asked('/birch s').active).toBe('Employer is Birch Staffing')
  expect(asked('/birch s').titles).toEqual(['Employer is Birch Staffing', 'Search for “birch s”'])
  expect(asked('/paused birch st').rows[0]).toMatchObject({
    title: 'Status is Paused · Employer is Birch Staffing',
    params: {
      set: [
        { id: 'status', type: 'is', value: 'PAUSED' },
        { id: 'employer', type: 'is', value: '100005' },
      ],
      q: '',
    },
  })
  expect(asked('/not birch').titles.join()).not.toContain('Employer is')
  expect(asked('/paused').titles.join()).not.toContain('Employer is')
})

test.each([
  ['pause all paused employees birch', 'Show paused employees · Search for “birch”', 'Pause employee'],
  ['close overdue invoices', 'Show overdue invoices', 'Close invoice'],
  ['close all overdue invoices laurel', 'Show overdue invoices · Search for “laurel”', 'Close invoice'],
  ['close invoices over 500', 'Show all invoices · Outstanding over $500.00', 'Close invoice'],
  ['pause employees laurel', 'Show all employees · Search for “laurel”', 'Pause employee'],
  ['pause every employee at birch', 'Show all employees · Search for “birch”', 'Pause employee'],
  ['pause everyone at birch', 'Show all employees · Search for “birch”', 'Pause employee'],
  ['pause all', 'Show all employees', 'Pause employee'],
  ['force password change for all employees', 'Show all employees', 'Force password change'],
  ['retry all returned invoices', 'Show returned invoices', 'Retry ACH debit'],
  ['close all invoices due before 2026-11-30', 'Show all invoices · Due date 1 Jan 1900 to 29 Nov 2026', 'Close invoice'],
])('a verb before a list is not a search term: `%s`', (typed, title, command) => {
  const { active, row } = composed(typed, { entities: [employee, employer, invoice, repayment], records: [], missed: true })
  expect(active).toBe(title)
  expect(row(title)?.note).toBe(`mark them there, then ${command}`)
})

test.each(['pause all', 'pause any', 'pause each', 'pause everybody', 'pause everyone allen'])(
  'a word for all is not a name: `%s` applies to no single record',
  (typed) => {
    const allens = [employeeLike(100015, 'Gabriela', 'Allen'), employeeLike(100016, 'Anya', 'Eachway')]
    const { active, titles } = composed(typed, { records: allens })
    expect(active).toMatch(/^Show all employees/)
    expect(titles.join()).not.toMatch(/Pause employee: (?!all employees)/)
  },
)

test.each([
  ['close all invoices under fifty', 'Show all invoices', 'not understood: “under fifty” · mark them there, then Close invoice'],
  ['archive all invoices', 'Show all invoices', 'not understood: “archive”'],
  ['please archive every paused employee of birch', 'Show paused employees · Search for “birch”', 'not understood: “archive”'],
])('unknown words beside a list are reported and not searched for: `%s`', (typed, title, note) => {
  const { active, row } = composed(typed, { entities: [employee, employer, invoice, repayment], records: [], missed: true })
  expect(active).toBe(title)
  expect(row(title)?.note).toBe(note)
})

test.each(['clear all filters', 'import all the same'])(
  'a title that contains a word for all finds its command: `%s`',
  (typed) => {
    const { titles } = composed(typed, { entities: [employee, importedFile], records: [] })
    expect(titles[0]?.toLowerCase()).toBe(typed)
  },
)

describe('a sentence with values', () => {
  const reading = (text: string, options?: ComposeOptions) => {
    const { rows, preselected, titles } = composed(text, options)
    const row = rows[preselected]
    return { titles, active: row?.title ?? null, params: row?.kind === 'command' ? row.params : null, note: row?.note ?? null }
  }
  const pausing = { active: 'Pause employee: Paulina Reyes', params: { reason: 'fraud' }, note: 'Reason: fraud' }

  test.each([
    'pause 118204 fraud',
    '118204 pause fraud',
    'Pause employee 118204 fraud',
    'pause 118204 reason:fraud',
    'freeze 118204 "fraud"',
  ])('in any order: %s', (text) => {
    expect(reading(text)).toMatchObject(pausing)
  })

  test('on several records, without reading them first', () => {
    const { rows, preselected } = composed('pause 118204 160771 fraud')
    expect(rows[preselected]).toMatchObject({
      ...{ title: 'Pause employee: 2 employees', params: { reason: 'fraud' }, note: 'Reason: fraud' },
      targets: { entity: 'employee', ids: ['118204', '160771'] },
    })
  })

  test('names the words that no field takes, and then preselects nothing that changes something', () => {
    const { rows, preselected } = composed('unlink employee from user 118204 please')
    expect(rows.map(({ title, note }) => [title, note])).toContainEqual([
      'Unlink employee from user: Paulina Reyes',
      expect.stringContaining('not understood: please'),
    ])
    expect(rows[preselected]?.usable ?? false).toBe(false)
  })

  test('shows why the command is not available', () => {
    const { rows } = composed('pause 104234 fraud')
    const row = rows.find(({ title }) => title === 'Pause employee: Benjamin Ortiz')
    expect(row).toMatchObject({ usable: false, preselects: false })
    expect(row?.note).toMatch(/Reason: fraud · .*paused/i)
    expect(composed('pause 118204 fraud', { lacks: ['write:employees'] }).row('Pause employee: Paulina Reyes')).toMatchObject({
      usable: false,
    })
  })

  test('of a command without a record', () => {
    expect(reading('create organization Acme')).toMatchObject({ active: null })
    const { rows } = composed('create organization name:Acme')
    expect(rows[0]).toMatchObject({
      title: 'Create organization',
      params: { name: 'Acme' },
      note: 'Name: Acme · cannot be undone',
      preselects: true,
    })
  })

  test('on the selection takes amounts, dates and labels; a text may be the name of another record', () => {
    const selection = selected(paulina)
    expect(reading('change pay frequency and next pay date weekly', { selection })).toMatchObject({
      active: 'Change pay frequency and next pay date',
      params: { pay_frequency: 'WEEKLY' },
    })
    expect(composed('pause paul', { selection }).active).toBe('Pause employee: Paul Adeyemi')
    expect(composed('pause fraud', { selection }).titles).not.toContain('Pause employee')
    // Once nothing else was found, it may be the text.
    const alone = composed('pause fraud', { selection, missed: true })
    expect(alone.rows[0]).toMatchObject({ title: 'Pause employee', params: { reason: 'fraud' }, preselects: false })
  })

  test('about a name that is searched for with fewer words each time, the rest being the text', () => {
    const searches = (text: string) => [2, 3, 4, 5].map((tries) => parsed(text, [employee], tries))
    expect(
      searches('pause paulina reyes called twice').map((read) => [
        read.text,
        sentencesIn(read)[0]?.words.map((word) => word.text),
      ]),
    ).toEqual([
      ['paulina reyes called', ['twice']],
      ['paulina reyes', ['called', 'twice']],
      ['paulina', ['reyes', 'called', 'twice']],
      // At last as at first: nothing was found by a name.
      [expect.stringContaining('paulina reyes called twice'), ['paulina', 'reyes', 'called', 'twice']],
    ])
    const { rows, preselected } = composed('pause paulina fraud', { tries: 2 })
    expect(rows[preselected]).toMatchObject({ title: 'Pause employee: Paulina Reyes', params: { reason: 'fraud' } })
    // A similar name keeps the values.
    const john = employeeLike(131313, 'John', 'Smith')
    const similar = composed('pause jhon smith fraud', { tries: 2, records: [], found: guessed({ employee: [] }, john) })
    expect(similar.rows).toContainEqual(
      expect.objectContaining({ title: 'Pause employee: John Smith', params: { reason: 'fraud' }, preselects: false }),
    )
    // A longer title is no shorter one with a value.
    expect(composed('edit organization configuration', { entities: [organization] }).titles[0]).toBe(
      'Edit organization configuration',
    )
    // A word for all is no name.
    for (const tries of [2, 3, 4]) {
      const read = parsed('pause all employees', [employee], tries)
      expect(sentencesIn(read).filter(({ about }) => about !== 'selection')).toEqual([])
    }
    // Two records have that name: the better match comes first.
    expect(composed('pause paul fraud', { tries: 2 }).titles.slice(0, 2)).toEqual([
      'Pause employee: Paul Adeyemi',
      'Pause employee: Paulina Reyes',
    ])
  })
})

describe('words behind a name', () => {
  const entities = [employee, employer, admin, invoice]

  test('are the command whose access is explained', () => {
    const found = answered({ admin: [someAdmin] })
    for (const typed of ["why can't tom approve write-offs", 'why can’t tom approve write-off', 'can’t tom approve write-offs']) {
      const { active, rows } = composed(typed, { entities, records: [], found, tries: 3 })
      expect([typed, active]).toEqual([typed, 'Explain access of admin: Tom Berg · Approve write-off'])
      expect(rows[0]).toMatchObject({ params: { action: 'write-off.approve', noun: 'write-off' } })
    }
  })

  test('are named if they mean nothing, and no command is highlighted', () => {
    const { active, rows } = composed('who changed paulina config', { entities, tries: 2 })
    expect(rows[0]).toMatchObject({
      title: 'Show History of employee: Paulina Reyes',
      note: expect.stringContaining('not understood: config'),
    })
    expect(active).toBeNull()
  })

  test('a status behind a verb leads to its list', () => {
    const { active, row } = composed('refund overpaid laurel', { entities, records: [], missed: true })
    expect(active).toBe('Show overpaid invoices · Search for “laurel”')
    expect(row(active as string)?.note).toBe('mark them there, then Refund overpayment')
  })

  test('one word too many highlights no command that changes something', () => {
    const texts = commands
      .filter((command) => changes(command) && command.on === employee)
      .flatMap(({ title }) => [`${title} 118204 xyzzy:1 "xyzzy"`, `118204 ${title} xyzzy:1 "xyzzy"`, `${title} paulina xyzzy:1`])
    expect(texts.length).toBeGreaterThan(15)
    for (const typed of texts)
      for (const tries of [0, 1, 2]) {
        const { rows, preselected } = composed(typed, { tries, records: [paulina] })
        const row = rows[preselected]
        const isUnderstood = row?.kind === 'command' && JSON.stringify(row.params ?? {}).includes('xyzzy')
        expect([typed, row?.kind === 'command' && row.usable && mayAlter(row.command) && !isUnderstood]).toEqual([typed, false])
      }
  })
})
