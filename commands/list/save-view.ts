import { isInOrder, namedViews } from '#contract/named-views.ts'
import { isTaken, listViews, maxViews, SavedView, type SavedViews, saveViews } from '#contract/views.ts'
import { defineCommand } from '#kernel/command.ts'
import { answerTo } from '#kernel/plan.ts'

const { path, search } = SavedView.shape

/** Saves the filters and sort order of the open list under a name, for this person on every device. */
export default defineCommand<undefined, SavedView, SavedViews>({
  id: 'list.save-view',
  title: 'Save this view',
  aliases: ['save filters', 'keep filters', 'add view', 'saved views', 'rename view'],
  icon: 'columns',
  keys: [{ scope: 'grid', chord: 'v' }],
  does: [saveViews],
  unavailable: ({ pane }) => {
    if (!pane) return { sentence: 'Open a list first.' }
    if (pane.path === null) return { sentence: 'A list in a tab has no views.' }
    const shown = pane.named.find(({ id }) => id === pane.view)
    return pane.set.length === 0
      ? { sentence: 'Set a filter first.' }
      : shown && isInOrder(shown, new URLSearchParams(pane.search))
        ? { sentence: `This is the view ${shown.title}.` }
        : null
  },
  facts: (_, read) => read(listViews, {}, {}),
  form: {
    schema: ({ pane }) => SavedView.extend({ path: path.default(pane?.path ?? ''), search: search.default(pane?.search ?? '') }),
    messages: (_, { path = '', title = '' }, facts) => {
      const { views } = facts
      const here = [...(namedViews[path] ?? []), ...views.filter((view) => view.path === path)]
      if (isTaken(here, title)) return [{ path: 'title', message: 'There is a view of this name already.' }]
      return views.length < maxViews ? [] : [{ path: 'title', message: `At most ${maxViews} views. Remove one first.` }]
    },
  },
  plan: (_, view, facts) => {
    const { views, version } = facts
    return [saveViews({}, { views: [...views, view], version })]
  },
  undo: ({ params, answers: [answer] }) => {
    const { views, version } = answerTo(saveViews, answer)
    return [saveViews({}, { views: views.filter(({ path, title }) => path !== params.path || title !== params.title), version })]
  },
  done: (_, { title }) => `Saved the view ${title}`,
})
