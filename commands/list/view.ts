import { z } from 'zod'
import { oneOf } from '#contract/fields.ts'
import { defineCommand } from '#kernel/command.ts'
import type { CommandContext } from '#kernel/command-context.ts'

const form = ({ pane }: CommandContext) =>
  z.object({
    view: oneOf(
      'View',
      (pane?.named ?? []).map(({ id, title, note = '' }) => ({ value: id, label: title, ...(note && { note }) })),
    ),
  })

const common = {
  icon: 'columns',
  needs: 'signed-in',
  unavailable: ({ pane }: CommandContext) =>
    !pane ? { sentence: 'Open a list first.' } : pane.named.length ? null : { sentence: 'This list has no views.' },
} as const

/** Switches between the named views of a list. */
export default [
  defineCommand<undefined, { view: string }>({
    ...common,
    id: 'list.view',
    title: 'Show a view of this list',
    aliases: ['switch view', 'views', 'saved views'],
    form: { schema: form, start: (_, { pane }) => (pane?.view ? { view: pane.view } : {}) },
    act: (host, _, { view }) => host.view(view),
  }),
  defineCommand({
    ...common,
    id: 'list.view.next',
    title: 'Next view of this list',
    keys: [{ scope: 'grid', chord: ']' }],
    act: (host) => host.view(1),
  }),
  defineCommand({
    ...common,
    id: 'list.view.previous',
    title: 'Previous view of this list',
    keys: [{ scope: 'grid', chord: '[' }],
    act: (host) => host.view(-1),
  }),
]
