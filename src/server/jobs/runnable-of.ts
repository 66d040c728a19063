import type { Runnable } from '#server/jobs/runnable.ts'
import { modulesIn } from '#server/modules-in.ts'

/** By the first part of the path: a file of `runnables` is called as the noun is in addresses. */
const runnables = await modulesIn(new URL('runnables/', import.meta.url))

/** The noun that an endpoint's id belongs to; null where runs know none. */
export function runnableOf(path: string): Runnable | null {
  const [, noun = ''] = /^\/([\w-]+)\/\{/.exec(path) ?? []
  return (runnables.get(noun)?.['runnable'] as Runnable | undefined) ?? null
}
