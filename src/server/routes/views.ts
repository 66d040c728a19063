import { isTaken, listViews, type SavedView, type SavedViews, saveViews } from '#contract/views.ts'
import { changing, route } from '#server/http/route.ts'
import { invalid } from '#server/http-error.ts'
import { replaceSavedViews, savedViewsOf } from '#server/tables/saved-views.ts'

interface Own extends SavedViews {
  person: string
}

/** Index of the first view whose list already has one with its name; -1 if there is none. */
const secondOfItsName = (views: readonly SavedView[]): number =>
  views.findIndex(({ path, title }, at) =>
    isTaken(
      views.slice(0, at).filter((view) => view.path === path),
      title,
    ),
  )

export const routes = [
  route(listViews, ({ tx, actor }) => savedViewsOf(tx, actor.id)),

  changing<Own, undefined, unknown>({
    subject: async ({ tx, actor }) => ({ ...(await savedViewsOf(tx, actor.id, { lock: true })), person: actor.id }),
    target: ({ person, version }) => ({ entity: 'views', id: person, version }),
    snapshot: ({ views }) => ({ views }),
  })(saveViews, async ({ tx, subject, body }) => {
    const twice = secondOfItsName(body.views)
    if (twice !== -1) throw invalid([{ path: `views.${twice}.title`, message: 'There is a view of this name already.' }])
    const answer = await replaceSavedViews(tx, subject.person, body.views)
    return { after: { ...answer, person: subject.person }, answer }
  }),
]
