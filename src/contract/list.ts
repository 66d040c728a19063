import { z } from 'zod'
import { decimal, idSchema } from '#contract/fields.ts'

/** Maximum number of rows per page. */
const maxPage = 200

/** Rows of a page. */
export const pageSize = decimal(`A whole number from 1 to ${maxPage}`, 1, maxPage)

/** Parameters of lists with a single order; `lek` is opaque, signed, and bound to filter, sort order and person. */
export const pageQuery = {
  limit: pageSize.default(50),
  lek: z.string().max(2_000).optional(),
  direction: z.enum(['after', 'before']).default('after'),
}

/** Common parameters of all other lists, besides filters. */
export const listQuery = {
  q: z.string().trim().max(200).optional(),
  ...pageQuery,
  /** The page starts with this row, in either direction; it is empty if the row is not in the list. */
  'from-id': idSchema.optional(),
  'sort-order': z.enum(['asc', 'desc']).default('asc'),
}

/**
 * Query parameters for order, pagination or detail, which never decide which rows are returned, so that an API may ignore them.
 * Every other parameter narrows the list: if an API does not support it, the call is not sent.
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

/** Number of rows for a filter; `exact` is false for an estimate. */
export const Count = z.object({ count: z.int().min(0), exact: z.boolean() })
export type Count = z.infer<typeof Count>

/** The next cursor, or null at the end of the list. */
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
