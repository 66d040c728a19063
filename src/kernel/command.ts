import type { z } from 'zod'
import type { AnswerOf, AnyEndpoint, AnyIntent, At, Call, CallHead } from '#contract/define.ts'
import type { Amounts } from '#domain/amounts.ts'
import type { Need } from '#domain/permissions.ts'
import type { Refusal } from '#domain/refusal.ts'
import type { CommandHost } from '#kernel/command-host.ts'
import type { AnyEntity, Entity } from '#kernel/entity.ts'
import type { MoneyLines } from '#kernel/money-lines.ts'
import type { RightsChange } from '#kernel/rights-change.ts'
import type { CommandContext } from '#kernel/command-context.ts'

/**
 * Where a key works. `everywhere` needs a modifier; `workspace` is a grid or a detail, where plain letters may be keys;
 * `row` is the row or record of the command's own entity.
 */
export type KeyScope = 'everywhere' | 'workspace' | 'grid' | 'detail' | 'row'

export interface Key {
  scope: KeyScope
  /** `Mod+K`, `p`, `g e`, `Shift+F10`; `Mod` is Cmd on macOS and Ctrl elsewhere. */
  chord: string
  /** Two commands may share a key when at most one of them can ever be available: both name the same toggle. */
  toggles?: string
  /**
   * Works only in this tab of the record, `organization.billing-accounts`; there also while a row of its list has the keyboard,
   * and the command is done to the record: what adds a row.
   */
  tab?: string
}

/** One line of a preview: what a figure or a state is, and what it becomes. */
export interface PreviewRow {
  /** The entity touched, in words. */
  of: string
  what: string
  before: string
  after: string
}

/** What is wrong with a field; a cell of rows is `suggestions.0.amount`. */
export interface FieldMessage {
  path: string
  message: string
}

/** A later step may depend on earlier answers. */
export type Step = Call | ((answers: readonly unknown[]) => Call)

/** What the history keeps of a command that was carried out. */
export interface Done<T = unknown, P = Record<string, unknown>> {
  before: T
  after: T
  params: P
  answers: readonly unknown[]
}

/**
 * What a command may call. Exactly one: an intent, several intents that must all be allowed, a read, or nothing but
 * the portal itself. The type refuses a command without one, and a plan can only call what is named here.
 */
export type Access = { does: AnyIntent | readonly AnyIntent[] } | { reads: CallHead } | { needs: 'signed-in' }

/** A place of the portal that a command leads to: the rail has a link to it. */
export interface Place {
  /** `/employees`, with filters where it is a part of a list. */
  address: string
  /** Smaller comes first; the first that a person may see is where they begin. */
  order: number
  /** The heading that it stands below in the rail. */
  below?: string
  /** The rail says how many rows are there. */
  counted?: true
}

/** Values that a form starts with; of rows some cells may be left to fill in. */
type StartValues<P> = { [Name in keyof P]?: P[Name] extends readonly (infer Row)[] ? readonly Partial<Row>[] : P[Name] }

interface Common<T, P> {
  /** Folder and file: `employee.pause` is commands/employee/pause.ts. */
  id: string
  title: string
  /** Other words for it. A match by one of these never preselects a command that changes something. */
  aliases?: readonly string[]
  icon?: string
  /** What its button and the status bar say while it does something else than its title; null while it does not. */
  button?: (target: T, context: CommandContext) => string | null
  on?: Entity<T>
  /** The filters of what it can most likely be done to, by their ids, `{ status: 'PAUSED' }`: offered first where nothing is at hand. */
  suggestedFilter?: Readonly<Record<string, string>>
  /** Reads what is at hand, of whatever noun: its keys wait until that is there. */
  readsSelection?: true
  keys?: readonly Key[]
  /** Below which heading the key map lists it. */
  group?: string
  /** Also stands in the menu of the person who is signed in. */
  inAccountMenu?: true
  /** Parameters; without it the intent's body (less its literals and version) is asked for. */
  form?: z.ZodObject | ((context: CommandContext, target: T | undefined, together?: readonly T[]) => z.ZodObject)
  /** The step of its wizard that the form opens at; the first one unless given. */
  firstStep?: string
  /** Values the form starts with. */
  start?: (target: T | undefined, context: CommandContext) => StartValues<P>
  /** A reason beyond the intent's own, such as no list being open. */
  unavailable?: (context: CommandContext, target: T | undefined) => Refusal | { sentence: string } | null
  /** The noun whose list it acts on; it opens that list where another one is open. */
  ofPane?: string
  /** The filter of that list that it sets. */
  filter?: string
  /** Needed besides what the call needs. */
  also?: Need<unknown>
  /** Of a move: it changes something on the server, though it calls no intent by itself, such as undo and retry. */
  alters?: true
  /** Of a command whose schemas and plans are on their way: whether it shows a form, and whether it can be undone. */
  coming?: { asks: boolean; undoable: boolean }
}

/** A target with its facts, as they were at one time. */
export interface Seen<T, F> {
  target: T
  facts: F
}

/** A command that calls the API; `F` is what its facts are. */
export interface Change<T, P, F = unknown> extends Common<T, P> {
  /** The rule, where the target is not what the intent is about; without it the intents' own are asked. */
  refuses?: (target: T) => Refusal | null
  /**
   * The requests, from target, parameters and the facts that the preview was made of (for `expected` versions); without
   * it the one intent is called on the target with the parameters.
   */
  plan?: (target: T, params: P, facts: F) => readonly Step[]
  /**
   * Where the steps of its plan do not depend on each other: each is tried whatever became of the others, and what succeeded is
   * kept. Says how many of how many failed.
   */
  partialFailure?: (failed: number, of: number) => string
  /** What the thing is called that a step of such a plan makes, by the body of the step; without it its number is told. */
  stepLabel?: (body: Readonly<Record<string, unknown>>) => string
  /** The form's field that a message about a field of a call belongs to, where the plan renames fields: by path and body of the call. */
  fieldOf?: (path: string, body: Readonly<Record<string, unknown>>) => string
  /** What undoes it, made from before, after and parameters; null where this time it cannot be undone. */
  undo?: (done: Done<T, P>) => readonly Step[] | null
  /** Pure: false where what is typed leaves nothing that `undo` could bring back. */
  undoes?: (target: T, params: Partial<P>, facts: F) => boolean
  /** Pure: what to do instead where it cannot be undone. */
  undoAlternative?: (params: P) => string
  /** Said beforehand of its undo, where that leads to something else than what was before. */
  undoNote?: string
  /** Said once it was undone, where that leads to something else than what was before. */
  undone?: (after: T) => string
  /** The address of what it made, or of the list that something was removed from: opened afterwards where the person still waits. */
  opens?: (done: Done<T, P>) => string
  /** The sentences of the specification. */
  /** `after` and `facts` are what came of it and what it was made of, where these are known: what was there already is told as such. */
  done: (target: T, params: P, after?: T, facts?: F) => string
  failed: (target: T) => string
  /** Pure: what is sent, for the line that says it is not confirmed; without it the thing is named there. */
  submitLabel?: (target: T, params: Partial<P>) => string
  /** Pure: who the thing is of; the head of the form says it behind the thing. */
  ownerLabel?: (target: T) => string
  /** Asks the person to type the thing's name or id. */
  irreversible?: boolean
  /** Its form reads the thing anew when it opens: what is counted of it changes without a new version of it. */
  fresh?: true
  /** Says before it runs what cannot be taken back or what else happens. */
  warning?: (target: T) => string | null
  /** Fetches what the row lacks, for preview and plan; fetched anew after a stale version. */
  facts?: (target: T, read: Read, params: Partial<P>, together?: readonly T[]) => Promise<F>
  /** Pure: what of the parameters the facts are about; they are fetched anew when it changes. Nothing without it. */
  factsFor?: (params: Partial<P>) => string
  /** Versions of what the preview shows beside the target, by id; sent as `expected` where there is no plan. */
  expects?: (target: T, facts: F) => Readonly<Record<string, number>>
  /** Pure: what somebody changed of the facts, as a sentence; null where it does not know. Asked after a stale version. */
  describeConflict?: (params: Partial<P>, was: Seen<T, F>, now: Seen<T, F>) => string | null
  /** Pure: what only the facts can tell is wrong with what is typed so far; said at once, and nothing is sent while something is. */
  validate?: (target: T, params: Partial<P>, facts: F) => readonly FieldMessage[]
  /** Pure: the lines of a form of money, from what is typed, or null where it moves none; those of its field of kind `rows` where it has one. */
  lines?: (target: T, params: Partial<P>, facts: F) => MoneyLines | null
  /** Pure: before and after of everything that is touched. */
  preview?: (target: T, params: Partial<P>, facts: F) => readonly PreviewRow[]
  /** Pure: the permissions that somebody holds before and after, so that the form says which commands come and go with them. */
  rights?: (target: T, params: Partial<P>, facts: F) => RightsChange
  /** Pure: what a run over several comes to, in words, before it and after it: where more is to be said than the sum. */
  bulkSummary?: (params: Partial<P>, amounts: Amounts) => string
  /** False where several rows at once make no sense, or only `together`. */
  bulk?: boolean
  /**
   * Where several rows are one thing to do: one form and one plan for all of them that it can be done to. Pure: why these cannot
   * be taken together. Their first one is the target, and `facts` is told all, also where one is left.
   */
  together?: (targets: readonly T[]) => Refusal | null
}

/** A command that changes only the portal: opens, filters, copies. */
export interface Move<T, P> extends Common<T, P> {
  act: (host: CommandHost, target: T, params: P) => unknown
  /** For a command of the navigation. */
  place?: Place
  /** Said when it is done; silent without. */
  done?: (target: T, params: P) => string
}

export type Read = <E extends AnyEndpoint>(endpoint: E, at: At, query?: Record<string, string>) => Promise<AnswerOf<E>>

type Kind = { kind: 'command' }
// biome-ignore lint/suspicious/noExplicitAny: the width of every command; target and parameters are checked where it is defined
export type Command<T = any, P = any, F = any> = Kind &
  ((Change<T, P, F> & { does: readonly AnyIntent[] }) | (Move<T, P> & ({ reads: CallHead } | { needs: 'signed-in' })))

type BodyOf<I> = I extends { body: infer B extends z.ZodObject } ? Omit<z.input<B>, 'version'> : never

/** Declares an action of the product. Types of parameters follow from the form, else from the intent's body. */
export function defineCommand<T, I extends AnyIntent, P = BodyOf<I>, F = unknown>(
  command: Change<T, P, F> & { does: I },
): Command<T, P>
export function defineCommand<T, P = Record<string, never>, F = unknown>(
  command: Change<T, P, F> & { does: readonly AnyIntent[] },
): Command<T, P>
export function defineCommand<T, P = Record<string, never>>(
  command: Move<T, P> & ({ reads: CallHead } | { needs: 'signed-in' }),
): Command<T, P>
export function defineCommand(command: object): Command {
  const does = 'does' in command ? [command.does].flat() : undefined
  return { kind: 'command', ...command, ...(does ? { does } : {}) } as Command
}

/** What a button beside the thing says: the title without the noun, unless the command says otherwise. */
export const buttonOf = (command: Command, context: CommandContext, target: unknown): string =>
  (target !== undefined && command.button?.(target, context)) || command.title.replace(` ${command.on?.one}`, '')

/** True for a command that changes something on the server. */
export const changes = (
  command: Command,
): command is Command & { does: readonly AnyIntent[] } & Change<unknown, Record<string, unknown>> => 'does' in command

/** True for a command that changes something, or leads to a page on which something is changed, which takes the right to that. */
export const leadsToChange = (command: Command): boolean =>
  changes(command) || (command.also?.kind === 'all' && command.also.names.some((name) => name.startsWith('write:')))

/** True for a command of which Enter may change something on the server, at once or on the page that it opens. */
export const mayAlter = (command: Command): boolean => leadsToChange(command) || command.alters === true

/** True for a command that needs a thing to be done to. */
export const needsTarget = (command: Command): command is Command & { on: AnyEntity } => command.on !== undefined

/**
 * True where undo stands behind it; the palette says 'cannot be undone' otherwise. Of a thing that is known, its state may
 * leave nothing that undoes it: an invoice that was returned is not put back by opening it again. So may what is `typed`.
 */
export function undoable(
  command: Command,
  target?: unknown,
  typed?: { params: Record<string, unknown>; facts: unknown },
): boolean {
  if (command.coming) return command.coming.undoable
  if (!changes(command) || !command.undo) return false
  const { on, undoes } = command
  if (typed && undoes && !undoes(target, typed.params, typed.facts)) return false
  if (!on || target === undefined) return true
  const version = on.version(target)
  return command.does.every((intent) => intent.undo?.({ id: on.id(target), version }, target) !== null)
}
