import { z } from 'zod'
import { signedIn } from '#domain/permissions.ts'
import { action, endpoint } from '#contract/define.ts'
import { fieldMeta, text, version } from '#contract/fields.ts'

/** Maximum number of saved views per person. */
export const maxViews = 100

const path = z.string().regex(/^\/[a-z]+(-[a-z]+)*$/, 'This is not the path of a list.')
/** As in an address, without the question mark. */
const search = z
  .string()
  .min(1)
  .max(2_000)
  .regex(/^[!-~]*$/, 'These are not the parameters of an address.')
fieldMeta.add(path, { kind: 'hidden', title: 'List' })
fieldMeta.add(search, { kind: 'hidden', title: 'Filters' })

/** A saved view: the filters and sort order of a list, with a name. */
export const SavedView = z.object({ path, title: text('Name', 40), search })
export type SavedView = z.infer<typeof SavedView>

/** All saved views of a person; version 0 if there are none. */
export const SavedViews = z.object({ views: z.array(SavedView), version: z.int() })
export type SavedViews = z.infer<typeof SavedViews>

export const listViews = endpoint({
  method: 'GET',
  path: '/views',
  summary: 'The views of lists that the person saved',
  tag: 'Views',
  answer: SavedViews,
  needs: signedIn,
  extension: true,
  activity: false,
})

/** Only for the caller. */
export const saveViews = action({
  method: 'PUT',
  path: '/views',
  summary: 'Replace the views of lists that the person saved',
  tag: 'Views',
  answer: SavedViews,
  extension: true,
  id: 'views.save',
  body: z.object({ views: z.array(SavedView).max(maxViews), version: version() }),
  needs: signedIn,
  event: 'Views saved',
})

/** Whether a list has a view of that name already, ignoring case. */
export const isTaken = (views: readonly { title: string }[], title: string): boolean =>
  views.some((view) => view.title.toLowerCase() === title.trim().toLowerCase())
