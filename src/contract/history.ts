import { z } from 'zod'
import { eventCategories, eventCategoryLabels, eventWords } from '#domain/employee-event.ts'
import type { Need } from '#domain/permissions.ts'
import { endpoint } from '#contract/define.ts'
import { byId, type byPerson } from '#contract/fields.ts'
import { choiceFilter } from '#contract/filter.ts'
import { lek, listQuery } from '#contract/list.ts'

/** The person who performed an event. */
export const Actor = z.object({ id: z.string(), name: z.string() })

/** One entry of a record's history. */
export const HistoryEvent = z.object({
  id: z.int(),
  at: z.iso.datetime(),
  actor: Actor,
  category: z.string(),
  status: z.string(),
  /** Text written by a person: reason, details, notes. */
  text: z.string().nullable(),
  changes: z.array(z.object({ field: z.string(), before: z.unknown(), after: z.unknown() })),
  version: z.int(),
  /** An extension: whether it undid an earlier event. */
  undo: z.boolean().optional(),
})
export type HistoryEvent = z.infer<typeof HistoryEvent>

/** Filters of a history about people with these events: by event and by category. */
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

/** Declares the call that returns the history of one record, newest first. */
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
