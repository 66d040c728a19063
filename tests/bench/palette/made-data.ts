import { z } from 'zod'
import { endpoint } from '#contract/define.ts'
import { byId, nothing } from '#contract/fields.ts'
import { type Command, defineCommand } from '#kernel/command.ts'
import { type AnyEntity, defineEntity } from '#kernel/entity.ts'
import { numbers } from '#kernel/ids.ts'
import { firstNames, lastNames, pick, verbs } from '#tests/bench/made-names.ts'
import { signedIn } from '#domain/permissions.ts'

const Made = z.object({ id: z.int(), name: z.string(), email: z.string(), phone: z.string() })
type Made = z.infer<typeof Made>

/** `Pause employee 117850 – Maria Garcia`: ids are unique below 90,000 rows. */
export const madeRecords = (count: number): Made[] =>
  Array.from({ length: count }, (_, index) => {
    const id = 100_000 + ((index * 7919) % 90_000)
    const [first, last] = [pick(firstNames, index), pick(lastNames, index)]
    return {
      id,
      name: `${pick(verbs, index)} employee ${id} – ${first} ${last}`,
      email: `${first}.${last}.${index}@example.com`.toLowerCase(),
      phone: `+1212${String(5_550_000 + index).padStart(7, '0')}`,
    }
  })

const list = endpoint({
  method: 'GET',
  path: '/made',
  summary: 'Made things',
  tag: 'Made',
  params: nothing,
  query: nothing,
  answer: z.object({ made: z.array(Made) }),
  needs: signedIn,
})
const get = endpoint({
  method: 'GET',
  path: '/made/{id}',
  summary: 'One made thing',
  tag: 'Made',
  params: byId,
  query: nothing,
  answer: Made,
  needs: signedIn,
})

/** A noun that is searched like any other. */
export const made: AnyEntity = defineEntity<Made>({
  name: 'made',
  one: 'thing',
  many: 'things',
  icon: 'users',
  ids: numbers({ alone: true }),
  path: '/made',
  schema: Made,
  get,
  list,
  query: {},
  rows: (answer: { made: Made[] }) => answer.made,
  filters: [],
  pane: true,
  id: (one) => String(one.id),
  title: (one) => one.name,
  subtitle: (one) => String(one.id),
  version: () => 1,
  keywords: (one) => [one.email, one.phone],
  confirmWith: (one) => one.name,
})

const nouns = 'invoice repayment write-off deduction organization employer manager admin report file'.split(' ')

/** As many commands as the complete product, and the one that opens a generated record. */
export const madeCommands = (count: number): Command[] => [
  defineCommand<Made>({ id: 'link.open.made', title: 'Jump to thing', on: made, reads: get, act: () => {} }),
  ...Array.from({ length: count - 1 }, (_, index) => {
    const noun = pick(nouns, Math.floor(index / verbs.length))
    return defineCommand({
      id: `made.command-${index}`,
      title: `${pick(verbs, index)} ${noun} ${index}`,
      aliases: [`also ${noun} ${pick(firstNames, index)}`],
      needs: 'signed-in' as const,
      act: () => {},
    })
  }),
]
