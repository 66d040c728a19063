import { accessCalls } from '#contract/access-calls.ts'
import type { CallHead } from '#contract/define.ts'
import { accountManager } from '#entities/account-manager.ts'
import { admin } from '#entities/admin.ts'
import { session } from '#entities/session.ts'
import { withList } from '#entities/with-list.ts'
import { defineCommand } from '#kernel/command.ts'
import type { AnyEntity } from '#kernel/entity.ts'

const people: readonly { on: AnyEntity; reads: CallHead }[] = [
  { on: accountManager, reads: accessCalls.accountManager },
  { on: admin, reads: accessCalls.admin },
]
const records = withList.filter((entity) => entity !== session && !people.some(({ on }) => on === entity))

const address = (asked: Readonly<Record<string, string>>): string => `/access?${new URLSearchParams(asked)}`

const phrases = { 'explain access': ['who can see', 'who may see', 'who manages', 'who looks after', 'can … see'] }
const common = {
  aliases: ["why can't they see this", "why can't they do this", 'what is missing', 'who may', 'who can see'],
  icon: 'key',
}

/** Opens the page that explains access to a record, for every noun and every staff member. */
export default [
  ...people.map(({ on, reads }) =>
    defineCommand<unknown, { noun?: string; action?: string }>({
      ...common,
      id: `link.access.of-${on.name}`,
      title: `Explain access of ${on.one}`,
      on,
      reads,
      // About staff: what an employee cannot do is shown in the record.
      sentence: {
        phrases: {
          ...phrases,
          'explain access of': [
            "why can't",
            'why cannot',
            'why cant',
            "can't",
            'cannot',
            'cant',
            'can',
            'why can … not',
            'can … not',
          ],
        },
        takes: 'command',
      },
      act: (host, one, asked) => host.open(address({ [on.name]: on.id(one), ...asked })),
    }),
  ),
  ...records.map((on) =>
    defineCommand<unknown>({
      ...common,
      id: `link.access.to-${on.name}`,
      title: `Explain access to ${on.one}`,
      on,
      sentence: { phrases },
      reads: accessCalls.accountManager,
      act: (host, one) => host.open(address({ noun: on.name, record: on.id(one) })),
    }),
  ),
]
