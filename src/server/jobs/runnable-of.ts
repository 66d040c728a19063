import type { Runnable } from '#server/jobs/runnable.ts'
import { modulesIn } from '#server/modules-in.ts'

/** By the first part of the path: a file of `runnables` is called as the noun is in addresses. */
const runnables = await modulesIn(new URL('runnables/', import.meta.url))

/** A noun by its name in addresses, `write-offs`; null where runs know none. */
export const runnableNamed = (noun: string): Runnable | null =>
  (runnables.get(noun)?.['runnable'] as Runnable | undefined) ?? null

/** The noun that an endpoint's id belongs to; null where runs know none. */
export const runnableOf = (path: string): Runnable | null => runnableNamed(/^\/([\w-]+)\/\{/.exec(path)?.[1] ?? '')
