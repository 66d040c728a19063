import { z } from 'zod'
import { fieldMeta, required } from '#contract/fields.ts'
import { defineCommand } from '#kernel/command.ts'
import type { Situation } from '#kernel/situation.ts'

const form = ({ pane }: Situation) => {
  const columns = z.array(z.string()).min(1, required)
  fieldMeta.add(columns, {
    kind: 'choices',
    title: 'Columns',
    options: (pane?.columns ?? []).map((column) => ({ value: column.id, label: column.title })),
  })
  return z.object({ columns })
}

export default defineCommand<undefined, { columns: string[] }>({
  id: 'view.columns',
  title: 'Choose columns',
  aliases: ['show columns', 'hide columns'],
  icon: 'columns',
  group: 'View',
  needs: 'signed-in',
  unavailable: ({ pane }) => (pane ? null : { sentence: 'Open a list first.' }),
  form,
  start: (_, { pane }) => ({ columns: [...(pane?.shown ?? [])] }),
  act: (desk, _, { columns }) => desk.columns(columns),
})
