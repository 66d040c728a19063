import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Computer, lossyProxy, newComputer } from '#tests/e2e/terminal-process.ts'
import { type Portal, startPortal } from '#tests/e2e/support.ts'
import { createCompany } from '#tests/support/company.ts'
import { createPerson } from '#tests/support/people.ts'

let portal: Portal
let computer: Computer

beforeAll(async () => {
  portal = await startPortal()
  computer = newComputer()
  const { code, notes } = await computer.signIn(portal)
  expect({ code, notes }).toMatchObject({ code: 0 })
})
afterAll(async () => {
  await computer?.leave()
  await portal?.stop()
})

const portalRun = (...args: string[]) => computer.run(args)

/** Ids of employees in a state who were not used by an earlier test. */
const used = new Set<string>()
async function employees(status: string, count: number): Promise<string[]> {
  const rows = await sql<{ id: string }>`select id from employees where status = ${status} order by id`.execute(portal.db)
  const found = rows.rows.map(({ id }) => String(id)).filter((id) => !used.has(id))
  const chosen = found.slice(0, count)
  expect(chosen).toHaveLength(count)
  for (const id of chosen) used.add(id)
  return chosen
}
const statusOf = async (id: string): Promise<string> =>
  String((await sql<{ status: string }>`select status from employees where id = ${id}`.execute(portal.db)).rows[0]?.status)
/** How often a command changed an employee, by the audit. */
const timesOf = async (id: string, command: string): Promise<number> => {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from audit_events
    where entity = 'employee' and entity_id = ${id} and command = ${command}`.execute(portal.db)
  return rows[0]?.count ?? 0
}

describe('sign-in', () => {
  const sessionFile = () =>
    join(computer.folder, 'config/admin-portal', readdirSync(join(computer.folder, 'config/admin-portal'))[0] as string)

  test('stores the session in a file that only its owner can read', () => {
    expect(statSync(sessionFile()).mode & 0o777).toBe(0o600)
    expect(statSync(join(computer.folder, 'config/admin-portal')).mode & 0o777).toBe(0o700)
    expect(readFileSync(sessionFile(), 'utf8')).not.toContain('Portal-Demo')
  })

  test('narrows a session file that others can read, and says so', async () => {
    chmodSync(sessionFile(), 0o644)
    const { code, notes } = await portalRun('employees', '--limit', '1')
    expect({ code, notes }).toMatchObject({ code: 0, notes: expect.stringContaining('Others could read') })
    expect(statSync(sessionFile()).mode & 0o777).toBe(0o600)
  })

  test('a wrong password and a missing authenticator are answered with a sentence', async () => {
    const other = newComputer()
    const environment = { PORTAL_EMAIL: 'tom.berg@example.com', PORTAL_PASSWORD: 'not it' }
    const wrong = await other.run(['sign-in', portal.origin], { environment })
    expect(wrong).toMatchObject({ code: 3, out: '', notes: expect.stringMatching(/^Incorrect|e-mail|password/i) })
    const first = await other.signIn(portal, 'nadia.new@example.com')
    expect(first).toMatchObject({ code: 3, notes: expect.stringContaining('This account has no authenticator yet.') })
    const nobody = await other.run(['invoices'])
    expect(nobody).toMatchObject({ code: 3, out: '', notes: expect.stringContaining('Please login to continue.') })
    await other.leave()
  })

  test('several addresses are kept side by side, and each is signed out of alone', async () => {
    const other = newComputer()
    const alias = portal.origin.replace('127.0.0.1', 'localhost')
    await other.signIn(portal, 'sam.okoye@example.com')
    await other.signIn(portal, 'tom.berg@example.com', alias)
    const list = await other.run(['addresses'])
    expect(list.out.split('\n')).toEqual([`${alias}  tom.berg@example.com`, `${portal.origin}  sam.okoye@example.com`])
    expect((await other.run(['sign-out', '--at', alias])).code).toBe(0)
    expect((await other.run(['employees', '--limit', '1', '--at', alias])).code).toBe(3)
    expect((await other.run(['employees', '--limit', '1', '--at', portal.origin])).code).toBe(0)
    await other.leave()
  })

  test('an address that does not answer has an exit code of its own', async () => {
    const { code, notes } = await portalRun('sign-in', 'http://127.0.0.1:9')
    expect({ code, notes }).toEqual({ code: 5, notes: expect.stringContaining('http://127.0.0.1:9 did not answer.') })
  })
})

describe('lists and records', () => {
  test('prints a view of a list as tab-separated text, and amounts in cents as JSON', async () => {
    const { code, out, notes } = await portalRun('invoices', 'overdue', '--limit', '3')
    expect(code).toBe(0)
    const [head, ...rows] = out.split('\n')
    expect(head).toBe('Id\tEmployer, number\tStatus\tDue date\tInvoice\tPaid\tOutstanding')
    expect(rows).toHaveLength(3)
    expect(rows[0]).toMatch(/^INV-\d+\t.*Overdue.*\t\$[\d,.]+$/)
    expect(notes).toMatch(/^The first 3 of \d+ invoices, Status is Overdue; --all prints all\.\n$/)
    const json = JSON.parse((await portalRun('invoices', 'overdue', '--limit', '1', '--json')).out)
    expect(json).toEqual([
      expect.objectContaining({ outstanding_amount: expect.any(Number), due_date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) }),
    ])
  })

  test('prints views that the person saved, or that others shared', async () => {
    const [by, other] = ['sam.okoye@example.com', 'priya.raman@example.com']
    await sql`insert into shared_views (path, title, search, shared_with, shared_by)
      select '/employees', 'On Hold', 'status_type=is&status_value=PAUSED', '{EVERYBODY}', id from people where email = ${by}`.execute(
      portal.db,
    )
    await sql`insert into saved_views (person_id, views)
      select id, ${JSON.stringify([{ path: '/employees', title: 'Gone', search: 'status_type=is&status_value=TERMINATED' }])}::jsonb
      from people where email = ${other}`.execute(portal.db)
    const shown = async (...words: string[]) => (await portalRun('employees', ...words, '--limit', '1')).notes
    expect(await shown('on', 'hold')).toMatch(/employees, Status is Paused/)
    expect(await shown('gone')).toMatch(/employees, Status is Terminated/)
    expect(await shown('on', 'holiday')).toContain("with 'on holiday'")
    expect(await shown('active', 'at', 'birch')).toContain("Status is Active, with 'birch'")
  })

  test('reads lists like the palette, and refuses exceptions that it cannot make', async () => {
    const shown = async (...words: string[]) => (await portalRun(...words, '--limit', '1', '--json')).notes
    expect(await shown('oldest', 'overdue')).toMatch(/invoices, Status is Overdue/)
    expect(await shown('failed', 'repayments', 'yesterday')).toMatch(/repayments?, .*Unreconciled\/Failed/)
    expect(await shown('repayments', 'over', '100')).toMatch(/repayments?, Amount over \$100\.00/)
    const staff = await portalRun('who can approve write-offs')
    expect(staff.out).toContain('Priya Raman')
    expect(staff.notes).toMatch(
      /account managers?, Permission is Approve write-offs\.[\s\S]*admins?, Permission is Approve write-offs\./,
    )
    expect((await portalRun('top', '3', 'invoices', '--json')).notes).toMatch(/^The first 3 of /)
    expect(await portalRun('employees', 'except', 'birch')).toMatchObject({
      code: 2,
      notes: expect.stringContaining('Not understood'),
    })
  })

  test('says what a sentence with a typing error may mean, and does nothing', async () => {
    const [id = ''] = await employees('ACTIVE', 1)
    expect(await portalRun(`puase ${id} fraud`)).toMatchObject({
      code: 2,
      notes: expect.stringMatching(`Not understood: puase ${id} fraud\\s+Did you mean: pause ${id} fraud`),
    })
    expect((await portalRun('xyzzy', 'plugh')).notes).not.toContain('Did you mean')
  })

  test('prints the facts of a record, and says if there is none', async () => {
    const [id = ''] = await employees('ACTIVE', 1)
    const { code, out } = await portalRun('employee', id)
    expect(code).toBe(0)
    expect(out).toMatch(new RegExp(`· ${id}\n[\\s\\S]*\nStatus\tActive\n`))
    const none = await portalRun('employee', '999999')
    expect(none).toMatchObject({ code: 1, out: '', notes: 'No employee 999999, or you have no access.\n' })
  })
})

describe('one command', () => {
  test('a dry run shows the call and changes nothing; the command does it once', async () => {
    const [id = ''] = await employees('ACTIVE', 1)
    const dry = await portalRun('employee.pause', id, '--reason', 'fraud', '--dry-run')
    expect(dry).toMatchObject({ code: 0, notes: 'Nothing is changed by this.\n' })
    expect(dry.out).toContain(`Would send PATCH /employees/${id} {"status":"PAUSED","reason":"fraud","version":`)
    expect(await statusOf(id)).toBe('ACTIVE')
    const done = await portalRun('employee.pause', id, '--reason', 'fraud')
    expect(done).toMatchObject({ code: 0, out: expect.stringMatching(/^Paused /) })
    expect(await statusOf(id)).toBe('PAUSED')
    expect(await portalRun('employee.pause', id, '--reason', 'fraud')).toMatchObject({ code: 1, notes: 'Already paused.\n' })
    expect(await timesOf(id, 'employee.pause')).toBe(1)
  })

  test('reads the sentence of the palette', async () => {
    const [id = ''] = await employees('ACTIVE', 1)
    expect(await portalRun(`pause ${id} card was stolen`)).toMatchObject({ code: 0, out: expect.stringMatching(/^Paused /) })
    expect(await statusOf(id)).toBe('PAUSED')
  })

  test('names records in a sentence and as an option, and guesses none', async () => {
    const { employerIds } = await createCompany(portal.db, 'Tarn', 2)
    const [own, other] = employerIds as [number, number]
    const grants = [{ employerId: own }]
    await createPerson(portal.db, { kind: 'ACCOUNT_MANAGER', name: 'Wilma Okonkwo', groups: [], grants })
    const dryRun = async (...args: string[]) => (await portalRun(...args, '--dry-run', '--json')).out
    // A sentence adds to the list, an option replaces it.
    expect(await dryRun('link wilma okonkwo to tarn works 2')).toMatch(
      new RegExp(`"employer_ids": \\[\\s*${own},\\s*${other}\\s*\\]`),
    )
    expect(await dryRun('link wilma okonkwo', '--employer-ids', 'tarn works 2')).toMatch(
      new RegExp(`"employer_ids": \\[\\s*${other}\\s*\\]`),
    )
    const many = await portalRun('link wilma okonkwo to employer tarn')
    expect(many).toMatchObject({ code: 2, out: '', notes: expect.stringContaining('A name is that of several records.') })
    expect(many.notes).toContain(`${own}  Tarn Works 1`)
    const nobody = await portalRun('link wilma okonkwo to nothing')
    expect(nobody).toMatchObject({ code: 2, out: '', notes: expect.stringContaining('Not understood: to nothing') })
  })

  test('missing and wrong values are messages of the form, with the option to give', async () => {
    const [id = ''] = await employees('ACTIVE', 1)
    expect(await portalRun('employee.pause', id)).toMatchObject({
      code: 2,
      notes: expect.stringMatching(/^Reason: This is a required field\. --reason/),
    })
    expect(await portalRun('employee.pause', id, '--reson', 'x')).toMatchObject({
      code: 2,
      notes: expect.stringContaining('There is no option --reson.'),
    })
    for (const [words, flag, use] of [
      ['employee.pause ID --reason fraud', '--limit 5', 'lists'],
      ['pause all active employees', '--limit 5', 'lists'],
      ['employee ID', '--columns status', 'lists'],
      ['employees paused', '--output paused.csv', 'commands'],
    ] as const)
      expect(await portalRun(...`${words.replace('ID', id)} ${flag}`.split(' '))).toMatchObject({
        code: 2,
        notes: expect.stringContaining(`${flag.split(' ')[0]} is an option of ${use}.`),
      })
    const invoice = (await portalRun('invoices', 'overdue', '--ids', '--limit', '1')).out
    expect(await portalRun('invoice.add-repayment', invoice, '--amount', 'ten')).toMatchObject({
      code: 2,
      notes: expect.stringContaining('Amount: Enter an amount such as 12.50'),
    })
    expect(await statusOf(id)).toBe('ACTIVE')
  })

  test('adds a repayment with the preview of the form, in dollars', async () => {
    const invoice = (await portalRun('invoices', 'overdue', '--ids', '--limit', '1')).out
    const before = JSON.parse((await portalRun('invoice', invoice, '--json')).out)
    const typed = ['invoice.add-repayment', `INV-${invoice}`, '--amount', '12.50', '--reason', 'Called in']
    const dry = await portalRun(...typed, '--dry-run', '--json')
    expect(dry.code).toBe(0)
    expect(JSON.parse(dry.out)).toMatchObject({ dry_run: true, calls: [{ method: 'POST', body: { amount: 1250 } }] })
    expect(JSON.parse((await portalRun('invoice', invoice, '--json')).out)).toEqual(before)
    expect(await portalRun(...typed)).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Added a repayment of \$12\.50 from /),
    })
    const after = JSON.parse((await portalRun('invoice', invoice, '--json')).out)
    expect(after.paid_amount).toBe(before.paid_amount + 1250)
    const whole = await portalRun('repay', `INV-${invoice}`, 'in', 'full', '--reason', 'Called in', '--dry-run', '--json')
    expect(JSON.parse(whole.out)).toMatchObject({ calls: [{ body: { amount: after.outstanding_amount } }] })
  })
})

describe('many records', () => {
  test('ids from a pipe run after a dry run whose count is confirmed', async () => {
    const ids = await employees('ACTIVE', 3)
    const [paused = ''] = await employees('PAUSED', 1)
    const input = ['id', ...ids, paused].join('\n')
    const run = (...more: string[]) => computer.run(['employee.pause', '-', '--reason', 'fraud', ...more], { input })
    const dry = await run('--dry-run')
    expect(dry.code).toBe(0)
    expect(dry.out).toBe('Pause employee: 3 eligible, 1 blocked\n  1: Already paused.')
    expect(await run()).toMatchObject({ code: 2, out: '', notes: expect.stringContaining('To send it: --confirm 3') })
    expect(await run('--confirm', '4')).toMatchObject({ code: 2, out: '' })
    expect(await Promise.all(ids.map(statusOf))).toEqual(['ACTIVE', 'ACTIVE', 'ACTIVE'])
    const done = await run('--confirm', '3')
    expect(done.code).toBe(0)
    expect(done.out.split('\n')).toHaveLength(4)
    expect(done.notes).toContain('Pause employee: 3 of 3 done')
    expect(await Promise.all(ids.map(statusOf))).toEqual(['PAUSED', 'PAUSED', 'PAUSED'])
  })

  test('more than fifty are carried out by the server', async () => {
    const ids = await employees('ACTIVE', 55)
    const run = (...more: string[]) =>
      computer.run(['employee.pause', '-', '--reason', 'fraud', ...more], { input: ids.join('\n') })
    expect((await run('--dry-run')).out).toBe('Pause employee: 55 eligible')
    const done = await run('--confirm', '55')
    expect(done).toMatchObject({ code: 0, out: 'Pause employee: 55 employees done' })
    expect(new Set(await Promise.all(ids.map(statusOf)))).toEqual(new Set(['PAUSED']))
  })
})

describe('when something ends in between', () => {
  test('a lost permission has an exit code and the sentence of the portal', async () => {
    const other = newComputer()
    await other.signIn(portal, 'sam.okoye@example.com')
    const [id = ''] = await employees('ACTIVE', 1)
    const refused = await other.run(['employee.pause', id, '--reason', 'fraud'])
    expect(refused).toMatchObject({
      code: 4,
      out: '',
      notes: expect.stringContaining("You don't have permission to take this action."),
    })
    expect(refused.notes).toContain('It needs')
    expect(await statusOf(id)).toBe('ACTIVE')
    await other.leave()
  })

  test('an expired session says so once, with its exit code, and changes nothing', async () => {
    const other = newComputer()
    await other.signIn(portal, 'tom.berg@example.com')
    await sql`update sessions set ended_at = now(), ended_reason = 'ENDED_ELSEWHERE'
      where person_id = (select id from people where email = 'tom.berg@example.com') and ended_at is null`.execute(portal.db)
    const [id = ''] = await employees('ACTIVE', 1)
    const over = await other.run(['employee.pause', id, '--reason', 'fraud', '--json'])
    expect(over).toMatchObject({ code: 3, notes: expect.stringContaining('sign-in') })
    expect(JSON.parse(over.out)).toMatchObject({ state: 'signedOut', code: 'session-ended' })
    expect(await statusOf(id)).toBe('ACTIVE')
    expect(await other.run(['employees'])).toMatchObject({ code: 3, notes: expect.stringContaining('Please login to continue.') })
    await other.leave()
  })

  test('without an answer the outcome is unknown, and the same command again does it once', async () => {
    const proxy = await lossyProxy(portal.origin)
    const other = newComputer()
    await other.signIn(portal, 'priya.raman@example.com', proxy.origin)
    const [id = ''] = await employees('ACTIVE', 1)
    const typed = ['employee.pause', id, '--reason', 'fraud']
    const lost = proxy.loseAnswers(/employees/)
    const unknown = await other.run([...typed, '--wait', '1'])
    await lost
    expect(unknown).toMatchObject({ code: 6, out: '' })
    expect(unknown.notes).toContain('It may have gone through all the same. Sending it again is safe: it happens once.')
    proxy.mend()
    const again = await other.run(typed)
    expect(again).toMatchObject({ code: 0, out: expect.stringMatching(/^Paused /) })
    expect(new Set(proxy.keys).size).toBe(1)
    expect(await timesOf(id, 'employee.pause')).toBe(1)
    // It is over: the same once more is a command of its own.
    expect(await other.run(typed)).toMatchObject({ code: 1, notes: 'Already paused.\n' })
    await other.leave()
    await proxy.close()
  })

  test('a program that is killed while it sends leaves a call that the next run finishes', async () => {
    const proxy = await lossyProxy(portal.origin)
    const other = newComputer()
    await other.signIn(portal, 'priya.raman@example.com', proxy.origin)
    const invoice = (await portalRun('invoices', 'overdue', '--ids', '--limit', '2')).out.split('\n')[1] as string
    const before = JSON.parse((await portalRun('invoice', invoice, '--json')).out).paid_amount
    const typed = ['invoice.add-repayment', invoice, '--amount', '7', '--reason', 'Called in']
    const lost = proxy.loseAnswers(/repayments/)
    const killed = other.run(typed, { started: (child) => void lost.then(() => child.kill('SIGKILL')) })
    expect((await killed).code).toBeNull()
    proxy.mend()
    const again = await other.run(typed)
    expect(again).toMatchObject({ code: 0, out: expect.stringMatching(/^Added a repayment of \$7\.00/) })
    expect(again.notes).toContain('nothing was sent again')
    expect(JSON.parse((await portalRun('invoice', invoice, '--json')).out).paid_amount).toBe(before + 700)
    await other.leave()
    await proxy.close()
  })

  test('a server that is killed and started again has done it once', async () => {
    const [id = ''] = await employees('ACTIVE', 1)
    portal.server.child.kill('SIGKILL')
    await portal.server.ended
    const away = await portalRun('employee.pause', id, '--reason', 'fraud')
    expect(away).toMatchObject({ code: 5, out: '' })
    await portal.restart()
    expect(await portalRun('employee.pause', id, '--reason', 'fraud')).toMatchObject({ code: 0 })
    expect(await timesOf(id, 'employee.pause')).toBe(1)
  })
})

describe('what belongs to a file or a screen', () => {
  test('a download is written to a file, which is not overwritten unless it is named', async () => {
    const invoice = (await portalRun('invoices', '--ids', '--limit', '1')).out
    const path = join(computer.folder, 'invoice.pdf')
    const run = (...more: string[]) => portalRun('invoice.download', invoice, '--format', 'pdf', ...more)
    expect(await run('--output', path)).toMatchObject({ code: 0, out: path })
    expect(readFileSync(path).subarray(0, 5).toString()).toBe('%PDF-')
    writeFileSync(path, 'mine')
    expect(await run('--output', path)).toMatchObject({ code: 0 })
    expect(readFileSync(path).subarray(0, 5).toString()).toBe('%PDF-')
  })

  test('what needs a page says so', async () => {
    expect(await portalRun('view.theme', '--theme', 'dark')).toMatchObject({
      code: 8,
      out: '',
      notes: expect.stringContaining('belongs to the screen'),
    })
    expect(await portalRun('open.dashboard')).toMatchObject({
      code: 8,
      notes: expect.stringContaining(`${portal.origin}/dashboard`),
    })
  })
})
