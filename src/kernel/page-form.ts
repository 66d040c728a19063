import type { z } from 'zod'
import type { AnyIntent } from '#contract/define.ts'
import { type Command, defineCommand, type Read, type Step } from '#kernel/command.ts'
import type { Entity } from '#kernel/entity.ts'

/** Preview of what saving a page does, in words; dates in it are `yyyy-MM-dd`. */
export interface PagePreview {
  title: string
  /** Column headings; empty for lines without any. */
  head: readonly string[]
  /** Each row with its cells and notes. */
  rows: readonly { id: string; cells: readonly string[]; notes?: readonly string[] }[]
  /** Further effects of saving. */
  notes: readonly string[]
}

/** The form of a command that has a page of its own. `F` is the type of its facts, `P` of its parsed fields. */
export interface PageForm<T, F, P> {
  /** Id of the command that opens the page. */
  id: string
  title: string
  on: Entity<T>
  does: readonly AnyIntent[]
  /** True if it creates a record: its initial values are proposals, and nothing is saved yet. */
  makes?: true
  form: z.ZodObject
  /** Fetches the facts of the page; again after each save and after a stale version. */
  facts: (target: T, read: Read) => Promise<F>
  /** Pure: the saved values. A field that differs is dirty. */
  saved: (facts: F) => Partial<P>
  /** Pure: by field, the owner of an inherited value; null if nobody set one. */
  inherited?: (facts: F) => Readonly<Record<string, string | null>>
  /** Pure: values derived from the input; each stays in its field until the person types another one. */
  follows?: (params: Partial<P>, facts: F) => Partial<P>
  /** Pure: the effect of saving the current input, shown beside the fields; null while it is unknown. */
  preview?: (target: T, params: Partial<P>, facts: F) => PagePreview | null
  /** Maps the path of a server message to a field; defaults to the path itself. */
  fieldAt?: (path: string) => string
  /** Pure: the address to open after saving; without it the page stays. */
  opens?: (target: T) => string
  /** Pure: read-only fields. */
  fixed?: (facts: F) => readonly string[]
  /** Pure: what a save cannot undo, to be confirmed by typing the target's name; null if there is nothing. */
  confirms?: (target: T, facts: F) => string | null
  plan: (target: T, params: P, facts: F) => readonly Step[]
  done: (target: T, params: P) => string
  failed?: (target: T) => string
}

/** A page form with the command that executes it. */
export interface ReadyPageForm<T, F, P> extends PageForm<T, F, P> {
  readonly command: Command<T, P>
}

// biome-ignore lint/suspicious/noExplicitAny: any page form; its types are checked where it is defined
export type AnyPageForm = ReadyPageForm<any, any, any>

/** Declares the form of a command that is a page: `commands/<noun>/<verb>.page.ts`, loaded with the page. */
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
      // The server checks the rules on locked facts.
      unavailable: { rule: () => null },
      plan,
      done,
      ...(failed ? { failed } : {}),
    }),
  }
}

/** The values that changed. */
export const changesIn = <V extends object>(now: V, before: NoInfer<V>): Partial<V> =>
  Object.fromEntries(
    Object.entries(now).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof V])),
  ) as Partial<V>
