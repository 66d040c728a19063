import type { Runnable } from '#server/jobs/runnable.ts'
import { modulesIn } from '#server/modules-in.ts'

/** By the first part of the path: a file in `runnables` has the name of the noun in URLs. */
const runnables = await modulesIn(new URL('runnables/', import.meta.url))

/** A noun by its name in URLs, `write-offs`; null if runs do not support it. */
export const runnableNamed = (noun: string): Runnable | null =>
  (runnables.get(noun)?.['runnable'] as Runnable | undefined) ?? null

/** The noun of an endpoint's id; null if runs do not support it. */
export const runnableOf = (path: string): Runnable | null => runnableNamed(/^\/([\w-]+)\/\{/.exec(path)?.[1] ?? '')
