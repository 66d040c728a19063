import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { availability, reasonOf } from '#kernel/availability.ts'
import { changes, type Command, isIrreversible } from '#kernel/command.ts'
import type { AnyEntity } from '#kernel/entity.ts'
import type { Field } from '#kernel/form.ts'
import { demoPassword } from '#server/auth/demo-people.ts'
import { codeOfStep, stepAt } from '#server/auth/totp.ts'
import { completions } from '#terminal/complete.ts'
import { connect, type Connection, contextOn, readRecord } from '#terminal/connection.ts'
import { optionOf } from '#terminal/field-values.ts'
import { knownFields } from '#terminal/help.ts'
import { runTerminal } from '#terminal/main.ts'
import { commands, listOf } from '#terminal/registry.ts'
import type { Streams } from '#terminal/streams.ts'
import { type Portal, startPortal } from '#tests/e2e/support.ts'
import { demoPerson } from '#tests/support/sign-in.ts'

const email = 'priya.raman@example.com'
const folder = mkdtempSync(join(tmpdir(), 'admin-portal-terminal-'))
let portal: Portal
let connection: Connection

/** Runs a command line in this process. */
const run = (...args: string[]) => runWith('', ...args)

/** The same with a text on standard input. */
async function runWith(input: string, ...args: string[]): Promise<{ code: number; out: string; notes: string }> {
  const [out, notes]: [string[], string[]] = [[], []]
  const streams: Streams = {
    print: (line) => void out.push(line),
    note: (line) => void notes.push(line),
    isInteractive: false,
    width: null,
    heading: (line) => void out.push(line),
    ask: () => Promise.reject(new Error('Nobody can be asked.')),
    askHidden: () => Promise.reject(new Error('Nobody can be asked.')),
    readAll: async () => input,
  }
  const code = await runTerminal(args, streams)
  return { code, out: out.join('\n'), notes: notes.join('\n') }
}

beforeAll(async () => {
  for (const name of ['CONFIG', 'STATE', 'CACHE']) vi.stubEnv(`XDG_${name}_HOME`, join(folder, name))
  portal = await startPortal()
  await portal.db.updateTable('people').set({ totp_last_step: null }).where('email', '=', email).execute()
  vi.stubEnv('PORTAL_EMAIL', email)
  vi.stubEnv('PORTAL_PASSWORD', demoPassword)
  vi.stubEnv('PORTAL_CODE', codeOfStep(demoPerson(email).totpSecret as string, stepAt(new Date())))
  expect(await run('sign-in', portal.origin)).toMatchObject({ code: 0 })
  connection = await connect(undefined, { note: () => undefined })
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await portal?.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Tables of nouns that have no list of their own. */
const tables: Readonly<Record<string, string>> = {
  'billing-account': 'billing_accounts',
  communication: 'communications',
  'customer-success-manager': 'people',
  'data-email': 'data_emails',
  integration: 'integrations',
  'linked-account': 'linked_accounts',
  mapping: 'mappings',
  note: 'notes',
  paygroup: 'pay_groups',
}

const ids = new Map<string, string[]>()
/** Ids of some records of a noun. */
async function idsOf(entity: AnyEntity): Promise<string[]> {
  const known = ids.get(entity.name)
  if (known) return known
  const table = tables[entity.name]
  const found = table
    ? (await sql<{ id: string }>`select id from ${sql.ref(table)} order by id limit 3`.execute(portal.db)).rows.map(({ id }) =>
        String(id),
      )
    : entity
        .rows((await connection.client.read(entity.list, {}, { ...entity.query, limit: '50' })) as never)
        .map((row) => entity.id(row))
  ids.set(entity.name, found)
  return found
}

/** Something to type for a required field. */
const sampleOf = ({ kind, options }: Field): string | null => {
  switch (kind) {
    case 'money':
    case 'percentage':
    case 'integer':
      return '1'
    case 'date':
      return 'today'
    case 'switch':
      return 'yes'
    case 'choice':
    case 'choices':
      return options[0]?.value ?? null
    case 'e-mail':
      return 'somebody@example.com'
    case 'text':
    case 'long-text':
    case 'chips':
      return 'Checked'
    default:
      return null
  }
}
const samples = (command: Command): string[] =>
  knownFields(command).flatMap((field) => {
    const value = field.optional || field.when ? null : sampleOf(field)
    return value === null ? [] : [`--${optionOf(field)}`, value]
  })

describe('every command', () => {
  test('has help with its title and the option of each field', async () => {
    expect(commands.length).toBeGreaterThan(400)
    for (const command of commands) {
      const { code, out } = await run(command.id, '--help')
      expect({ id: command.id, code, title: out.split('\n')[0] }).toEqual({ id: command.id, code: 0, title: command.title })
      for (const field of knownFields(command)) expect(out, command.id).toContain(`--${optionOf(field)}`)
    }
  })

  test('is completed by its id, and its options by their names', () => {
    expect(completions(['employee.pa'])).toEqual(['employee.pause'])
    for (const command of commands) {
      expect(completions([command.id])).toContain(command.id)
      const options = completions([command.id, '--'])
      expect(
        knownFields(command)
          .map((field) => `--${optionOf(field)}`)
          .filter((option) => !options.includes(option)),
      ).toEqual([])
    }
  })

  test('on a record, a dry run sends nothing and agrees with the rules of the portal', async () => {
    const changesBefore = await sql<{ count: number }>`select count(*)::int as count from audit_events`.execute(portal.db)
    const [shown, refused, invalid, left, confirmed] = Array.from({ length: 5 }, (): string[] => []) as [
      string[],
      string[],
      string[],
      string[],
      string[],
    ]
    for (const command of commands) {
      const { on } = command
      const [id] = on ? await idsOf(on) : []
      if (on && id === undefined) left.push(on.name)
      if (on && id === undefined) continue
      const target = on && id !== undefined ? await readRecord(connection, on, id).catch(() => undefined) : undefined
      if (on && target === undefined) continue
      const { code, out, notes } = await run(
        ...[command.id, ...(id === undefined ? [] : [id])],
        ...samples(command),
        '--dry-run',
        '--json',
      )
      const about = `${command.id} ${id}: ${code} ${notes}`
      const state = availability(command, on ? contextOn(connection, on, target) : connection.context, target)
      if ('sentence' in state) {
        expect(code, about).toBe(on || changes(command) ? 1 : 8)
        expect(notes, about).toContain(state.state === 'locked' ? reasonOf(state) : state.sentence)
        refused.push(command.id)
      } else if (code === 0) {
        if (changes(command)) expect(JSON.parse(out), about).toMatchObject({ dry_run: true, command: command.id })
        shown.push(command.id)
        // What nothing brings back is not sent without the word that confirms it.
        if (isIrreversible(command)) {
          const typed = [...[command.id, ...(id === undefined ? [] : [id])], ...samples(command)]
          for (const args of [typed, [...typed, '--confirm', 'another word']])
            expect(await run(...args), about).toMatchObject({ code: 2, out: '', notes: expect.stringContaining('Not sent') })
          confirmed.push(command.id)
        }
      } else {
        // A form that samples cannot fill in, or a check that reads more than the record.
        expect([1, 2], about).toContain(code)
        expect(notes.split('\n')[0], about).toMatch(/\S/)
        expect(JSON.parse(out), about).toMatchObject({ sentence: expect.any(String) })
        invalid.push(command.id)
      }
    }
    const changesAfter = await sql<{ count: number }>`select count(*)::int as count from audit_events`.execute(portal.db)
    expect(changesAfter.rows).toEqual(changesBefore.rows)
    expect(shown.filter((id) => changes(commands.find((each) => each.id === id) as Command)).length).toBeGreaterThan(40)
    expect(shown.length).toBeGreaterThan(300)
    // The value that a filter takes depends on its comparison.
    expect(invalid.filter((id) => !id.startsWith('filter.by.')).length).toBeLessThan(20)
    // The demo company has no imports and no results of the bank yet.
    expect([...new Set(left)].sort()).toEqual(['bank-result', 'import'])
    expect(confirmed.length).toBeGreaterThan(2)
  })
})

test('every list prints its columns, and its rows as the API has them', async () => {
  const nouns = [...new Set(commands.flatMap(({ on }) => (on?.pane ? [on] : [])))]
  expect(nouns.length).toBeGreaterThan(12)
  for (const noun of nouns) {
    const pane = await listOf(noun)
    const { code, out, notes } = await run(
      noun.path.slice(1),
      '--limit',
      '2',
      '--columns',
      (pane?.columns ?? []).map(({ id }) => id).join(','),
    )
    expect({ noun: noun.name, code, notes }).toMatchObject({ code: 0 })
    const [head] = out.split('\n')
    if (out) expect(head?.split('\t'), noun.name).toEqual(pane?.columns.map(({ title }) => title))
    const rows = JSON.parse((await run(noun.path.slice(1), '--limit', '2', '--json')).out)
    for (const row of rows) expect(noun.schema.safeParse(row).error, noun.name).toBeUndefined()
  }
})

describe('what is typed', () => {
  const dry = (...args: string[]) => run(...args, '--dry-run', '--json')
  const commandOf = ({ out }: { out: string }): string => (JSON.parse(out) as { command: string }).command

  test('an id, the beginnings of its parts, a verb and a sentence name the same command', async () => {
    const [id = ''] = (await run('employees', 'active', '--ids', '--limit', '1')).out.split('\n')
    const ways = [
      ['employee.pause', id, '--reason', 'fraud'],
      ['emp.pau', id, '--reason=fraud'],
      ['pause', id, '--reason', 'fraud'],
      [`pause ${id} fraud`],
      ['employee', 'pause', id, 'fraud'],
      [`${id} pause`, '--reason', 'fraud'],
    ]
    for (const typed of ways) {
      const { code, out, notes } = await dry(...typed)
      expect({ typed, code, notes }).toMatchObject({ code: 0 })
      expect(JSON.parse(out)).toMatchObject({ command: 'employee.pause', target: { id }, calls: [{ body: { reason: 'fraud' } }] })
    }
  })

  test('a record by a name that only it has, before or behind the command', async () => {
    const rows = JSON.parse((await run('employees', 'active', '--json', '--limit', '40')).out) as {
      first_name: string
      last_name: string
    }[]
    const names = rows.map((row) => `${row.first_name} ${row.last_name}`)
    let found = 0
    for (const name of names) {
      const count = JSON.parse((await run('employees', name, '--json')).out).length
      if (count !== 1) continue
      found++
      for (const typed of [
        [`pause ${name} fraud`],
        [`${name} pause`, '--reason', 'fraud'],
        ['employee.pause', name, '--reason', 'fraud'],
      ])
        expect({ typed, command: commandOf(await dry(...typed)) }).toEqual({ typed, command: 'employee.pause' })
      if (found === 2) break
    }
    expect(found).toBe(2)
    const [first = ''] = (names[0] as string).split(' ')
    expect(await run('employee.pause', first, '--reason', 'fraud')).toMatchObject({
      code: 2,
      notes: expect.stringContaining('names several employees'),
    })
    expect(await run('employee.pause', 'nobody of this name', '--reason', 'fraud')).toMatchObject({ code: 1 })
  })

  test('an unfinished or ambiguous command is not run', async () => {
    expect(await run('approve', '1')).toMatchObject({ code: 2, notes: expect.stringContaining('write-off.approve') })
    expect((await run('xyzzy')).code).toBe(2)
    expect((await run('sadia barnes pau')).code).toBe(2)
  })

  test('a list by a view, by filters, by an amount, with the noun anywhere', async () => {
    const overdue = (await run('invoices', 'overdue', '--ids', '--all')).out
    expect(overdue).not.toBe('')
    expect((await run('overdue invoices', '--ids', '--all', '--sort', 'due_date', '--order', 'asc')).out).toBe(overdue)
    const over = JSON.parse((await run('invoices', 'outstanding > 2000', '--json', '--all')).out) as {
      outstanding_amount: number
    }[]
    expect(over.length).toBeGreaterThan(0)
    expect(over.filter((row) => row.outstanding_amount <= 200_000)).toEqual([])
    expect(await run('invoices', '--columns', 'number,nothing')).toMatchObject({
      code: 2,
      notes: expect.stringContaining('There is no column nothing.'),
    })
  })

  test('a question for a value of a record, by id or name', async () => {
    const [row] = JSON.parse((await run('invoices', 'overdue', '--json', '--limit', '1')).out) as { number: string; id: number }[]
    const { number = '', id } = row ?? {}
    const asked = JSON.parse((await run(`due date of ${number}`, '--json')).out)
    expect(asked).toEqual([{ entity: 'invoice', id: String(id), name: 'Due date', value: expect.stringMatching(/ \d{4}$/) }])
    expect((await run(`what is the due date of ${number}`)).out.split('\n')[1]).toContain(asked[0].value)
    expect(await run('phone number of nobody of this name')).toMatchObject({ code: 1 })
  })

  test('amounts, dates and wrong values as the form reads them', async () => {
    const invoice = (await run('invoices', 'overdue', '--ids', '--limit', '1')).out
    const body = async (...more: string[]) =>
      JSON.parse((await dry('invoice.add-repayment', invoice, '--reason', 'Called', ...more)).out).calls?.[0]?.body
    expect(await body('--amount', '$1,000.50')).toMatchObject({ amount: 100_050, repayment_date: connection.me.business_date })
    const yesterday = new Date(Date.parse(connection.me.business_date) - 86_400_000).toISOString().slice(0, 10)
    expect(await body('--amount', '1', '--repayment-date', '-1d')).toMatchObject({ amount: 100, repayment_date: yesterday })
    expect(await run('invoice.add-repayment', invoice, '--amount', '1.234', '--reason', 'x')).toMatchObject({ code: 2, out: '' })
  })
})

describe('a part of a list, and undo', () => {
  /** An employer with a few active employees, and their ids. */
  async function employerWithFew(): Promise<{ name: string; ids: string[] }> {
    const { rows } = await sql<{ name: string; ids: string[] }>`
      select e.internal_name as name, array_agg(p.id::text order by p.id) as ids
      from employees p join employers e on e.id = p.employer_id
      where p.status = 'ACTIVE' and e.status = 'ACTIVE' group by e.id having count(*) between 2 and 45
      order by count(*), e.id limit 1`.execute(portal.db)
    return rows[0] as { name: string; ids: string[] }
  }
  const statusesOf = async (ids: readonly string[]) =>
    (
      await sql<{ status: string }>`select distinct status from employees where id = any(${ids}::bigint[])`.execute(portal.db)
    ).rows.map(({ status }) => status)

  test('a list by the name of an employer, and by a name that none has', async () => {
    const { name, ids } = await employerWithFew()
    const { out, notes } = await run('employees', 'active', 'employer', name, '--ids', '--all')
    expect(out.split('\n').sort()).toEqual(ids.toSorted())
    expect(notes).toContain(`Employer is ${name}`)
    expect(await run('employees', 'active', 'employer', 'nobody of this name')).toMatchObject({
      code: 1,
      out: '',
      notes: expect.stringContaining('No employer nobody of this name, or you have no access.'),
    })
  })

  test('a verb with a part of a list is done once its count is typed, and undo takes it back', async () => {
    const { name, ids } = await employerWithFew()
    const say = (...more: string[]) => run(`pause active employees of employer ${name}`, '--reason', 'fraud', ...more)
    const dry = await say('--dry-run', '--json')
    expect(dry).toMatchObject({ code: 0, notes: expect.stringContaining(`Status is Active, Employer is ${name}.`) })
    expect(JSON.parse(dry.out)).toMatchObject({ dry_run: true, command: 'employee.pause', eligible: ids.length })
    expect(await say()).toMatchObject({ code: 2, out: '', notes: expect.stringContaining(`To send it: --confirm ${ids.length}`) })
    expect(await statusesOf(ids)).toEqual(['ACTIVE'])
    expect(await say('--confirm', String(ids.length))).toMatchObject({ code: 0 })
    expect(await statusesOf(ids)).toEqual(['PAUSED'])
    expect(JSON.parse((await run('undo', '--dry-run', '--json')).out).calls).toHaveLength(ids.length)
    expect(await run('undo')).toMatchObject({ code: 2, notes: expect.stringContaining(`To send it: --confirm ${ids.length}`) })
    expect(await statusesOf(ids)).toEqual(['PAUSED'])
    const undone = await run('undo', '--confirm', String(ids.length))
    expect(undone).toMatchObject({ code: 0, out: `Pause undone for ${ids.length} employees` })
    expect(await statusesOf(ids)).toEqual(['ACTIVE'])
    expect(await run('undo')).toMatchObject({ code: 1, notes: expect.stringContaining('There is nothing to undo.') })
  })

  test('a set at a company is by its whole name; part of a name is asked about', async () => {
    const { name, ids } = await employerWithFew()
    expect(await run(`pause all active employees at ${name}`, '--reason', 'fraud', '--dry-run')).toMatchObject({
      notes: expect.stringContaining(`${ids.length} employees, Status is Active, Employer is ${name}.`),
    })
    const [word = ''] = name.split(' ')
    const asked = await run(`pause all active employees at ${word}`, '--reason', 'fraud', '--dry-run')
    expect(asked).toMatchObject({ code: 2, notes: expect.stringContaining(`Which one is “${word}”?`) })
  })

  test('piped ids that are none are said, and the name of another person is no reason', async () => {
    const { ids } = await employerWithFew()
    const [first = '', second = ''] = ids
    const piped = await runWith(`${first}, ${second}, banana`, 'employee.pause', '-', '--reason', 'fraud', '--dry-run')
    expect(piped.notes).toContain('Line 1: banana: This is not an id.')
    expect(piped.out).toContain('2 eligible')
    const { first_name, last_name } = await portal.db
      .selectFrom('employees')
      .select(['first_name', 'last_name'])
      .where('id', '=', Number(second))
      .executeTakeFirstOrThrow()
    const another = `and ${first_name} ${last_name} fraud`
    expect(await run(`pause ${first} ${another}`, '--dry-run')).toMatchObject({
      code: 2,
      notes: expect.stringContaining(`Not understood: ${another}`),
    })
  })

  test('a part of a list by an amount is that of the palette', async () => {
    const rows = JSON.parse((await run('write-offs', 'pending under 50', '--json', '--all')).out) as { amount: number }[]
    const dry = await run('approve pending write-offs under 50', '--dry-run')
    if (rows.length) expect(dry.notes).toContain(`${rows.length} write-off`)
    else expect(dry).toMatchObject({ code: 1, notes: expect.stringContaining('No write-offs') })
  })

  test('a question, and all except somebody, change nothing', async () => {
    const [id = ''] = (await employerWithFew()).ids
    const { last_name: name } = await portal.db
      .selectFrom('employees')
      .select('last_name')
      .where('id', '=', Number(id))
      .executeTakeFirstOrThrow()
    for (const sentence of [
      `who can pause ${id}`,
      `when did you pause ${id}`,
      `pause all but ${name} fraud`,
      `don't pause ${id}`,
    ])
      expect([sentence, (await run(sentence, '--reason', 'fraud')).code]).toEqual([sentence, 2])
    expect(await run('change due date INV-40058 2026-02-30')).toMatchObject({
      code: 2,
      notes: expect.stringContaining('2026-02-30'),
    })
    expect(await statusesOf([id])).toEqual(['ACTIVE'])
  })

  test('a command that several nouns have is that of the noun with such a record', async () => {
    const [id = ''] = (await employerWithFew()).ids
    for (const sentence of [`note ${id} called back about card`, `${id} note called back about card`])
      expect(await run(sentence, '--dry-run')).toMatchObject({
        code: 0,
        out: expect.stringContaining('called back about card'),
      })
    expect(await run('employee.pause', id, '99999999', '--reason', 'fraud', '--dry-run')).toMatchObject({
      code: 1,
      notes: expect.stringContaining('No employee 99999999, or you have no access.'),
    })
    expect(await run('note 99999999 called back')).toMatchObject({ code: 2, notes: expect.stringContaining('note.add.employee') })
  })

  test('undo takes back one change, but not what has changed since, and not twice', async () => {
    const [id = ''] = (await employerWithFew()).ids
    expect((await run('employee.pause', id, '--reason', 'fraud')).code).toBe(0)
    const undone = await run('undo')
    expect(undone).toMatchObject({ code: 0, notes: '', out: expect.stringMatching(/^Pause undone for /) })
    expect((await run('undo')).code).toBe(1)
    expect((await run('employee.pause', id, '--reason', 'fraud')).code).toBe(0)
    await sql`update employees set version = version + 1 where id = ${id}`.execute(portal.db)
    expect(await run('undo')).toMatchObject({ code: 1, out: '' })
    expect(await statusesOf([id])).toEqual(['PAUSED'])
  })
})
