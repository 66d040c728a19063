import { z } from 'zod'
import { someOf } from '#contract/fields.ts'
import { defineCommand } from '#kernel/command.ts'
import type { CommandContext } from '#kernel/command-context.ts'

const form = ({ pane }: CommandContext) =>
  z.object({
    columns: someOf(
      'Columns',
      (pane?.columns ?? []).map(({ id, title }) => ({ value: id, label: title })),
    ),
  })

export default defineCommand<undefined, { columns: string[] }>({
  id: 'view.columns',
  title: 'Choose columns',
  aliases: ['columns', 'show columns', 'hide columns'],
  icon: 'columns',
  needs: 'signed-in',
  unavailable: ({ pane }) => (pane ? null : { sentence: 'Open a list first.' }),
  form: { schema: form, start: (_, { pane }) => ({ columns: [...(pane?.shown ?? [])] }) },
  act: (host, _, { columns }) => host.columns(columns),
})
