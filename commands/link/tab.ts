import type { CallHead } from '#contract/define.ts'
import { onboardingCalls } from '#contract/onboarding-calls.ts'
import { withList } from '#entities/with-list.ts'
import { defineCommand, type Move } from '#kernel/command.ts'
import { type AnyEntity, pathOf } from '#kernel/entity.ts'

/** What is particular to the way to a tab that has no digit for its key. */
type OwnWay = Pick<Move<unknown, Record<string, never>>, 'aliases' | 'button' | 'icon' | 'keys'> & { reads: CallHead }

const ownWays: Readonly<Record<string, OwnWay>> = {
  'employer-onboarding': {
    aliases: ['onboarding checklist', 'what is missing', 'go live'],
    button: () => 'Onboarding',
    icon: 'check',
    reads: onboardingCalls.steps,
    keys: [{ scope: 'row', chord: 's' }],
  },
}

const tabsOf = (on: AnyEntity) =>
  Object.entries(on.tabs ?? {}).map(([id, title]) =>
    defineCommand<unknown>({
      id: `link.tab.${on.name}-${id}`,
      title: `Show ${title} of ${on.one}`,
      icon: 'arrow',
      on,
      reads: on.list,
      act: (desk, one) => desk.open(`${pathOf(on, on.id(one))}?tab=${id}`),
      ...(id === 'transactions' ? { aliases: ['tx'] } : {}),
      ...(ownWays[`${on.name}-${id}`] ?? { group: 'Tabs' }),
    }),
  )

/** The way to every tab of every record by its name, from wherever one is. */
export default withList.flatMap(tabsOf)
