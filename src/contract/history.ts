import { z } from 'zod'
import type { Need } from '#domain/permissions.ts'
import { endpoint } from '#contract/define.ts'
import { byId } from '#contract/fields.ts'
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
})
export type HistoryEvent = z.infer<typeof HistoryEvent>

/** Declares the call that tells what happened to one thing, newest first. */
export const historyOf = <Filters extends z.ZodRawShape = Record<never, never>>(
  path: string,
  { filters, ...told }: { summary: string; tag: string; needs: Need; extension?: boolean; filters?: Filters },
) =>
  endpoint({
    method: 'GET',
    path,
    params: byId,
    query: z.object({ limit: listQuery.limit, lek: listQuery.lek, ...(filters as Filters) }),
    answer: z.object({ events: z.array(HistoryEvent), lek }),
    ...told,
  })
