import { globSync, readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listings } from '#contract/listings.ts'
import { inField, run } from '#tests/e2e/at-work.ts'
import { follow, openSignedIn, openTab, type Portal, problemsOf, startPortal, tabsOf } from '#tests/e2e/support.ts'
import { type Section7, startSection7 } from '#tests/support/section-7.ts'

const lists = Object.values(listings).map(({ path }) => path.slice(1))
/** The addresses of screens: `dashboard/dashboard` is at /dashboard, `employers/ems` on the record of an employer. */
const screens = globSync('src/portal/nouns/*/*.screen.*').map((file) => {
  const [noun = '', name = ''] = file.split('/').slice(-2)
  return { noun, name: name.replace(/\.screen\.tsx?$/, '') }
})

/** The reads of section 7 of the specification, from the checklist: `GET employees/{id}`. */
const specified = readFileSync('docs/checklist.tsv', 'utf8')
  .split('\n')
  .flatMap((line) => /^API-\d+\t7\t[^\t]*\t(GET [^\s:,]+)/.exec(line)?.[1] ?? [])
const unnamed = (call: string) => call.replace(/\{\w+\}/g, '{}')

/**
 * The reads of each screen by sections 2 and 7 of the specification: calls with the parameters that narrow them to the record.
 * Where section 7 has no such parameter, as in `deductions/configurations`, the portal filters the rows itself.
 */
const reads: Readonly<Record<string, readonly string[]>> = {
  employees: ['GET employees'],
  'employees, History': ['GET employees/{id}/events'],
  'employees, Linked Accounts': ['GET employees?id'],
  'employees, Pay period': [
    'GET employees/{id}/work-period-balances',
    'GET employees/{id}/work-period-balances/{wpbId}/invoice-details',
  ],
  'employees, Timekeeping': ['GET timekeeping?employee-id'],
  'employees, Transactions': ['GET transactions?employeeID'],
  users: ['GET users'],
  'users, General': ['GET users/{id}/kyc', 'GET users/{id}/current-address'],
  invoices: ['GET invoices?page'],
  'invoices, Employees': ['GET invoices?id'],
  repayments: ['GET repayments', 'GET repayments/amounts'],
  'repayments, General': ['GET repayments/{id}'],
  timekeeping: ['GET timekeeping'],
  employers: ['GET employers'],
  'employers, General': ['GET employer-additional-info?employer-ids'],
  'employers, Configurations': [
    'GET configurations?employer-id',
    'GET configurations/lms/{id}',
    'GET configurations/ems/{id}',
    'GET deductions/configurations',
  ],
  'employers, Integrations': ['GET integrations/search?employer-id'],
  'employers, File Mapping': [
    'GET mappings/employees',
    'GET mappings/timekeepings',
    'GET mappings/deductions',
    'GET mappings/confirmations',
  ],
  'employers, Invoices': ['GET employers/{id}/invoices'],
  'employers, Payroll Group': ['GET organizations/paygroups?employer-id', 'GET employers/payrollgroups/periods/current'],
  'employers, Timekeepings': ['GET employers/{id}/timekeeping'],
  'employers configuration': ['GET configurations?employer-id'],
  'employers ems': ['GET configurations/ems/{id}'],
  'employers new-mapping': ['GET employers/{employerId}/configurations', 'GET mappings/vendors'],
  organizations: ['GET organizations'],
  'organizations, Configurations': ['GET configurations?organization-id', 'GET deductions/configurations'],
  'organizations, Employers': ['GET employers?organization-id'],
  'organizations, Import Emails': ['GET data-emails?organization-id'],
  'organizations, Integrations': ['GET integrations/search?organization-id'],
  'sftp-users': ['GET sftp-users'],
  'account-managers': ['GET account-managers'],
  'account-managers, Permissions': ['GET account-managers/{id}/permissions'],
  admins: ['GET admins'],
  // The record itself is read once it has been open for a moment.
  'admins, Permissions': ['GET admins/{id}/permissions', 'GET admins/{id}'],
}
/** Unfiltered lists, which no record of another kind may show as its own. */
const unfilteredLists = ['GET invoices', 'GET timekeeping', 'GET repayments', 'GET transactions', 'GET employees']

let api: Section7
let portal: Portal
let page: Page

beforeAll(async () => {
  api = await startSection7({ documented: true })
  portal = await startPortal({ settings: { API_BASE: api.base } })
  api.origin = portal.origin
  page = await openSignedIn(portal, undefined, { path: '/employees', width: 1440, height: 900 })
})
afterAll(async () => {
  await portal?.stop()
  await api?.stop()
})

/** Opens a place by way of a neutral one, so that leftovers of the previous place do not count. */
async function visit(path: string): Promise<void> {
  await follow(page, '/nowhere')
  await page.getByRole('heading', { name: 'There is no such page' }).waitFor()
  await follow(page, path)
  await page.getByRole('heading', { name: 'There is no such page' }).waitFor({ state: 'detached' })
}

/** Whether a call was made with at least these parameters. */
function wasCalled(call: string): boolean {
  const [path = '', wanted = ''] = call.split('?')
  return api.asked.some((made) => {
    const [madePath = '', names = ''] = made.split('?')
    return (
      unnamed(madePath) === unnamed(path) && wanted.split(',').every((name) => name === '' || names.split(',').includes(name))
    )
  })
}
const visited = new Set<string>()
/** Waits until a place has made its calls. */
async function expectReads(place: string): Promise<void> {
  await expect
    .poll(() => (reads[place] ?? []).filter((call) => !wasCalled(call)), { message: `${place} makes its calls` })
    .toEqual([])
  visited.add(place)
}
/** Leaves a form and the palette behind it. */
async function leaveForm(): Promise<void> {
  await expect
    .poll(async () => {
      await page.keyboard.press('Escape')
      return page.getByRole('dialog').count()
    })
    .toBe(0)
}

const work = () => page.locator('[data-region=work], [data-region=page]').first()
const detail = () => page.locator('[data-region=detail]')
const rows = () => page.locator('[data-region=work] [role=row][id]')
/** Problems of the visible place: it has neither rows nor text, or reports a failure. */
async function wrongAt(place: string, part: ReturnType<typeof detail>): Promise<string[]> {
  await expect
    .poll(async () => (await part.innerText()).replace(/\b(Loading|Counting)\b…?/g, '').trim(), { message: place })
    .not.toBe('')
  const text = await page.locator('body').innerText()
  const failed =
    /[^\n]*(could not|cannot) be (loaded|read|counted)[^\n]*|Unable to [^\n]*|Something went wrong[^\n]*|Not Found/.exec(text)
  return failed ? [`${place}: ${failed[0]}`] : []
}

test('every list, tab and page makes its calls of section 7, scoped to its record', async () => {
  const wrong: string[] = []
  const said = new Set<string>()
  for (const list of lists) {
    await visit(`/${list}`)
    await expect
      .poll(async () => (await rows().count()) > 0 || /Not offered by this API|There are no|No /.test(await work().innerText()), {
        message: list,
      })
      .toBe(true)
    wrong.push(...(await wrongAt(list, work())))
    await expectReads(list)
    if ((await rows().count()) === 0) {
      said.add(list)
      continue
    }
    await page.getByRole('grid').first().focus()
    await page.keyboard.press('j')
    await page.locator('.grid-now').first().waitFor()
    await page.keyboard.press('Enter')
    await detail().locator('h2').first().waitFor()
    const before = api.asked.length
    for (const tab of await tabsOf(page)) {
      await openTab(page, tab)
      const place = `${list}, ${tab}`
      wrong.push(...(await wrongAt(place, detail().getByRole('tabpanel'))))
      await expectReads(place)
    }
    const whole = api.asked
      .slice(before)
      .filter((call) => unfilteredLists.includes(call.replace(/\?(page|pageSize|include|,)+$/, '')))
    expect([list, whole.filter((call) => !call.startsWith(`GET ${list}`))]).toEqual([list, []])
    const id = new URL(page.url()).pathname.split('/')[2]
    for (const { noun, name } of screens) {
      if (noun !== list) continue
      await visit(`/${list}/${id}/${name}`)
      wrong.push(...(await wrongAt(`${list} ${name}`, work())))
      await expectReads(`${list} ${name}`)
    }
  }
  for (const { noun, name } of screens) {
    if (noun !== name) continue
    await visit(`/${name}`)
    wrong.push(...(await wrongAt(name, work())))
  }
  expect(wrong).toEqual([])
  expect(Object.keys(reads).filter((place) => !visited.has(place))).toEqual([])
  expect([...said].sort()).toEqual(['audit-events', 'bank-results', 'deductions', 'imports', 'sessions', 'write-offs'])
  expect([...new Set(api.unspecified)]).toEqual([])
  expect(problemsOf(page).filter((problem) => !problem.includes('/openapi.json'))).toEqual([])
})

test.each([
  ['[API-042] the tab Invoices', 'GET employers/{id}/invoices?page'],
  ['[API-043] the tab Payroll Group', 'GET employers/payrollgroups/periods/current'],
  ['[API-044] the tab Timekeepings', 'GET employers/{id}/timekeeping'],
  ['[API-046] the form of a file mapping', 'GET employers/{employerId}/configurations'],
  ['[API-064] the tab Configurations', 'GET configurations/lms/{employerId}'],
  ['[API-065] the tab Configurations', 'GET configurations/ems/{employerId}'],
  ['[API-089] the form of a file mapping', 'GET mappings/vendors'],
])('%s of an employer makes %s', (_, call) => {
  expect(wasCalled(call)).toBe(true)
})

test('[API-111] [API-133] notes are read, and resume first asks whether it is allowed', async () => {
  const paused = portal.db.selectFrom('employees').select('id').where('status', '=', 'PAUSED').where('user_id', 'is not', null)
  await visit(`/employees/${(await paused.orderBy('id').executeTakeFirstOrThrow()).id}`)
  await detail().locator('.facts').first().waitFor()
  await run(page, 'show notes')
  await expect.poll(() => wasCalled('GET notes/entity/{id}')).toBe(true)
  await page.keyboard.press('Escape')
  await run(page, 'resume employee')
  await expect.poll(() => wasCalled('GET employees/{id}/can-unpause')).toBe(true)
  await leaveForm()
})

test('[API-014] [API-027] forms read the permissions and customer success managers that they offer', async () => {
  await run(page, 'create admin')
  await inField(page, 'Name')
  await page.keyboard.type('Vera Nord')
  await page.keyboard.press('Tab')
  await page.keyboard.type('vera.nord@example.com')
  await page.keyboard.press('Control+Enter')
  await expect.poll(() => wasCalled('GET permissions?entity')).toBe(true)
  await leaveForm()
  const manager = await portal.db.selectFrom('customer_success_managers').select('name').orderBy('id').executeTakeFirstOrThrow()
  await run(page, 'create organization')
  await page.getByLabel(/^Customer success manager/).focus()
  await page.keyboard.type(manager.name.slice(0, 5))
  await page.getByRole('option', { name: manager.name }).waitFor()
  expect(wasCalled('GET customer-success-managers')).toBe(true)
  await leaveForm()
})

test('[API-095] the form of an integration reads what an API can import', async () => {
  const first = await portal.db.selectFrom('organizations').select('id').orderBy('id').executeTakeFirstOrThrow()
  await visit(`/organizations/${first.id}`)
  await detail().locator('.facts').first().waitFor()
  await run(page, 'add integration')
  await page.getByRole('listbox', { name: 'Imports' }).and(page.locator(':focus')).waitFor()
  await page.getByLabel(/^Type/).focus()
  await page.keyboard.press('Space')
  await page.getByRole('option', { name: 'API', exact: true }).click()
  await expect.poll(() => wasCalled('GET integrations/metadata')).toBe(true)
  await leaveForm()
})

test('all reads of section 7 were made, and no others', () => {
  expect(specified.length).toBeGreaterThan(45)
  expect([...new Set(specified)].filter((call) => !wasCalled(call))).toEqual([])
  expect([...new Set(api.unspecified)]).toEqual([])
})
