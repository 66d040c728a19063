import { z } from 'zod'
import { fieldMeta, oneOf } from '#contract/fields.ts'
import { listViews, SavedView, type SavedViews, saveViews } from '#contract/views.ts'
import { defineCommand } from '#kernel/command.ts'
import { answerTo } from '#kernel/plan.ts'
import type { Situation } from '#kernel/situation.ts'

/** The views of the open list that the person saved. */
const own = ({ pane }: Situation) => (pane?.named ?? []).filter((view) => view.own)

/** Those that there are, so that the one that is removed can be put back. */
const saved = z.array(SavedView)
fieldMeta.add(saved, { kind: 'hidden', title: 'Saved views' })

/** Removes a view that the person saved. */
export default defineCommand<undefined, { path: string; title: string; saved: SavedView[] }, SavedViews>({
  id: 'list.remove-view',
  title: 'Remove a saved view',
  aliases: ['delete view', 'forget view'],
  icon: 'trash',
  group: 'View',
  does: [saveViews],
  form: (situation) => {
    const path = situation.pane?.path ?? ''
    return z.object({
      path: SavedView.shape.path.default(path),
      saved: saved.default(own(situation).map(({ title, search }) => ({ path, title, search }))),
      title: oneOf(
        'View',
        own(situation).map(({ title }) => ({ value: title, label: title })),
      ),
    })
  },
  unavailable: (situation) =>
    !situation.pane
      ? { sentence: 'Open a list first.' }
      : own(situation).length
        ? null
        : { sentence: 'You have saved no view of this list.' },
  start: (_, situation) => {
    const [only, ...others] = own(situation)
    const shown = others.length ? own(situation).find(({ id }) => id === situation.pane?.view) : only
    return shown ? { title: shown.title } : {}
  },
  facts: (_, read) => read(listViews, {}, {}),
  plan: (_, { path, title }, facts) => {
    const { views, version } = facts
    return [saveViews({}, { views: views.filter((view) => view.path !== path || view.title !== title), version })]
  },
  undo: ({ params, answers: [answer] }) => {
    const { views, version } = answerTo(saveViews, answer)
    const removed = params.saved.find(({ title }) => title === params.title)
    return removed ? [saveViews({}, { views: [...views, removed], version })] : null
  },
  done: (_, { title }) => `Removed the view ${title}`,
  failed: () => 'Something went wrong removing the view',
})
