import { z } from 'zod'
import { eventCategories, eventCategoryLabels, eventWords } from '#domain/employee-event.ts'
import type { Need } from '#domain/permissions.ts'
import { endpoint } from '#contract/define.ts'
import { byId, type byPerson } from '#contract/fields.ts'
import { choiceFilter } from '#contract/filter.ts'
import { lek, listQuery } from '#contract/list.ts'

/** A person who is named where something was done. */
export const Actor = z.object({ id: z.string(), name: z.string() })

/** One entry of a thing's history. */
export const HistoryEvent = z.object({
  id: z.int(),
  at: z.iso.datetime(),
  actor: Actor,
  category: z.string(),
  status: z.string(),
  /** What a person wrote: reason, details, notes. */
  text: z.string().nullable(),
  changes: z.array(z.object({ field: z.string(), before: z.unknown(), after: z.unknown() })),
  version: z.int(),
  /** An extension: it took back what was done before. */
  undo: z.boolean().optional(),
})
export type HistoryEvent = z.infer<typeof HistoryEvent>

/** The filters of a history of people, in which these events may stand: by event and by category. */
export const eventFiltersOf = (statuses: readonly string[]) =>
  [
    choiceFilter({
      id: 'status',
      title: 'Event',
      values: statuses,
      labels: Object.fromEntries(statuses.map((status) => [status, eventWords(status)])),
    }),
    choiceFilter({ id: 'category', title: 'Category', values: eventCategories, labels: eventCategoryLabels }),
  ] as const

/** Declares the call that tells what happened to one thing, newest first. */
export const historyOf = <
  Filters extends z.ZodRawShape = Record<never, never>,
  Params extends typeof byId | typeof byPerson = typeof byId,
>(
  path: string,
  {
    filters,
    params = byId as Params,
    ...statusLabels
  }: { summary: string; tag: string; needs: Need; extension?: boolean; filters?: Filters; params?: Params },
) =>
  endpoint({
    method: 'GET',
    path,
    params,
    query: z.object({ limit: listQuery.limit, lek: listQuery.lek, ...(filters as Filters) }),
    answer: z.object({ events: z.array(HistoryEvent), lek }),
    ...statusLabels,
  })
