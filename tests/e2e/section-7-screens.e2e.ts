import { globSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listings } from '#contract/listings.ts'
import { follow, openSignedIn, type Portal, problemsOf, startPortal } from '#tests/e2e/support.ts'
import { type Section7, startSection7 } from '#tests/support/section-7.ts'

const lists = Object.values(listings).map(({ path }) => path.slice(1))
/** The addresses of screens: `dashboard/dashboard` is at /dashboard, `employers/ems` on the record of an employer. */
const screens = globSync('src/portal/nouns/*/*.screen.*').map((file) => {
  const [noun = '', name = ''] = file.split('/').slice(-2)
  return { noun, name: name.replace(/\.screen\.tsx?$/, '') }
})

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

/** Goes to a place by way of one that is none, so that nothing of the place before is taken for it. */
async function visit(path: string): Promise<void> {
  await follow(page, '/nowhere')
  await page.getByRole('heading', { name: 'There is no such page' }).waitFor()
  await follow(page, path)
  await page.getByRole('heading', { name: 'There is no such page' }).waitFor({ state: 'detached' })
}

const work = () => page.locator('[data-region=work], [data-region=page]').first()
const detail = () => page.locator('[data-region=detail]')
const rows = () => page.locator('[data-region=work] [role=row][id]')
/** What is wrong with a place that is on screen: it has neither rows nor words, or says that something failed. */
async function wrongAt(place: string, part: ReturnType<typeof detail>): Promise<string[]> {
  await expect
    .poll(async () => (await part.innerText()).replace(/\b(Loading|Counting)\b…?/g, '').trim(), { message: place })
    .not.toBe('')
  const text = await page.locator('body').innerText()
  const failed =
    /[^\n]*(could not|cannot) be (loaded|read|counted)[^\n]*|Unable to [^\n]*|Something went wrong[^\n]*|Not Found/.exec(text)
  return failed ? [`${place}: ${failed[0]}`] : []
}

test('of an API of section 7 only, which describes itself, every list, every tab of a record and every page of fields has rows or says why not, and nothing fails', async () => {
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
    if ((await rows().count()) === 0) {
      said.add(list)
      continue
    }
    await page.getByRole('grid').first().focus()
    await page.keyboard.press('j')
    await page.locator('.grid-now').first().waitFor()
    await page.keyboard.press('Enter')
    await detail().locator('h2').first().waitFor()
    for (const tab of await detail().getByRole('tab').all()) {
      await tab.click()
      wrong.push(...(await wrongAt(`${list}, ${await tab.innerText()}`, detail().getByRole('tabpanel'))))
    }
    const id = /\/(\d+)/.exec(page.url())?.[1]
    for (const { noun, name } of screens) {
      if (noun !== list) continue
      await visit(`/${list}/${id}/${name}`)
      wrong.push(...(await wrongAt(`${list} ${name}`, work())))
    }
  }
  for (const { noun, name } of screens) {
    if (noun !== name) continue
    await visit(`/${name}`)
    wrong.push(...(await wrongAt(name, work())))
  }
  expect(wrong).toEqual([])
  expect([...said].sort()).toEqual(['audit-events', 'bank-results', 'deductions', 'imports', 'sessions', 'write-offs'])
  expect([...new Set(api.unspecified)]).toEqual([])
  expect(problemsOf(page).filter((problem) => !problem.includes('/openapi.json'))).toEqual([])
})
