import { z } from 'zod'
import { fieldMeta, required } from '#contract/fields.ts'
import { defineCommand } from '#kernel/command.ts'
import type { Situation } from '#kernel/situation.ts'

const form = ({ pane }: Situation) => {
  const view = z.string({ error: required }).min(1, required)
  fieldMeta.add(view, {
    kind: 'choice',
    title: 'View',
    options: (pane?.named ?? []).map((each) => ({ value: each.id, label: each.title })),
  })
  return z.object({ view })
}

const common = {
  icon: 'columns',
  group: 'View',
  needs: 'signed-in',
  unavailable: ({ pane }: Situation) =>
    !pane ? { sentence: 'Open a list first.' } : pane.named.length ? null : { sentence: 'This list has no views.' },
} as const

/** What is shown of a list: one of its named views. */
export default [
  defineCommand<undefined, { view: string }>({
    ...common,
    id: 'list.view',
    title: 'Show a view of this list',
    aliases: ['switch view', 'views'],
    form,
    start: (_, { pane }) => (pane?.view ? { view: pane.view } : {}),
    act: (desk, _, { view }) => desk.view(view),
  }),
  defineCommand({
    ...common,
    id: 'list.view.next',
    title: 'Next view of this list',
    keys: [{ scope: 'grid', chord: ']' }],
    act: (desk) => desk.view(1),
  }),
  defineCommand({
    ...common,
    id: 'list.view.previous',
    title: 'Previous view of this list',
    keys: [{ scope: 'grid', chord: '[' }],
    act: (desk) => desk.view(-1),
  }),
]
