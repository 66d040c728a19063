import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Me } from '#contract/session.ts'
import { meAtom } from '#portal/api/session.ts'
import { addHistory } from '#portal/commands/history.ts'
import { recordUse } from '#portal/commands/uses.ts'
import { setFavourites } from '#portal/list/favourites.ts'
import { permissionId, permissionIds, type PermissionName } from '#domain/permissions.ts'
import { dashboardLines } from '#contract/dashboard.ts'
import { employee } from '#entities/employee.ts'
import { invoice } from '#entities/invoice.ts'
import { type Command, defineCommand } from '#kernel/command.ts'
import type { CommandContext, Selection } from '#kernel/command-context.ts'
import type { AnyEntity } from '#kernel/entity.ts'
import { finder } from '#kernel/rank.ts'
import { parse } from '#kernel/sentence/parse.ts'
import { readTyped } from '#kernel/sentence/reading.ts'
import { type AttentionLine, placeCountsAtom, rememberAttention } from '#portal/list/attention.ts'
import { commandFinder } from '#portal/palette/command-rows.ts'
import { compose, type Composing } from '#portal/palette/compose.ts'
import { type Example, exampleRows } from '#portal/palette/examples.ts'
import { factsOf } from '#portal/palette/facts.ts'
import { spanFrom } from '#portal/palette/filter-rows.ts'
import { recordRow } from '#portal/palette/record-rows.ts'
import { fetchSentences } from '#portal/palette/sentences.ts'
import { type Opening, openingNow } from '#portal/palette/start.ts'
import { startGroups } from '#portal/palette/start-rows.ts'
import { store } from '#portal/platform/store.ts'
import { findableRecord, localOf } from '#portal/records/find-locally.ts'
import { rightsChangesAtom } from '#portal/records/rights-changes.ts'
import { employeeLike, invoiceLike } from '#tests/support/examples.ts'

const modules = import.meta.glob<{ default: Command | Command[] }>(['../../commands/**/*.ts', '!../../commands/**/*.page.ts'], {
  eager: true,
})
const commands = Object.values(modules).flatMap((module) => [module.default].flat())
const command = (id: string) => commands.find((each) => each.id === id) as Command

await fetchSentences()

const paul = employeeLike(160771, 'Paul', 'Adeyemi')
const sadia = employeeLike(100467, 'Sadia', 'Barnes')

const nobody: Opening = { counts: new Map(), lines: [], recent: [], favourites: [], names: new Map(), isNew: false }

interface Options {
  /** Further commands. */
  more?: readonly Command[]
  opening?: Partial<Opening>
  used?: Record<string, number>
  recent?: readonly (typeof paul)[]
  lacks?: readonly PermissionName[]
  selection?: Selection | null
  example?: Example | null
}

function contextOf({ lacks = [], selection = null }: Options = {}): CommandContext {
  const missing = new Set<number>(lacks.map(permissionId))
  return {
    ...{ signedIn: true, supports: () => true, selection, pane: null, open: null, online: true },
    held: new Set(permissionIds.filter((id) => !missing.has(id))),
  }
}

function composed(typed: string, options: Options = {}) {
  const { opening, used: uses = {}, recent = [], example = null, more = [] } = options
  const all = [...commands, ...more]
  const entities: readonly AnyEntity[] = [employee, invoice]
  const context = contextOf(options)
  const used = (key: string) => uses[key] ?? 0
  const { origin } = location
  const read = readTyped(typed, entities, origin)
  const readings = parse(read, {
    ...{
      commands: all,
      entities,
      find: commandFinder(all),
      used,
      spanOf: spanFrom,
      isSearched: () => true,
      facts: factsOf,
      origin,
    },
  })
  const find = finder([paul, sadia].map((one) => findableRecord(employee, one)))
  const rows = recent.map((one) => recordRow(employee, localOf(employee, one), null))
  const known = recent.map((one) => ({ entity: 'employee', id: employee.id(one), title: '', subtitle: '', at: 0 }))
  const input: Composing = {
    ...{ typed: readings(0) ?? read, context, commands: all, findCommands: commandFinder(all), entities, waiting: false, used },
    findRecords: (entity, ...asked) => (entity === employee ? find(...asked) : []),
    found: { asked: '', lists: {}, ids: {} },
    recent: rows,
    start: (now) => startGroups(now, { ...nobody, recent: known, ...opening }, example),
  }
  const results = compose(input)
  return {
    ...results,
    active: results.rows[results.preselected]?.title ?? null,
    groups: results.groups.map(({ title }) => title),
    in: (title: string) => results.groups.find((group) => group.title === title)?.rows.map((row) => row.title) ?? [],
    notes: (title: string) => results.groups.find((group) => group.title === title)?.rows.map((row) => row.note) ?? [],
  }
}

const selected = (one: typeof paul): Selection => ({
  ...{ entity: 'employee', ids: [employee.id(one)], filter: null, count: 1, how: 'active' },
  rows: new Map([[employee.id(one), one]]),
})

const line = (id: string, count: number, amount: string | null = null): AttentionLine => {
  const { title, reads, search, needs } = dashboardLines.find((each) => each.id === id) as (typeof dashboardLines)[number]
  return { address: `${reads.path}?${search}`, title, path: reads.path, count, amount, needs }
}

describe('the order of the empty palette', () => {
  test('commands for the selection, recent records, what needs attention, and places last', () => {
    const { groups, rows, active } = composed('', {
      selection: selected(paul),
      recent: [sadia],
      opening: { lines: [line('overdue-invoices', 12)] },
    })
    expect(groups).toEqual(['On this employee', 'Recent', 'Needs attention', 'Go to'])
    expect(rows.length).toBeLessThanOrEqual(12)
    expect(active).toBeNull()
  })

  test('places come by use, then as in the rail and not by alphabet', () => {
    const unused = composed('').in('Go to')
    expect(unused.slice(0, 4)).toEqual(['Open dashboard', 'Open employees', 'Open users', 'Open invoices'])
    const used = composed('', { used: { 'open.write-offs': 10, 'open.deductions': 100 } }).in('Go to')
    expect(used.slice(0, 3)).toEqual(['Open deductions', 'Open write-offs', 'Open dashboard'])
  })

  test('Enter changes nothing: the first row has the highlight only if it changes nothing', () => {
    expect(composed('', { recent: [sadia] }).active).toBe('Sadia Barnes')
    expect(composed('', { opening: { lines: [line('overdue-invoices', 12)] } }).active).toBe('Overdue invoices')
    expect(composed('', { selection: selected(paul), recent: [sadia] }).active).toBeNull()
  })

  test('a record whose name arrived after it opened is added the next time', () => {
    expect(composed('', { recent: [sadia], opening: { recent: [] } }).in('Recent')).toEqual([])
    expect(composed('', { recent: [sadia] }).in('Recent')).toEqual(['Sadia Barnes'])
  })

  test('each group has rows, and the whole at most twelve', () => {
    const { rows, in: rowsOf } = composed('', {
      selection: selected(paul),
      recent: [sadia, employeeLike(5, 'Ada', 'One'), employeeLike(6, 'Bo', 'Two')],
      used: { 'view.theme': 3, 'view.keys': 2 },
      opening: { lines: ['overdue-invoices', 'returned-debits', 'paused-long'].map((id) => line(id, 3)) },
    })
    expect(rows).toHaveLength(12)
    for (const title of ['On this employee', 'Recent', 'Needs attention', 'Go to'])
      expect(rowsOf(title).length).toBeGreaterThan(0)
  })
})

describe('what needs attention', () => {
  const failed = '/repayments?status_type=is&status_value=FAILED&origin_type=is_not&origin_value=RETURN'

  test('lines of the dashboard and counts of the rail, without empty ones', () => {
    const result = composed('', {
      opening: { lines: [line('overdue-invoices', 1204, '$12.00 outstanding')], counts: new Map([[failed, 3]]) },
    })
    expect(result.in('Needs attention')).toEqual(['Overdue invoices', 'Failed repayments'])
    expect(result.notes('Needs attention')).toEqual(['1,204 · $12.00 outstanding', '3'])
    expect(composed('', { opening: { counts: new Map([[failed, 0]]) } }).groups).not.toContain('Needs attention')
  })

  test('the newer count of the rail replaces that of the dashboard and its amount', () => {
    const lines = [line('failed-repayments', 4, '$80.00 failed')]
    expect(composed('', { opening: { lines, counts: new Map([[failed, 3]]) } }).notes('Needs attention')).toEqual(['3'])
    expect(composed('', { opening: { lines, counts: new Map([[failed, 0]]) } }).groups).not.toContain('Needs attention')
  })

  test('a part of a list that needs attention is not offered as a place again', () => {
    const { rows } = composed('', { opening: { counts: new Map([[failed, 3]]) } })
    expect(rows.filter(({ title }) => /failed repayments/i.test(title))).toHaveLength(1)
  })

  test('nothing of a list that the person may not read', () => {
    const lacks: PermissionName[] = ['read:billing']
    const options = { lacks, opening: { lines: [line('overdue-invoices', 12)], counts: new Map([[failed, 3]]) } }
    expect(composed('', options).groups).not.toContain('Needs attention')
  })
})

describe('what is known when it opens', () => {
  const read = () => rememberAttention([line('overdue-invoices', 12)])
  const titles = () => openingNow(null).lines.map(({ title }) => title)
  const me = (id: string) => ({ person: { id }, permissions: [] }) as unknown as Me

  beforeEach(() => {
    localStorage.clear()
    store.set(meAtom, me('priya'))
    sessionStorage.clear()
  })
  afterEach(() => vi.useRealTimers())

  test('the lines of the dashboard count for ten minutes, and until something is changed', () => {
    vi.useFakeTimers()
    read()
    expect(titles()).toEqual(['Overdue invoices'])
    vi.advanceTimersByTime(601_000)
    expect(titles()).toEqual([])
    read()
    vi.advanceTimersByTime(1_000)
    addHistory({
      ...{ command: 'employee.pause', title: 'Pause employee', sentence: 'Paused', target: null, params: {} },
      ...{ before: null, after: null, answers: [] },
    })
    expect(titles()).toEqual([])
  })

  test('nothing of another person, or from before a change of rights', () => {
    read()
    store.set(rightsChangesAtom, (times) => times + 1)
    expect(titles()).toEqual([])
    read()
    store.set(meAtom, me('tom'))
    expect(titles()).toEqual([])
  })

  test('somebody is new until four things were opened, used or marked', () => {
    expect(openingNow(null).isNew).toBe(true)
    for (const id of ['view.theme', 'view.keys', 'open.invoices']) recordUse(id)
    expect(openingNow(null).isNew).toBe(true)
    setFavourites(['view.theme'])
    expect(openingNow(null).isNew).toBe(false)
  })

  test('an opening without news is the same, so that nothing is drawn again', () => {
    const before = openingNow(null)
    expect(openingNow(before)).toBe(before)
    store.set(placeCountsAtom, new Map())
    expect(openingNow(before)).not.toBe(before)
  })
})

describe('favourites', () => {
  const record = 'link.favourite.employee:100467'
  const opens = defineCommand({ id: record, title: 'Open Sadia Barnes', reads: employee.get, act: () => {} })
  const named = new Map([['employee:100467', { title: 'Sadia Barnes', subtitle: 'Birch' }]])

  test('come in their order, before the places, with the shortcut of a record', () => {
    const keyed = { ...opens, keys: [{ scope: 'workspace' as const, chord: 'b' }] }
    const {
      in: rowsOf,
      groups,
      rows,
    } = composed('', {
      more: [keyed],
      opening: { favourites: ['view.theme', record, 'open.invoices'], names: named },
    })
    expect(rowsOf('Favourites')).toEqual(['Switch theme', 'Sadia Barnes', 'Open invoices'])
    expect(groups).toEqual(['Favourites', 'Go to'])
    expect(rows.find(({ title }) => title === 'Sadia Barnes')).toMatchObject({ kind: 'record', chord: 'b' })
  })

  test('are listed once, also if they were used or opened lately', () => {
    const { rows, in: rowsOf } = composed('', {
      more: [opens],
      recent: [sadia, paul],
      used: { 'view.theme': 5, 'open.invoices': 5, [record]: 5 },
      opening: { favourites: [record, 'view.theme', 'open.invoices'], names: named },
    })
    expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length)
    expect(rowsOf('Favourites')).toEqual(['Sadia Barnes', 'Switch theme', 'Open invoices'])
    expect(rowsOf('Recent')).toEqual(['Paul Adeyemi'])
  })

  test('a record that the API does not return, or whose list is locked, is not shown', () => {
    expect(composed('', { more: [opens], opening: { favourites: [record] } }).groups).not.toContain('Favourites')
    const locked = composed('', { more: [opens], lacks: ['read:employees'], opening: { favourites: [record], names: named } })
    expect(locked.groups).not.toContain('Favourites')
  })

  test('a command that is gone or locked is left out', () => {
    const favourites = ['filter.saved.employee.Mine', 'open.invoices']
    expect(composed('', { lacks: ['read:billing'], opening: { favourites } }).groups).not.toContain('Favourites')
  })
})

describe('examples', () => {
  beforeEach(() => store.set(rightsChangesAtom, 0))
  const example = (command: Command | null = null): Example => ({ entity: employee, record: sadia, command, rights: 0 })
  const pause = command('employee.pause')

  test('somebody new gets an id, a name with a command, a list with a filter, and the help', () => {
    const { in: rowsOf } = composed('', { opening: { isNew: true }, example: example(pause) })
    expect(rowsOf('Examples').slice(-4)).toEqual(['100467', 'pause Sadia Barnes', 'active employees', '?'])
    expect(composed('', { example: example(pause) }).groups).not.toContain('Examples')
  })

  test('each example finds what it says, and Enter on it changes nothing', () => {
    for (const row of exampleRows(example(pause))) {
      const { rows, active } = composed(row.text)
      expect([row.text, rows.length > 0]).toEqual([row.text, true])
      expect(rows[0]?.usable).toBe(true)
      if (row.text !== '?') expect(active).not.toBeNull()
    }
    expect(composed('pause Sadia Barnes').active).toBe('Pause employee: Sadia Barnes')
    expect(composed('active employees').active).toBe('Show active employees')
  })

  test('after a change of rights nothing is left of the record', () => {
    store.set(rightsChangesAtom, 1)
    expect(exampleRows(example(pause)).map(({ text }) => text)).toEqual(['?'])
  })

  test('an invoice gives examples of its own', () => {
    const one = invoiceLike({ status: 'SENT', derived: [] })
    const texts = exampleRows({ entity: invoice, record: one, command: command('invoice.add-repayment'), rights: 0 }).map(
      ({ text }) => text,
    )
    expect(texts).toEqual([invoice.id(one), `add repayment ${invoice.title(one)}`, expect.stringMatching(/invoices$/), '?'])
  })
})
