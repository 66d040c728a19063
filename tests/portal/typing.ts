import { vi } from 'vitest'
import { capitalize } from '#domain/text.ts'
import { permissionIds } from '#domain/permissions.ts'
import { writeOffReasons } from '#domain/write-off.ts'
import type { Invoice } from '#contract/invoices.ts'
import { Organization } from '#contract/organizations.ts'
import { AccountManager } from '#contract/account-managers.ts'
import { Admin } from '#contract/admins.ts'
import { Deduction } from '#contract/deductions.ts'
import { User } from '#contract/users.ts'
import { WriteOff } from '#contract/write-offs.ts'
import { admin } from '#entities/admin.ts'
import { deduction } from '#entities/deduction.ts'
import { user } from '#entities/user.ts'
import { accountManager } from '#entities/account-manager.ts'
import { customerSuccessManager } from '#entities/customer-success-manager.ts'
import { employee } from '#entities/employee.ts'
import { employer } from '#entities/employer.ts'
import { invoice } from '#entities/invoice.ts'
import { organization } from '#entities/organization.ts'
import { repayment } from '#entities/repayment.ts'
import { withList } from '#entities/with-list.ts'
import { writeOff } from '#entities/write-off.ts'
import { searchKinds } from '#contract/search.ts'
import type { Command } from '#kernel/command.ts'
import type { CommandContext, OpenPane, Selection } from '#kernel/command-context.ts'
import type { AnyEntity } from '#kernel/entity.ts'
import { wordsOf } from '#kernel/findable.ts'
import { tier } from '#kernel/match.ts'
import { finder } from '#kernel/rank.ts'
import type { FindRecord } from '#kernel/sentence/arguments.ts'
import { namedIn } from '#kernel/sentence/named.ts'
import { parse } from '#kernel/sentence/parse.ts'
import { commandsOn, isInDollars, type ParsedQuery, readTyped, sentencesIn } from '#kernel/sentence/reading.ts'
import type { SearchResults } from '#portal/palette/ask.ts'
import { commandFinder } from '#portal/palette/command-rows.ts'
import { compose } from '#portal/palette/compose.ts'
import { factsOf } from '#portal/palette/facts.ts'
import { spanFrom } from '#portal/palette/filter-rows.ts'
import type { Results, Row } from '#portal/palette/row.ts'
import { fetchSentences } from '#portal/palette/sentences.ts'
import { searchedFor } from '#portal/palette/use-search.ts'
import { findableRecord, type Local } from '#portal/records/find-locally.ts'
import { hitOf } from '#portal/records/rank-found.ts'
import { employeeLike, employerLike, invoiceLike, repaymentLike } from '#tests/support/examples.ts'

const modules = import.meta.glob<{ default: Command | Command[] }>(['../../commands/**/*.ts', '!../../commands/**/*.page.ts'], {
  eager: true,
})
/** All commands of the product. */
export const everyCommand: readonly Command[] = Object.values(modules).flatMap((module) => [module.default].flat())

/** The order in which equally good results of nouns are shown. */
const place = ({ list }: AnyEntity): number => searchKinds.findIndex((kind) => list.path === `/${kind}`)
const nouns: readonly AnyEntity[] = [...withList].sort((a, b) => place(a) - place(b))

const at = '2026-11-01T09:00:00Z'
const stamps = { created_at: at, updated_at: at, version: 1 }

await fetchSentences()

// Sentences name days by today: the business date of these tests is 30 Nov 2026, a Monday.
vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-30T12:00:00Z') })

const laurel = { id: 200001, name: 'Laurel Group' }
const birch = { id: 200101, name: 'Birch Foods', code: 'BF', status: 'ACTIVE' as const }
const works = { employer: { ...birch, organization_id: laurel.id, organization_name: laurel.name } }

/** The people, companies and bills that sentences in tests are about. */
export const company: readonly (readonly [AnyEntity, readonly unknown[]])[] = [
  [
    employee,
    [
      employeeLike(100467, 'Sadia', 'Barnes', works),
      employeeLike(100468, 'Tom', 'Okafor', works),
      employeeLike(100469, 'Tom', 'Alvarez', works),
    ],
  ],
  [
    employer,
    [
      employerLike({ id: 200101, internal_name: 'Birch Foods', external_name: 'Birch Foods', organization_name: laurel.name }),
      employerLike({ id: 200102, internal_name: 'Acme', external_name: 'Acme Inc', external_code: 'AC-01' }),
      employerLike({ id: 200103, internal_name: 'Acme North', external_name: 'Acme North', external_code: 'AC-02' }),
      employerLike({ id: 200104, internal_name: 'Cedar East', external_name: 'Cedar East', external_code: 'CE-01' }),
      employerLike({ id: 200105, internal_name: 'Cedar West', external_name: 'Cedar West', external_code: 'CE-02' }),
    ],
  ],
  [
    organization,
    [
      Organization.parse({
        ...{ ...laurel, lookup_name: 'laurel', brand: 'DAYLINE', source_code: 'LG', status: 'ACTIVE', csm: null, notes: null },
        ...{ encryption: null, employer_count: 3, active_employer_count: 3, ...stamps },
      }),
    ],
  ],
  [
    accountManager,
    [
      AccountManager.parse({
        ...{ id: '0b8b1c3e-0d1c-4e6f-9a51-0c0000000001', name: 'Maria Lind', email: 'maria.lind@example.com', status: 'ACTIVE' },
        ...{ invitation_until: null, groups: [], permissions: [], own: false, above: false, brand: null, ...stamps },
        ...{ origin: 'ADMIN_PORTAL', further: false, shared: true, organizations: [], employers: [] },
      }),
    ],
  ],
  [
    invoice,
    ([40058, 40102] as const).map((id) =>
      invoiceLike({
        ...{ id, number: `INV-${id}`, debtor_name: birch.name, debtor_id: birch.id, employer: birch, organization: laurel },
        ...(id === 40102 ? { outstanding_amount: -5_000, derived: ['OVERPAID'] } : {}),
      } as Partial<Invoice>),
    ),
  ],
  [repayment, [repaymentLike()]],
  [
    writeOff,
    [
      WriteOff.parse({
        ...{ id: 70001, invoice_id: 40058, invoice_number: 'INV-40058', invoice_status: 'SENT', invoice_version: 1, line_id: 1 },
        ...{ employer: { id: birch.id, name: birch.name }, organization: laurel, employee_id: 100467 },
        ...{ employee_name: 'Sadia Barnes', suggested_amount: 500, approved_amount: null, own: false },
        ...{ reason: writeOffReasons[0], details: null, status: 'PENDING', suggested_by: { id: '1', name: 'Priya Raman' } },
        ...{
          suggested_at: at,
          decided_by: null,
          decided_at: null,
          decision_reason: null,
          comments: null,
          updated_at: at,
          version: 1,
        },
      }),
    ],
  ],
  [
    deduction,
    [
      Deduction.parse({
        ...{ id: 50001, status: 'PENDING', invoice_id: 40058, invoice_number: 'INV-40058', invoice_status: 'ON_DEDUCTION_FILE' },
        ...{ employer: birch, organization: laurel, report_date: '2026-11-20', due_date: '2026-11-30', amount: 60_000 },
        ...{ employees: 2, pending_write_offs: 0, confirmation_flow: 'MULTIPLE', confirmations: 0, confirmed_amount: null },
        ...{
          file_name: 'ewa.csv',
          approved_by: null,
          approved_at: null,
          delivered_at: null,
          fetched_at: null,
          confirmed_at: null,
        },
        ...{ updated_at: at, version: 1 },
      }),
    ],
  ],
  [
    user,
    [
      User.parse({
        ...{ id: 300467, brand: 'DAYLINE', first_name: 'Sadia', last_name: 'Barnes', email: 'user@example.org' },
        ...{ pending_email: null, phone_number: '+12125550163', status: 'ACTIVE', kyc_status: 'UNDER_REVIEW', kyc_id: 1 },
        ...{ kyc_reason: null, document_types: [], force_password_change: false, last_sign_in_at: null, employee_id: 100467 },
        ...stamps,
        employee: {
          id: 100467,
          name: 'Sadia Barnes',
          status: 'ACTIVE',
          flow: 'PAYROLL',
          employer: { id: birch.id, name: birch.name },
        },
      }),
    ],
  ],
  [
    admin,
    [
      Admin.parse({
        ...{ id: '0b8b1c3e-0d1c-4e6f-9a51-0c0000000002', name: 'Kim Novak', email: 'kim.novak@example.com', status: 'ACTIVE' },
        ...{ invitation_until: null, groups: [], permissions: [], own: false, above: false, phone_number: null, ...stamps },
        last_super_admin: false,
      }),
    ],
  ],
  [
    customerSuccessManager,
    [
      { id: 501, name: 'Jane Doe' },
      { id: 502, name: 'Jan Roe' },
    ],
  ],
]

const recordsOf = (entity: AnyEntity): readonly unknown[] => company.find(([each]) => each === entity)?.[1] ?? []

/** A record of the company as the selection. */
export function selected(entity: AnyEntity, id: string): Selection {
  const row = recordsOf(entity).find((each) => entity.id(each) === id)
  return { entity: entity.name, ids: [id], rows: new Map([[id, row]]), filter: null, count: 1, how: 'active' }
}

/** What the API finds for a text: records by words of their names or of their companies, and by id. */
function answersTo(typed: ParsedQuery): SearchResults {
  const words = wordsOf(typed.asked ?? typed.text)
  const lists = searchedFor(
    typed,
    nouns,
    commandsOn(typed).map(({ on }) => on?.name),
  )
  const found = (entity: AnyEntity) =>
    recordsOf(entity).filter((row) => {
      const { hit } = hitOf(entity, row, words)
      return hit !== null && hit.tier < tier.substring
    })
  const withIds = typed.ids.filter(({ entity }) => !typed.only || typed.only.includes(entity.name))
  return {
    asked: typed.text,
    lists: Object.fromEntries(
      lists.map((each) => [each.name, { state: 'done' as const, rows: found(each), more: false, problem: null }]),
    ),
    ids: Object.fromEntries(
      withIds.map(({ entity, id }) => {
        const record = recordsOf(entity).find((row) => entity.id(row) === id)
        return [entity.name, { id, state: record ? ('hit' as const) : ('miss' as const), record, problem: null }]
      }),
    ),
  }
}

/** Whether nothing was found that the text is about, so that its next reading counts. */
function isNothing(typed: ParsedQuery, { lists, ids }: SearchResults): boolean {
  const about = sentencesIn(typed).flatMap(({ on }) => on?.name ?? [])
  const isAbout = (noun: string) => !sentencesIn(typed).length || about.includes(noun)
  const hasRows = Object.entries(lists).some(([noun, { rows }]) => rows.length > 0 && isAbout(noun))
  const hasRecord = Object.values(ids).some(({ state }) => state === 'hit')
  return typed.mode === 'all' && typed.text !== '' && (!hasRows || isInDollars(typed.said)) && !hasRecord
}

/** The list of a noun, open with filters. */
export function openList(entity: AnyEntity & { path: string }, set: OpenPane['set'], q = ''): OpenPane {
  const search = new URLSearchParams(
    set.flatMap(({ id, type, value }) => [
      [`${id}_type`, type],
      [`${id}_value`, value],
    ]),
  )
  return {
    ...{ name: entity.path.slice(1), entity: entity.name, title: capitalize(entity.many), filters: entity.filters, set },
    ...{ searched: true, q, narrowed: set.length > 0 || q !== '', columns: [], shown: [], path: entity.path },
    ...{ search: String(search), named: [], view: null, sorts: [], sort: null },
  }
}

const findNamed: FindRecord = ({ entity: name }, words) => {
  const entity = company.find(([each]) => each.name === name)?.[0]
  return entity ? namedIn(entity, recordsOf(entity), words) : []
}

const maxReadings = 20

export interface Typed extends Results {
  typed: ParsedQuery
  context: CommandContext
  active: Row | null
}

/** Everything that the palette shows for a text once the API has answered, to somebody who may do everything. */
export function type(text: string, more: Partial<CommandContext> = {}): Typed {
  const context: CommandContext = {
    ...{
      signedIn: true,
      held: new Set(permissionIds),
      supports: () => true,
      selection: null,
      pane: null,
      open: null,
      online: true,
    },
    ...more,
  }
  const read = readTyped(text, nouns, location.origin)
  const readingAt = parse(read, {
    ...{ commands: everyCommand, entities: nouns, find: commandFinder(everyCommand), used: () => 0, spanOf: spanFrom },
    ...{ isSearched: () => true, facts: factsOf, origin: location.origin },
  })
  let typed = readingAt(0) ?? read
  for (let place = 1; place < maxReadings && isNothing(typed, answersTo(typed)); place++) {
    const next = readingAt(place)
    if (!next) break
    typed = next
  }
  const finders = new Map(
    company.map(([entity, rows]) => [entity, finder<Local>(rows.map((row) => findableRecord(entity, row)))] as const),
  )
  const results = compose({
    ...{ typed, context, commands: everyCommand, findCommands: commandFinder(everyCommand), entities: nouns },
    ...{ found: answersTo(typed), waiting: false, used: () => 0, recent: [], find: findNamed },
    findRecords: (entity, ...asked) => finders.get(entity)?.(...asked) ?? [],
  })
  return { ...results, typed, context, active: results.rows[results.preselected] ?? null }
}
