import { z } from 'zod'
import { decimal, idSchema } from '#contract/fields.ts'

/** At most this many rows a page. */
const maxPage = 200

/** Rows of a page. */
export const pageSize = decimal(`A whole number from 1 to ${maxPage}`, 1, maxPage)

/** What a list of one order takes; `lek` is opaque, signed, bound to filter, sort and person. */
export const pageQuery = {
  limit: pageSize.default(50),
  lek: z.string().max(2_000).optional(),
  direction: z.enum(['after', 'before']).default('after'),
}

/** What every other list takes besides its filters (D40). */
export const listQuery = {
  q: z.string().trim().max(200).optional(),
  ...pageQuery,
  /** The page begins with this row, in whichever direction; it is empty where the row is not in the list. */
  'from-id': idSchema.optional(),
  'sort-order': z.enum(['asc', 'desc']).default('asc'),
}

/**
 * Query parameters that order, page or detail an answer and never decide which rows it has, so that an API may leave them out.
 * Every other parameter narrows: where an API does not take it, the call is not made.
 */
export const arrangingParameters = [
  'limit',
  'lek',
  'direction',
  'from-id',
  'sort',
  'sort-order',
  'page',
  'pageSize',
  'page-size',
  'lastEvaluatedKey',
  'include',
] as const

/** How many rows a filter has; `exact` is false for an estimate. */
export const Count = z.object({ count: z.int().min(0), exact: z.boolean() })
export type Count = z.infer<typeof Count>

/** A cursor, or null where the list ends. */
export const lek = z.string().nullable()

/** A comma list of values in a query parameter, `ACTIVE,PAUSED`; at most 200. */
export const commaList = <S extends z.ZodType>(item: S) =>
  z
    .string()
    .max(4_000)
    .transform((text) =>
      text
        .split(',')
        .map((part) => part.trim())
        .filter(Boolean),
    )
    .pipe(z.array(item).min(1).max(200) as unknown as z.ZodType<z.output<S>[], string[]>)
