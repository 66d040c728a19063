import type { z } from 'zod'
import type { AnyIntent } from '#contract/define.ts'
import { type Command, defineCommand, type Read, type Step } from '#kernel/command.ts'
import type { Entity } from '#kernel/entity.ts'

/** What a page shows of what saving it leads to, in words; dates in it are `yyyy-MM-dd`. */
export interface PagePreview {
  title: string
  /** Names of the columns; none for lines without one. */
  head: readonly string[]
  /** Each with its cells, and what has to be said of it. */
  rows: readonly { id: string; cells: readonly string[]; notes?: readonly string[] }[]
  /** What else happens when it is saved. */
  notes: readonly string[]
}

/** What a command asks for on a page of its own. `F` is what is read for it, `P` what its form makes of the fields. */
export interface PageForm<T, F, P> {
  /** That of the command that leads to the page. */
  id: string
  title: string
  on: Entity<T>
  does: readonly AnyIntent[]
  /** True where it makes something: what its fields begin with is proposed, and nothing is saved yet. */
  makes?: true
  form: z.ZodObject
  /** Reads what the page shows; anew after each save, and after a stale version. */
  facts: (target: T, read: Read) => Promise<F>
  /** Pure: the fields as they are saved. What differs from it is a change. */
  saved: (facts: F) => Partial<P>
  /** Pure: whose value a field has that is not the target's own, by field; null where nobody set one. */
  inherited?: (facts: F) => Readonly<Record<string, string | null>>
  /** Pure: values that follow from what is typed; each stands in its field until somebody types another one. */
  follows?: (params: Partial<P>, facts: F) => Partial<P>
  /** Pure: what saving what is typed leads to, shown beside the fields; null where nothing can be said yet. */
  preview?: (target: T, params: Partial<P>, facts: F) => PagePreview | null
  /** The field that a message of the server is about, by its path there; the path itself without it. */
  fieldAt?: (path: string) => string
  /** Pure: the address that is opened once it is saved; without it the page stays. */
  opens?: (target: T) => string
  /** Pure: fields that show what holds and cannot be changed here. */
  fixed?: (facts: F) => readonly string[]
  /** Pure: what a save cannot take back, for which the target's name is typed; null where there is nothing. */
  confirms?: (target: T, facts: F) => string | null
  plan: (target: T, params: P, facts: F) => readonly Step[]
  done: (target: T, params: P) => string
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
  Object.fromEntries(
    Object.entries(now).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof V])),
  ) as Partial<V>
