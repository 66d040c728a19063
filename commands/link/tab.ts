import type { CallHead } from '#contract/define.ts'
import { onboardingCalls } from '#contract/onboarding-calls.ts'
import { all, type Need } from '#domain/permissions.ts'
import { auditKinds } from '#domain/audit.ts'
import { auditOf } from '#entities/audit-event.ts'
import { withList } from '#entities/with-list.ts'
import { defineCommand, type Move } from '#kernel/command.ts'
import { type AnyEntity, pathOf } from '#kernel/entity.ts'

/** Overrides for tabs without a digit key. */
type OwnWay = Pick<Move<unknown, Record<string, never>>, 'aliases' | 'button' | 'icon' | 'keys'> & { reads: CallHead }

/** What somebody did to a record: `who paused`. */
const changeVerbs = [
  ...['activated', 'added', 'allocated', 'approved', 'changed', 'closed', 'confirmed', 'created', 'deactivated', 'deleted'],
  ...['did', 'dismissed', 'edited', 'linked', 'made', 'paused', 'recorded', 'refunded', 'rejected', 'removed', 'reopened'],
  ...['resumed', 'reversed', 'suggested', 'terminated', 'touched', 'unlinked', 'unpaused', 'updated', 'wrote off'],
]

/** Questions that a tab answers about its record. */
const questions: Readonly<Record<string, readonly string[]>> = {
  history: [
    ...['activity', 'changes', 'what changed', 'what happened'],
    ...changeVerbs.flatMap((verb) => ['who', 'who has', 'who have'].map((who) => `${who} ${verb}`)),
    ...['closed', 'paused', 'terminated'].flatMap((state) =>
      ['when was', 'why is', 'why was'].map((asked) => `${asked} … ${state}`),
    ),
  ],
}

const ownWays: Readonly<Record<string, OwnWay>> = {
  'employer-onboarding': {
    aliases: ['onboarding checklist', 'what is missing', 'go live'],
    button: 'Onboarding',
    icon: 'check',
    reads: onboardingCalls.steps,
    keys: [{ scope: 'row', chord: 's' }],
  },
}

/** Synonyms of tabs. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  'payroll-group': [
    'pay groups',
    'payroll groups',
    'edit employer pay group',
    'edit employer pay groups',
    'change employer pay group',
  ],
  transactions: ['tx', 'withdrawals', 'advances', 'transfers'],
  'linked-accounts': ['bank account', 'bank accounts', 'bank details', 'cards'],
  'pay-period': ['available balance', 'work period', 'earned wages'],
  connections: ['clients', 'client list', 'companies of account manager'],
  employees: ['lines', 'invoice lines'],
  'file-mapping': ['edit employer file mapping', 'edit mapping', 'mapping', 'mappings', 'file mappings'],
}

const billing = all('read:billing')
const timekeeping = all('read:timekeeping')

/** Needs of the list in a tab besides those of the record: without them the tab shows why it is empty. */
const tabNeeds: Readonly<Record<string, Need<never>>> = {
  'employee-invoices': billing,
  'employee-pay-period': all('read:work-period-balances'),
  'employee-timekeeping': timekeeping,
  'employee-transactions': all('read:transactions'),
  'employer-ewa-files': billing,
  'employer-invoices': billing,
  'employer-timekeepings': timekeeping,
  'organization-billing-accounts': billing,
  'organization-employers': all('read:employers'),
}

const tabsOf = (on: AnyEntity) =>
  Object.entries(on.tabs ?? {}).map(([id, title]) => {
    const [needs, aliases] = [tabNeeds[`${on.name}-${id}`], otherNames[id]]
    return defineCommand<unknown, { action?: string }>({
      id: `link.tab.${on.name}-${id}`,
      title: `Show ${title} of ${on.one}`,
      icon: 'arrow',
      on,
      reads: on.list,
      ...(needs ? { needs } : {}),
      act: (host, one, { action }) =>
        host.open(
          action
            ? `/audit-events?${new URLSearchParams(auditOf(on, on.id(one), action))}`
            : `${pathOf(on, on.id(one))}?tab=${id}`,
        ),
      ...(aliases ? { aliases } : {}),
      sentence: {
        ...(questions[id] ? { phrases: { [id]: questions[id] } } : {}),
        // `who changed laurel config`: what a history is about is a command, by which only the audit is filtered.
        ...(id === 'history' && Object.hasOwn(auditKinds, on.name) ? { takes: 'own-command' as const } : {}),
      },
      ...ownWays[`${on.name}-${id}`],
    })
  })

/** Opens every tab of every record by name, from anywhere. */
export default withList.flatMap(tabsOf)
