import { z } from 'zod'
import { connectAccountManager } from '#contract/account-manager-changes.ts'
import { type AccountManager, getAccountManager } from '#contract/account-managers.ts'
import { listEmployers } from '#contract/employers.ts'
import { anyReferences } from '#contract/fields.ts'
import { listOrganizations } from '#contract/organizations.ts'
import { accountManager } from '#entities/account-manager.ts'
import { employer } from '#entities/employer.ts'
import { organization } from '#entities/organization.ts'
import { defineCommand, type Read } from '#kernel/command.ts'
import { counted } from '#kernel/money-lines.ts'

const form = z.object({
  organization_ids: anyReferences('Organizations', 'organization', { help: 'All its employers, future ones included' }).default(
    [],
  ),
  employer_ids: anyReferences('Employers', 'employer').default([]),
})

type Ids = readonly (number | string)[]
interface Named {
  id: number
  name: string
}

/** An account manager as they are now, and the names of what was chosen beside. */
interface Facts {
  now: AccountManager
  organizations: readonly Named[]
  employers: readonly Named[]
}

/** Names that are told of what comes; more are counted. */
const mostNamed = 20

const idsOf = (things: readonly { id: number }[] = []): number[] => things.map(({ id }) => id)
const newIn = (ids: Ids = [], known: readonly Named[] = []): string[] =>
  ids.map(String).filter((id) => !known.some((one) => String(one.id) === id))

/** The first of those who are not known yet, with their names. */
async function chosen(read: Read, now: AccountManager, typed: { organization_ids?: Ids; employer_ids?: Ids }) {
  const some = (ids: readonly string[]) => ({ id: ids.slice(0, mostNamed).join(','), limit: String(mostNamed) })
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

const listOf = ({ organizations, employers }: AccountManager) => ({
  organization_ids: idsOf(organizations),
  employer_ids: idsOf(employers),
})

/** Whether whoever changes the list would not see the account manager afterwards, and so could not take it back. */
const goesOutOfSight = ({ shared }: AccountManager, to: { organization_ids?: Ids | undefined; employer_ids?: Ids | undefined }) =>
  shared === true && !to.organization_ids?.length && !to.employer_ids?.length

const said = (word: string, names: readonly string[], others: number): string | null =>
  names.length + others === 0
    ? null
    : `${word} ${[names.join(', '), others > 0 && `${others} ${names.length > 0 ? 'more' : 'others'}`].filter(Boolean).join(' and ')}`

/** What comes to a list and what goes from it, in words. */
function changed(of: string, known: readonly Named[] = [], typed: Ids = [], named: readonly Named[] = []) {
  const [now, comes] = [typed.map(String), newIn(typed, known)]
  const gone = known.filter(({ id }) => !now.includes(String(id))).map(({ name }) => name)
  const names = named.filter(({ id }) => comes.includes(String(id))).map(({ name }) => name)
  const what = [said('with', names, comes.length - names.length), said('without', gone, 0)].filter(Boolean).join(', ')
  return what === '' ? [] : [{ of, what, before: String(known.length), after: String(now.length) }]
}

export default defineCommand<AccountManager, typeof connectAccountManager, z.input<typeof form>, Facts>({
  id: 'account-manager.connect',
  title: 'Change connections of account manager',
  aliases: [
    'link account manager',
    'unlink account manager',
    'assign account manager',
    'connect organizations',
    'connect employers',
    'access list',
    'grant access',
  ],
  icon: 'link',
  on: accountManager,
  does: connectAccountManager,
  bulk: false,
  form,
  facts: async (one, read, typed) => {
    const now = await read(getAccountManager, { id: one.id })
    return { now, ...(await chosen(read, now, typed)) }
  },
  factsFor: ({ organization_ids = [], employer_ids = [] }) => `${organization_ids}/${employer_ids}`,
  start: (one) => {
    if (!one) return {}
    const { organization_ids, employer_ids } = listOf(one)
    return { organization_ids: organization_ids.map(String), employer_ids: employer_ids.map(String) }
  },
  warning: () => 'This replaces the whole list. They lose access to what is not in it.',
  preview: (one, { organization_ids, employer_ids }, { now, organizations, employers }) => [
    ...changed('Organizations', now.organizations, organization_ids, organizations),
    ...changed('Employers', now.employers, employer_ids, employers),
    ...(goesOutOfSight(one, { organization_ids, employer_ids })
      ? [{ of: 'Seen by you', what: 'you share nothing any more', before: 'yes', after: 'no' }]
      : []),
  ],
  undoes: (one, typed) => !goesOutOfSight(one, typed),
  plan: (one, { organization_ids = [], employer_ids = [] }) => [
    connectAccountManager({ id: one.id }, { organization_ids, employer_ids, version: one.version }),
  ],
  undo: ({ before, after }) =>
    goesOutOfSight(before, listOf(after))
      ? null
      : [connectAccountManager({ id: after.id }, { ...listOf(before), version: after.version })],
  done: (one, { organization_ids = [], employer_ids = [] }) =>
    `${accountManager.title(one)} is connected to ${counted(organization_ids.length, organization)} and ${counted(employer_ids.length, employer)}`,
  failed: () => 'Unable to edit Account Manager.',
})
