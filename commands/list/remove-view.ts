import { z } from 'zod'
import { oneOf } from '#contract/fields.ts'
import { listViews, SavedView, type SavedViews, saveViews } from '#contract/views.ts'
import { defineCommand } from '#kernel/command.ts'
import type { Situation } from '#kernel/situation.ts'

/** The views of the open list that the person saved. */
const own = ({ pane }: Situation) => (pane?.named ?? []).filter((view) => view.own)

/** Removes a view that the person saved. */
export default defineCommand<undefined, { path: string; title: string }, SavedViews>({
  id: 'list.remove-view',
  title: 'Remove a saved view',
  aliases: ['delete view', 'forget view'],
  icon: 'trash',
  group: 'View',
  does: [saveViews],
  form: (situation) =>
    z.object({
      path: SavedView.shape.path.default(situation.pane?.path ?? ''),
      title: oneOf(
        'View',
        own(situation).map(({ title }) => ({ value: title, label: title })),
      ),
    }),
  unavailable: (situation) =>
    !situation.pane
      ? { sentence: 'Open a list first.' }
      : own(situation).length
        ? null
        : { sentence: 'You have saved no view of this list.' },
  start: (_, situation) => {
    const shown = own(situation).find(({ id }) => id === situation.pane?.view)
    return shown ? { title: shown.title } : {}
  },
  facts: (_, read) => read(listViews, {}, {}),
  plan: (_, { path, title }, facts) => {
    const { views, version } = facts
    return [saveViews({}, { views: views.filter((view) => view.path !== path || view.title !== title), version })]
  },
  done: (_, { title }) => `Removed the view ${title}`,
  failed: () => 'Something went wrong removing the view',
})
