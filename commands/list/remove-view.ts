import { z } from 'zod'
import { fieldMeta, oneOf } from '#contract/fields.ts'
import { listViews, SavedView, type SavedViews, saveViews } from '#contract/views.ts'
import { defineCommand } from '#kernel/command.ts'
import { answerTo } from '#kernel/plan.ts'
import type { CommandContext } from '#kernel/command-context.ts'

/** The person's saved views of the open list. */
const own = ({ pane }: CommandContext) => (pane?.named ?? []).filter((view) => view.own)

/** The saved views, so that undo can restore the removed one. */
const saved = z.array(SavedView.omit({ path: true }))
fieldMeta.add(saved, { kind: 'hidden', title: 'Saved views' })

/** Removes a saved view. */
export default defineCommand<undefined, { path: string; title: string; saved: Omit<SavedView, 'path'>[] }, SavedViews>({
  id: 'list.remove-view',
  title: 'Remove a saved view',
  aliases: ['delete view', 'forget view'],
  does: [saveViews],
  form: {
    schema: (context) =>
      z.object({
        path: SavedView.shape.path.default(context.pane?.path ?? ''),
        saved: saved.default(own(context)),
        title: oneOf(
          'View',
          own(context).map(({ title }) => ({ value: title, label: title })),
        ),
      }),
    start: (_, context) => {
      const views = own(context)
      const shown = views[1] ? views.find(({ id }) => id === context.pane?.view) : views[0]
      return shown ? { title: shown.title } : {}
    },
  },
  unavailable: (context) =>
    !context.pane
      ? { sentence: 'Open a list first.' }
      : own(context).length
        ? null
        : { sentence: 'You have saved no view of this list.' },
  facts: (_, read) => read(listViews, {}, {}),
  plan: (_, params, facts) => {
    const { views, version } = facts
    return [saveViews({}, { views: views.filter(({ path, title }) => path !== params.path || title !== params.title), version })]
  },
  undo: ({ params, answers: [answer] }) => {
    const { views, version } = answerTo(saveViews, answer)
    const { path, title } = params
    const view = params.saved.find((each) => each.title === title)
    return view ? [saveViews({}, { views: [...views, { path, title, search: view.search }], version })] : null
  },
  done: (_, { title }) => `Removed the view ${title}`,
})
