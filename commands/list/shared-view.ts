import { z } from 'zod'
import { choice, choices, fieldMeta, oneOf, text } from '#contract/fields.ts'
import { isInOrder } from '#contract/named-views.ts'
import {
  changeSharedView,
  listSharedViews,
  SharedView,
  type SharedViews,
  shareView,
  stopSharingView,
} from '#contract/shared-views.ts'
import { type Audience, audienceLabels, audiences } from '#domain/shared-view.ts'
import { defineCommand, type Read } from '#kernel/command.ts'
import type { CommandContext } from '#kernel/command-context.ts'
import { answerTo } from '#kernel/plan.ts'

const { path, title, shared_with } = shareView.body.shape

const showsLabels = {
  SAME: 'The same as before',
  FILTERS: 'Filters and sort order of this list',
  COLUMNS: 'Filters, sort order and columns of this list',
}
type Shows = keyof typeof showsLabels
const shows = <const Parts extends readonly Shows[]>(parts: Parts) => choice('Shows', parts, showsLabels, { settled: true })

/** Filters and sort order of the open list, and its columns, as hidden fields. */
const search = z.string()
const columns = z.string()
/** The shared views of the open list, so that undo can restore one. */
const known = z.array(SharedView)
for (const field of [search, columns, known]) fieldMeta.add(field, { kind: 'hidden', title: 'This list' })
const listed = ({ pane }: CommandContext) => ({
  search: search.default(pane?.search ?? ''),
  columns: columns.default(pane?.shown.join() ?? ''),
})

interface Listed {
  shows: Shows
  search: string
  columns: string
}
interface Chosen {
  view: string
  known: readonly SharedView[]
}
interface Changed extends Listed, Chosen {
  title?: string | undefined
  shared_with?: readonly Audience[] | undefined
}

/** The address of a view with the chosen part of the open list. */
function searchOf(params: Partial<Listed>): string {
  const address = new URLSearchParams(params.search)
  address.delete('columns')
  if (params.shows === 'COLUMNS') address.set('columns', params.columns ?? '')
  return String(address)
}

const sharedHere = ({ pane }: CommandContext): SharedView[] => (pane?.named ?? []).flatMap(({ shared }) => shared ?? [])

/** The view that is shown. */
const shownIn = ({ pane }: CommandContext) => pane?.named.find(({ id }) => id === pane.view)

const choosing = (context: CommandContext) => ({
  view: oneOf(
    'View',
    (context.pane?.named ?? []).flatMap(({ shared, note = '' }) =>
      shared ? [{ value: String(shared.id), label: shared.title, note }] : [],
    ),
  ),
  known: known.default(sharedHere(context)),
})

const startOf = (context: CommandContext): { view?: string } => {
  const [first, second] = sharedHere(context)
  const view = shownIn(context)?.shared ?? (second ? undefined : first)
  return view ? { view: String(view.id) } : {}
}

/** The chosen view as it is now; one that is gone as it was, which the server refuses. */
const chosen = (params: Partial<Chosen>, { shared_views }: SharedViews): SharedView | undefined =>
  [...shared_views, ...(params.known ?? [])].find(({ id }) => String(id) === params.view)

const changed = (view: SharedView, params: Partial<Changed>) => ({
  title: params.title ?? view.title,
  shared_with: [...(params.shared_with ?? view.shared_with)],
  search: (params.shows ?? 'SAME') === 'SAME' ? view.search : searchOf(params),
})

const names = (shared: readonly Audience[]): string => shared.map((each) => audienceLabels[each]).join(', ')

const inList = ({ pane }: CommandContext) =>
  !pane ? { sentence: 'Open a list first.' } : pane.path === null ? { sentence: 'A list in a tab has no views.' } : null

const existing = {
  unavailable: (context: CommandContext) =>
    inList(context) ?? (sharedHere(context).length ? null : { sentence: 'This list has no shared views.' }),
  facts: (_: undefined, read: Read) => read(listSharedViews, {}, {}),
}

/** Views of lists that are shared with groups of people; they grant no rights. */
export default [
  defineCommand<undefined, Listed & { path: string; title: string; shared_with: Audience[] }>({
    id: 'list.shared-view.share',
    title: 'Share this view',
    aliases: ['share view', 'share filters', 'share list', 'team view', 'publish view'],
    icon: 'users',
    does: [shareView],
    unavailable: (context) => {
      const { pane } = context
      const shown = shownIn(context)
      return pane?.path && pane.set.length === 0
        ? { sentence: 'Set a filter first.' }
        : pane?.path && shown && !shown.own && isInOrder(shown, new URLSearchParams(pane.search))
          ? { sentence: `This is the view ${shown.title}.` }
          : inList(context)
    },
    form: {
      schema: (context) =>
        z.object({
          path: path.default(context.pane?.path ?? ''),
          title,
          shared_with,
          shows: shows(['FILTERS', 'COLUMNS']),
          ...listed(context),
        }),
      start: (_, context) => {
        const own = shownIn(context)?.own && shownIn(context)
        return { shows: 'FILTERS', ...(own ? { title: own.title } : {}) }
      },
    },
    plan: {
      calls: (_, { path, title, shared_with, ...params }) => [
        shareView({}, { path, title, shared_with, search: searchOf(params) }),
      ],
      fieldOf: (field) => (field === 'search' ? 'title' : field),
    },
    undo: ({ answers: [answer] }) => {
      const { id, version } = answerTo(shareView, answer)
      return [stopSharingView({ id }, { version })]
    },
    done: (_, { title }) => `Shared the view ${title}`,
  }),

  defineCommand<undefined, Changed, SharedViews>({
    ...existing,
    id: 'list.shared-view.change',
    title: 'Change a shared view',
    aliases: ['rename shared view', 'edit shared view'],
    icon: 'edit',
    does: [changeSharedView],
    form: {
      schema: (context) =>
        z.object({
          ...choosing(context),
          title: text('New name', 40).optional(),
          shared_with: choices('Share with', audiences, audienceLabels, { help: 'As before if nothing is chosen.' }).optional(),
          shows: shows(['SAME', 'FILTERS', 'COLUMNS']),
          ...listed(context),
        }),
      // A list with other filters than the view was probably changed for it.
      start: (_, context) => ({ ...startOf(context), shows: shownIn(context)?.shared ? 'SAME' : 'FILTERS' }),
    },
    preview: (_, params, facts) => {
      const view = chosen(params, facts)
      if (!view) return []
      const after = changed(view, params)
      return [
        { of: view.title, what: 'Name', before: view.title, after: after.title },
        { of: view.title, what: 'Shared with', before: names(view.shared_with), after: names(after.shared_with) },
      ].filter((row) => row.before !== row.after)
    },
    plan: {
      calls: (_, params, facts) => {
        const view = chosen(params, facts)
        return view ? [changeSharedView({ id: view.id }, { ...changed(view, params), version: view.version })] : []
      },
      fieldOf: (field) => (field === 'search' ? 'shows' : field),
    },
    undo: ({ params, answers: [answer] }) => {
      const { id, version } = answerTo(changeSharedView, answer)
      const before = params.known.find((view) => view.id === id)
      // If the open list had an older version, undo would also take back the changes of somebody else.
      return before?.version === version - 1 ? [changeSharedView({ id }, { ...changed(before, {}), version })] : null
    },
    done: (_, params, __, facts) => `Changed the view ${params.title ?? (facts && chosen(params, facts)?.title)}`,
  }),

  defineCommand<undefined, Chosen, SharedViews>({
    ...existing,
    id: 'list.shared-view.stop',
    title: 'Stop sharing a view',
    aliases: ['remove shared view', 'delete shared view', 'unshare view'],
    icon: 'cancel',
    does: [stopSharingView],
    form: { schema: (context) => z.object(choosing(context)), start: (_, context) => startOf(context) },
    plan: (_, params, facts) => {
      const view = chosen(params, facts)
      return view ? [stopSharingView({ id: view.id }, { version: view.version })] : []
    },
    undo: ({ answers: [answer] }) => {
      const { path, title, search, shared_with } = answerTo(stopSharingView, answer)
      return [shareView({}, { path, title, search, shared_with })]
    },
    done: (_, params, __, facts) => `Stopped sharing the view ${facts && chosen(params, facts)?.title}`,
  }),
]
