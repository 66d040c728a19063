import { z } from 'zod'
import { signedIn } from '#domain/permissions.ts'
import { audienceLabels, audiences, sharing } from '#domain/shared-view.ts'
import { action, endpoint } from '#contract/define.ts'
import { choices, version } from '#contract/fields.ts'
import { SavedView } from '#contract/views.ts'

const { path, title, search } = SavedView.shape

const sharedWith = choices('Share with', audiences, audienceLabels)

/**
 * A view that somebody shared: filters, sort order and columns of a list, as in its address. It grants nothing: the list is read
 * with the rights of the reader.
 */
export const SharedView = z.object({
  id: z.int(),
  path: z.string(),
  title: z.string(),
  search: z.string(),
  shared_with: z.array(z.enum(audiences)),
  /** The name of the person who shared it. */
  shared_by: z.string(),
  updated_at: z.iso.datetime(),
  version: z.int(),
})
export type SharedView = z.infer<typeof SharedView>

export const SharedViews = z.object({ shared_views: z.array(SharedView) })
export type SharedViews = z.infer<typeof SharedViews>

export const listSharedViews = endpoint({
  method: 'GET',
  path: '/shared-views',
  summary: 'The shared views of lists that the person may read; for admins who may share, those of every group',
  tag: 'Views',
  answer: SharedViews,
  needs: signedIn,
  extension: true,
  activity: false,
})

const call = { tag: 'Views', extension: true, needs: sharing, answer: SharedView } as const

export const shareView = action({
  ...call,
  method: 'POST',
  path: '/shared-views',
  summary: 'Share a view of a list with groups of people',
  status: 201,
  id: 'shared-view.create',
  body: z.object({ path, title, search, shared_with: sharedWith }),
  event: 'Shared',
})

export const changeSharedView = action({
  ...call,
  method: 'PUT',
  path: '/shared-views/{id}',
  summary: 'Rename a shared view, or change what it shows and who has it',
  id: 'shared-view.change',
  body: z.object({ title, search, shared_with: sharedWith, version: version() }),
  event: 'Changed',
})

/** It answers what the view was. */
export const stopSharingView = action({
  ...call,
  method: 'DELETE',
  path: '/shared-views/{id}',
  summary: 'Stop sharing a view of a list',
  id: 'shared-view.delete',
  body: z.object({ version: version() }),
  event: 'No longer shared',
})
