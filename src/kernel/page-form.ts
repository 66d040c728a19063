import type { z } from 'zod'
import type { AnyIntent } from '#contract/define.ts'
import { type Command, defineCommand, type Read, type Step } from '#kernel/command.ts'
import type { Entity } from '#kernel/entity.ts'

/** What a command asks for on a page of its own. `F` is what is read for it, `P` what its form makes of the fields. */
export interface PageForm<T, F, P> {
  /** That of the command that leads to the page. */
  id: string
  title: string
  on: Entity<T>
  does: readonly AnyIntent[]
  form: z.ZodObject
  /** Reads what the page shows; anew after each save, and after a stale version. */
  facts: (target: T, read: Read) => Promise<F>
  /** Pure: the fields as they are saved. What differs from it is a change. */
  saved: (facts: F) => Partial<P>
  /** Pure: where the value of a field comes from that is not the target's own, by field. */
  inherited?: (facts: F) => Readonly<Record<string, string>>
  /** Pure: what a save cannot take back, for which the target's name is typed; null where there is nothing. */
  confirms?: (target: T, facts: F) => string | null
  plan: (target: T, params: P, facts: F) => readonly Step[]
  done: (target: T) => string
  failed: (target: T) => string
}

/** A page form, with the command that carries it out. */
export interface ReadyPageForm<T, F, P> extends PageForm<T, F, P> {
  readonly command: Command<T, P>
}

// biome-ignore lint/suspicious/noExplicitAny: the width of every page form; its types are checked where it is defined
export type AnyPageForm = ReadyPageForm<any, any, any>

/** Declares the form of a command that is a page: `commands/<noun>/<verb>.page.ts`, fetched with the page. */
export const definePageForm = <T, F, P extends Record<string, unknown>>(page: PageForm<T, F, P>): ReadyPageForm<T, F, P> => {
  const { id, title, on, does, form, plan, done, failed } = page
  return {
    ...page,
    command: defineCommand<T, P, F>({
      id,
      title,
      on,
      does,
      form,
      bulk: false,
      // What is done to the target is judged by the facts, which only the server has locked.
      refuses: () => null,
      plan,
      done,
      failed,
    }),
  }
}

/** What of some values is not as it was. */
export const changesIn = <V extends object>(now: V, before: NoInfer<V>): Partial<V> =>
  Object.fromEntries(Object.entries(now).filter(([name, value]) => value !== before[name as keyof V])) as Partial<V>
