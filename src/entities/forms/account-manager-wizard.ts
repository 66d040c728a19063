import { z } from 'zod'
import { connectAccountManager, editAccountManager, setAccountManagerRights } from '#contract/account-manager-changes.ts'
import { type AccountManager, getAccountManager } from '#contract/account-managers.ts'
import type { Call } from '#contract/define.ts'
import { listEmployers } from '#contract/employers.ts'
import { anyReferences, email, text } from '#contract/fields.ts'
import { listOrganizations } from '#contract/organizations.ts'
import { rightsFields } from '#contract/staff.ts'
import { canChangeRights, canChangeStaff, canConnect } from '#domain/staff.ts'
import { accountManager } from '#entities/account-manager.ts'
import { employer } from '#entities/employer.ts'
import { rightsChange, rightsDone, rightsOf, rightsPreview, rightsValues } from '#entities/forms/rights.ts'
import { organization } from '#entities/organization.ts'
import type { Change, Read, Step } from '#kernel/command.ts'
import { pluralize } from '#kernel/pluralize.ts'
import { answerTo } from '#kernel/plan.ts'

const create = { step: 'Create' }
const connections = { step: 'Connections' }

const nameFields = { full_name: text('Full name', 200, create), email: email('E-mail', create) }
const connectionFields = {
  organization_ids: anyReferences('Organizations', 'organization', {
    ...connections,
    help: 'All its employers, future ones included',
  }).default([]),
  employer_ids: anyReferences('Employers', 'employer', connections).default([]),
}
const rights = rightsFields('ACCOUNT_MANAGER', { groups: 'Groups', permissions: 'Permissions' })

/** The wizard's fields in its steps Create, Connections, Groups and Permissions; `created` adds to the first step. */
export const accountManagerFields = <Created extends z.ZodRawShape>(created: Created) => ({
  ...nameFields,
  ...created,
  ...connectionFields,
  ...rights,
})

type Ids = readonly (number | string)[]
interface Named {
  id: number
  name: string
}

/** The edited values; steps that the person may not change have no fields. */
interface Edited {
  full_name?: string | undefined
  email?: string | undefined
  organization_ids?: Ids | undefined
  employer_ids?: Ids | undefined
  group_ids?: Ids | undefined
  permission_ids?: Ids | undefined
}

/** The current account manager, and the names of newly chosen organizations and employers. */
interface Facts {
  now: AccountManager
  organizations: readonly Named[]
  employers: readonly Named[]
}

/** Maximum number of new connections that the preview names; more are counted. */
const maxNamed = 20

const idsOf = (rows: readonly { id: number }[] = []): number[] => rows.map(({ id }) => id)
const newIn = (ids: Ids = [], known: readonly Named[] = []): string[] =>
  ids.map(String).filter((id) => !known.some((one) => String(one.id) === id))

async function namesOfNew(read: Read, now: AccountManager, typed: Edited) {
  const some = (ids: readonly string[]) => ({ id: ids.slice(0, maxNamed).join(','), limit: String(maxNamed) })
  const organizations = newIn(typed.organization_ids, now.organizations)
  const employers = newIn(typed.employer_ids, now.employers)
  const [one, other] = await Promise.all([
    organizations.length > 0 ? read(listOrganizations, {}, some(organizations)) : null,
    employers.length > 0 ? read(listEmployers, {}, some(employers)) : null,
  ])
  return {
    organizations: one?.organizations ?? [],
    employers: other?.employers.map(({ id, internal_name }) => ({ id, name: internal_name })) ?? [],
  }
}

/** The current values of all edited fields. */
const valuesOf = (one: AccountManager) => ({
  full_name: one.name,
  email: one.email,
  organization_ids: idsOf(one.organizations),
  employer_ids: idsOf(one.employers),
  ...rightsOf(one),
})

/** Whether the person would lose access to the account manager with this change, and so could not undo it. */
const goesOutOfSight = ({ shared }: AccountManager, to: Edited) =>
  shared === true && to.organization_ids?.length === 0 && to.employer_ids?.length === 0

const withWords = (word: string, names: readonly string[], others: number): string | null =>
  names.length + others === 0
    ? null
    : `${word} ${[names.join(', '), others > 0 && `${others} ${names.length > 0 ? 'more' : 'others'}`].filter(Boolean).join(' and ')}`

/** The preview row of a list of connections: added and removed ones, in words. */
function connectionRow(of: string, known: readonly Named[] = [], typed: Ids | undefined, named: readonly Named[] = []) {
  if (!typed) return []
  const [now, added] = [typed.map(String), newIn(typed, known)]
  const removed = known.filter(({ id }) => !now.includes(String(id))).map(({ name }) => name)
  const names = named.filter(({ id }) => added.includes(String(id))).map(({ name }) => name)
  const words = [withWords('with', names, added.length - names.length), withWords('without', removed, 0)].filter(Boolean)
  return words.length === 0 ? [] : [{ of, what: words.join(', '), before: String(known.length), after: String(now.length) }]
}

const nameRow = (one: AccountManager, what: string, before: string, after: string | undefined) =>
  after === undefined || after === before ? [] : [{ of: accountManager.title(one), what, before, after }]

const sameIds = (one: Ids, other: Ids): boolean =>
  one.length === other.length && one.map(String).every((id) => other.map(String).includes(id))

/** Which of the three calls a change needs: name and e-mail, rights, connections. */
function partsChanged(from: AccountManager, to: Edited) {
  const now = valuesOf(from)
  const isOther = (name: 'organization_ids' | 'employer_ids' | 'group_ids' | 'permission_ids') =>
    to[name] !== undefined && !sameIds(to[name], now[name])
  return {
    name: (to.full_name ?? now.full_name) !== now.full_name || (to.email ?? now.email) !== now.email,
    rights: isOther('group_ids') || isOther('permission_ids'),
    connections: isOther('organization_ids') || isOther('employer_ids'),
  }
}

/**
 * The calls that save an account manager, each with the version after the previous one. Connections come last: without a shared
 * one the person loses access. If nothing changed, the name is sent unchanged.
 */
function stepsTo(from: AccountManager, to: Edited): Step[] {
  const { id } = from
  const now = valuesOf(from)
  const { full_name = now.full_name, email: address = now.email } = to
  const parts = partsChanged(from, to)
  const named = (version: number) => editAccountManager({ id }, { full_name, email: address, version })
  const calls: ((version: number) => Call)[] = []
  if (parts.name || (!parts.rights && !parts.connections)) calls.push(named)
  if (parts.rights) {
    const held = {
      group_ids: [...(to.group_ids ?? now.group_ids)],
      permission_ids: [...(to.permission_ids ?? now.permission_ids)],
    }
    calls.push((version) => setAccountManagerRights({ id }, { ...held, version }))
  }
  if (parts.connections) {
    const list = {
      organization_ids: [...(to.organization_ids ?? now.organization_ids)],
      employer_ids: [...(to.employer_ids ?? now.employer_ids)],
    }
    calls.push((version) => connectAccountManager({ id }, { ...list, version }))
  }
  return calls.map((call, index) =>
    index === 0 ? call(from.version) : (answers) => call(answerTo(editAccountManager, answers.at(-1)).version),
  )
}

/**
 * The wizard for editing an account manager (SCR-013): the steps of creation with the current values. A command adds its id,
 * its title and the step that it opens at. Steps that the person may not change are left out.
 */
export const editAccountManagerWizard = {
  icon: 'edit',
  on: accountManager,
  does: [editAccountManager, setAccountManagerRights, connectAccountManager],
  form: {
    schema: (_, one) =>
      z.object({
        ...(one && canChangeStaff(one) ? {} : nameFields),
        ...(one && canConnect(one) ? {} : connectionFields),
        ...(one && canChangeRights(one) ? {} : rights),
      }),
    start: (one) => {
      if (!one) return {}
      const { organization_ids, employer_ids, ...others } = valuesOf(one)
      const connected = { organization_ids: organization_ids.map(String), employer_ids: employer_ids.map(String) }
      return { ...others, ...connected, ...rightsValues(one) }
    },
  },
  facts: {
    read: async (one, read, typed) => {
      const now = await read(getAccountManager, { id: one.id })
      return { now, ...(await namesOfNew(read, now, typed)) }
    },
    by: ({ organization_ids = [], employer_ids = [] }) => `${organization_ids}/${employer_ids}`,
  },
  preview: {
    rows: (one, to, { now, organizations, employers }) => [
      ...nameRow(one, 'name', now.name, to.full_name),
      ...nameRow(one, 'e-mail', now.email, to.email),
      ...connectionRow('Organizations', now.organizations, to.organization_ids, organizations),
      ...connectionRow('Employers', now.employers, to.employer_ids, employers),
      ...(goesOutOfSight(one, to) ? [{ of: 'Seen by you', what: 'you share nothing any more', before: 'yes', after: 'no' }] : []),
      ...(to.group_ids ? rightsPreview(now, to) : []),
    ],
    rights: (_, to, { now }) => rightsChange(now, to.group_ids ? to : rightsOf(now)),
    warning: () =>
      'Another e-mail ends their sessions and all links that were mailed before. Connections are replaced as a whole: they lose access to what is not in the list.',
  },
  plan: { calls: stepsTo },
  undo: {
    steps: ({ before, after }) => (goesOutOfSight(before, valuesOf(after)) ? null : stepsTo(after, valuesOf(before))),
    applies: (one, to) => !goesOutOfSight(one, to),
  },
  done: {
    message: (one, to) => {
      const name = accountManager.title(one)
      const parts = partsChanged(one, to)
      if (parts.rights && !parts.name && !parts.connections) return rightsDone(name, one, to)
      if (!parts.connections || parts.name || parts.rights) return `Changed ${name}`
      const { organization_ids = [], employer_ids = [] } = to
      return `${name} is connected to ${pluralize(organization_ids.length, organization)} and ${pluralize(employer_ids.length, employer)}`
    },
  },
  failed: () => 'Unable to edit Account Manager.',
} satisfies Omit<Change<AccountManager, Edited, Facts>, 'id' | 'title'> & { does: readonly unknown[] }
