import { listFilters, viewProblem } from '#contract/list-filters.ts'
import { isSameView, namedViews } from '#contract/named-views.ts'
import { changeSharedView, listSharedViews, shareView, stopSharingView } from '#contract/shared-views.ts'
import { isTaken } from '#contract/views.ts'
import { may } from '#domain/permissions.ts'
import { type Audience, audiencesFor, maxSharedViews } from '#domain/shared-view.ts'
import type { Actor } from '#server/access/actor.ts'
import { changing, creating, route } from '#server/http/route.ts'
import { existing, invalid, Refused } from '#server/http-error.ts'
import type { Tx } from '#server/tables/database.ts'
import {
  deleteSharedView,
  insertSharedView,
  lockSharedViews,
  openSharedView,
  openSharedViews,
  otherSharedViews,
  saveSharedView,
  type SharedViewRow,
  type SharedViewValues,
  toSharedView,
} from '#server/tables/shared-views.ts'

const sharedView = {
  entity: 'shared-view',
  lock: lockSharedViews,
  snapshot: ({ path, title, search, shared_with }: SharedViewRow) => ({ title, shows: `${path}?${search}`, shared_with }),
  answer: toSharedView,
}

/** A shared view that a person may change: an account manager only those that they could share as they are. */
async function subject({ tx, actor, params }: { tx: Tx; actor: Actor; params: { id: number } }): Promise<SharedViewRow | null> {
  const row = await openSharedView(tx, actor, params.id)
  if (row && !isWithin(row.shared_with, actor)) throw new Refused(403, 'permission-denied', beyondGroups)
  return row
}

const change = changing({ ...sharedView, subject })
const create = creating(async () => ({}), sharedView)

const beyondGroups = 'Account managers share with account managers and their own groups.'

/** Whether a person may share with all of these. */
const isWithin = (sharedWith: readonly Audience[], actor: Actor): boolean => {
  const mayHave = audiencesFor(actor)
  return sharedWith.every((audience) => mayHave.includes(audience))
}

/** Whether a person may read the list of a view. */
const readsList = (actor: Actor, path: string): boolean => {
  const list = listFilters[path]?.list
  return list !== undefined && may(actor.held, list.needs) === 'yes'
}

/** Refuses a view that its list cannot show, that exists already, or that the person may not share with all of these. */
async function requireShareable(tx: Tx, actor: Actor, path: string, values: SharedViewValues, id: number | null): Promise<void> {
  const { title, search, shared_with } = values
  const problem = viewProblem(path, search, actor.held)
  if (problem) throw invalid([{ path: 'search', message: problem }])
  if (!isWithin(shared_with, actor)) throw invalid([{ path: 'shared_with', message: beyondGroups }])
  const others = await otherSharedViews(tx, path, id)
  const here = [...(namedViews[path] ?? []), ...others]
  if (isTaken(here, title)) throw invalid([{ path: 'title', message: 'There is a view of this name already.' }])
  // A view that is not open to the person is not named.
  const open = (await openSharedViews(tx, actor)).filter((view) => view.path === path && view.id !== id)
  const same = [...(namedViews[path] ?? []), ...open].find((view) => isSameView(view, new URLSearchParams(search)))
  if (same) throw invalid([{ path: 'title', message: `The view ${same.title} shows the same already.` }])
  if (id === null && others.length >= maxSharedViews)
    throw invalid([{ path: 'title', message: `At most ${maxSharedViews} shared views in one list. Stop sharing one first.` }])
}

export const routes = [
  route(listSharedViews, async ({ tx, actor }) => {
    const views = await openSharedViews(tx, actor)
    return { shared_views: views.filter(({ path }) => readsList(actor, path)).map(toSharedView) }
  }),

  create(shareView, async ({ tx, actor, body }) => {
    await requireShareable(tx, actor, body.path, body, null)
    return { after: existing(await openSharedView(tx, actor, await insertSharedView(tx, actor, body))) }
  }),

  change(changeSharedView, async ({ tx, actor, subject, body, now }) => {
    const { title, search, shared_with } = body
    await requireShareable(tx, actor, subject.path, body, subject.id)
    await saveSharedView(tx, subject.id, { title, search, shared_with }, now)
    return { after: existing(await openSharedView(tx, actor, subject.id)) }
  }),

  change(stopSharingView, async ({ tx, subject }) => {
    await deleteSharedView(tx, subject.id)
    return { after: subject, text: subject.title }
  }),
]
