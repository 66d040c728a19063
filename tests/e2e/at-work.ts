import type { Page } from 'playwright-core'
import { openShared, openSignedIn, type PageOptions, type Portal } from '#tests/e2e/support.ts'

export interface Someone {
  id: number
  name: string
}

const usedEmployees = new WeakMap<Portal, Set<number>>()

/** Employees of the demo company that no other test of this portal uses, in the required state. */
export function employeesOf(portal: Portal) {
  const taken = usedEmployees.get(portal) ?? new Set<number>()
  usedEmployees.set(portal, taken)
  return async (
    status: string,
    want: { linked?: boolean; unrecovered?: boolean; flow?: 'PAYROLL' | 'CONSUMER' } = {},
  ): Promise<Someone> => {
    const rows = await portal.db
      .selectFrom('employees')
      .leftJoin('work_period_balances as balances', (join) =>
        join.onRef('balances.employee_id', '=', 'employees.id').on('balances.is_open', '=', true),
      )
      .innerJoin('employers', 'employers.id', 'employees.employer_id')
      .leftJoin('users', 'users.id', 'employees.user_id')
      .select(['employees.id', 'employees.first_name', 'employees.last_name', 'employees.user_id'])
      .where('employees.status', '=', status)
      .where('employees.flow', '=', want.flow ?? 'PAYROLL')
      .where('employers.status', '=', 'ACTIVE')
      .where('employees.unrecovered_amount', want.unrecovered ? '>' : '=', 0)
      .where((where) => where.or([where('users.kyc_status', 'is', null), where('users.kyc_status', '!=', 'DENIED')]))
      .where((where) =>
        where.or([where('users.force_password_change', 'is', null), where('users.force_password_change', '=', false)]),
      )
      .where((where) => where.or([where('balances.pending_amount', 'is', null), where('balances.pending_amount', '=', 0)]))
      .orderBy('employees.id')
      .limit(400)
      .execute()
    const row = rows.find((each) => !taken.has(each.id) && (want.linked === undefined || (each.user_id !== null) === want.linked))
    if (!row) throw new Error(`The demo company has no more ${status} employee of this kind.`)
    taken.add(row.id)
    return { id: row.id, name: `${row.first_name} ${row.last_name}` }
  }
}

/** The status of an employee in the database. */
export const statusOf = async (portal: Portal, { id }: Someone): Promise<string> =>
  (await portal.db.selectFrom('employees').select('status').where('id', '=', id).executeTakeFirstOrThrow()).status

/** Audit entries of an employee since the demo began, oldest first: who did what. */
export const eventsOf = async (portal: Portal, { id }: Someone, event: string): Promise<number> =>
  (
    await portal.db
      .selectFrom('audit_events')
      .select('id')
      .where('entity', '=', 'employee')
      .where('entity_id', '=', String(id))
      .where('status', '=', event)
      .where('idempotency_key', 'is not', null)
      .execute()
  ).length

/** Signs in and opens the record of an employee, with the keyboard focus where a person has it. */
export async function openAt(portal: Portal, someone: Someone, email?: string, options: PageOptions = {}): Promise<Page> {
  const page = await openSignedIn(portal, email, { ...options, path: `/employees/${someone.id}` })
  await page.getByRole('heading', { name: someone.name }).waitFor()
  return page
}

/** The same in the shared page of a file. */
export async function openSharedAt(portal: Portal, someone: Someone, email?: string): Promise<Page> {
  const page = await openShared(portal, email, `/employees/${someone.id}`)
  await page.getByRole('heading', { name: someone.name }).waitFor()
  await page.locator('[data-region=detail]:focus').waitFor()
  return page
}

/**
 * Opens the palette, fills in text, and runs the first result. Filling takes a fifth of the time of typing, which has its own
 * tests.
 */
export async function run(page: Page, words: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').waitFor()
  await page.keyboard.insertText(words)
  await page
    .getByRole('option', { name: new RegExp(words, 'i') })
    .first()
    .waitFor()
  await page.keyboard.press('Enter')
}

/** Waits for a toast with this text; an error says what the dialog and the messages of the page are instead. */
export async function said(page: Page, sentence: string): Promise<void> {
  try {
    await page.getByText(sentence, { exact: true }).first().waitFor()
  } catch (error) {
    const shown = await page.locator('[role=dialog], [role=alertdialog], [role=alert], [role=status]').allInnerTexts()
    throw new Error(`Nothing says “${sentence}”, but: ${shown.filter(Boolean).join(' | ')}`, { cause: error })
  }
}

/** The focused field of a form. */
export const inField = (page: Page, label: string): Promise<void> =>
  page.waitForFunction((name) => {
    const active = document.activeElement as HTMLInputElement | null
    return [...(active?.labels ?? [])].some((each) => each.textContent?.trim().startsWith(name))
  }, label) as unknown as Promise<void>
