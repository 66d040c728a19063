import { z } from 'zod'
import { connectAccountManager } from '#contract/account-manager-changes.ts'
import { type AccountManager, getAccountManager } from '#contract/account-managers.ts'
import { anyReferences } from '#contract/fields.ts'
import { accountManager } from '#entities/account-manager.ts'
import { defineCommand } from '#kernel/command.ts'

const form = z.object({
  organization_ids: anyReferences('Organizations', 'organization', { help: 'All employers of it, also those to come' }).default(
    [],
  ),
  employer_ids: anyReferences('Employers', 'employer').default([]),
})

const idsOf = (things: readonly { id: number }[] = []): number[] => things.map(({ id }) => id)

const listOf = ({ organizations, employers }: AccountManager) => ({
  organization_ids: idsOf(organizations),
  employer_ids: idsOf(employers),
})

/** What goes from a list and what comes to it, in words. */
function changed(of: string, known: readonly { id: number; name: string }[] = [], typed: readonly (number | string)[] = []) {
  const now = typed.map(Number)
  const gone = known.filter(({ id }) => !now.includes(id)).map(({ name }) => name)
  const count = (ids: readonly number[]) => String(ids.length)
  const before = known.map(({ id }) => id)
  const same = gone.length === 0 && before.length === now.length
  return same
    ? []
    : [{ of, what: gone.length ? `without ${gone.join(', ')}` : 'connected', before: count(before), after: count(now) }]
}

export default defineCommand<AccountManager, typeof connectAccountManager, z.input<typeof form>, AccountManager>({
  id: 'account-manager.connect',
  title: 'Change connections of account manager',
  aliases: ['link account manager', 'unlink account manager', 'connect organizations', 'connect employers', 'access list'],
  icon: 'link',
  on: accountManager,
  does: connectAccountManager,
  bulk: false,
  form,
  facts: (one, read) => read(getAccountManager, { id: one.id }),
  start: (one) => {
    if (!one) return {}
    const { organization_ids, employer_ids } = listOf(one)
    return { organization_ids: organization_ids.map(String), employer_ids: employer_ids.map(String) }
  },
  warning: () => 'This replaces the whole list: what is not in it is no longer theirs.',
  preview: (_, { organization_ids, employer_ids }, now) => [
    ...changed('Organizations', now.organizations, organization_ids),
    ...changed('Employers', now.employers, employer_ids),
  ],
  plan: (one, { organization_ids = [], employer_ids = [] }) => [
    connectAccountManager({ id: one.id }, { organization_ids, employer_ids, version: one.version }),
  ],
  undo: ({ before, after }) => [connectAccountManager({ id: after.id }, { ...listOf(before), version: after.version })],
  done: (one) => `Changed what ${accountManager.title(one)} is connected to`,
  failed: () => 'Unable to edit Account Manager.',
})
