import { afterAll, beforeAll, expect, test } from 'vitest'
import { inField, run } from '#tests/e2e/at-work.ts'
import { openSignedIn, type Portal, startPortal } from '#tests/e2e/support.ts'

let portal: Portal
beforeAll(async () => {
  portal = await startPortal()
})
afterAll(() => portal?.stop())

const statuses = async (ids: readonly number[]) =>
  (await portal.db.selectFrom('employees').select('status').where('id', 'in', ids).orderBy('id').execute()).map(
    (row) => row.status,
  )

test('[EMP-001, CARD-006] several rows: what would happen first, then one form, one result a row, and one undo', async () => {
  // The list begins with the lowest ids.
  const rows = await portal.db.selectFrom('employees').select('id').orderBy('id').limit(4).execute()
  const ids = rows.map((row) => row.id)
  await portal.db.updateTable('employees').set({ status: 'ELIGIBLE', user_id: null }).where('id', 'in', ids.slice(0, 3)).execute()
  await portal.db
    .updateTable('employees')
    .set({ status: 'TERMINATED' })
    .where('id', '=', ids[3] as number)
    .execute()
  const page = await openSignedIn(portal)
  await page.getByRole('row').nth(4).waitFor()
  for (let row = 0; row < 4; row++) {
    await page.keyboard.press('x')
    await page.keyboard.press('ArrowDown')
  }
  await page.keyboard.press('p')
  await page.getByText('3 can be done, 1 cannot').waitFor()
  await page.getByText('Actions unavailable when in Terminated.').waitFor()
  await inField(page, 'Reason')
  await page.keyboard.type('Payroll stopped')
  await page.keyboard.press('Control+Enter')
  await page.getByText('3 done, 0 failed, 0 refused').waitFor()
  expect(await page.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('3')
  expect(await statuses(ids)).toEqual(['PAUSED', 'PAUSED', 'PAUSED', 'TERMINATED'])
  await page.getByRole('button', { name: 'Undo 3' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('Undone: Pause employee: 3 done').first().waitFor()
  expect(await statuses(ids)).toEqual(['ELIGIBLE', 'ELIGIBLE', 'ELIGIBLE', 'TERMINATED'])
  await page.context().close()
})

test('[EMP-001] everything that a filter has: the server counts first, then carries it out', async () => {
  const count = async (status: string) =>
    Number(
      (
        await portal.db
          .selectFrom('employees')
          .select(({ fn }) => fn.countAll().as('count'))
          .where('status', '=', status)
          .executeTakeFirstOrThrow()
      ).count,
    )
  const before = await count('CREATED')
  expect(before).toBeGreaterThan(0)
  const page = await openSignedIn(portal, undefined, { path: '/employees?status_type=is&status_value=CREATED' })
  await page.getByRole('row').nth(1).waitFor()
  await page.keyboard.press('Control+a')
  await run(page, 'Pause employee')
  await inField(page, 'Reason')
  await page.keyboard.type('All of them')
  await page.keyboard.press('Control+Enter')
  await page.getByText(`${before} can be done`).waitFor()
  expect(await count('CREATED')).toBe(before)
  await page.keyboard.press('Control+Enter')
  await page.getByText(`${before} done, 0 failed, 0 refused`).waitFor({ timeout: 60_000 })
  expect(await count('CREATED')).toBe(0)
  await page.context().close()
})
