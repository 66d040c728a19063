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
 * Where a key works. `everywhere` needs a modifier; `workspace` is a grid or a detail, where plain letters may be keys; `row`
 * is the row or record of the command's own entity.
 */
export type KeyScope = 'everywhere' | 'workspace' | 'grid' | 'detail' | 'row'

export interface Key {
  scope: KeyScope
  /** `Mod+K`, `p`, `g e`, `Shift+F10`; `Mod` is Cmd on macOS and Ctrl elsewhere. */
  chord: string
  /** Two commands may share a key if at most one of them can be available at a time: both name the same toggle. */
  toggles?: string
  /**
   * Works only in this tab of the record, `organization.billing-accounts`, also while a row of the tab's list has focus. The
   * command acts on the record, for example to add a row.
   */
  tab?: string
}

/** One line of a preview: a figure or state before and after. */
export interface PreviewRow {
  /** The entity touched, in words. */
  of: string
  what: string
  before: string
  after: string
}

/** A validation message of a field; the path of a cell is `suggestions.0.amount`. */
export interface FieldMessage {
  path: string
  message: string
}

/** A later step may depend on earlier answers. */
export type Step = Call | ((answers: readonly unknown[]) => Call)

/** What the history keeps of an executed command. */
export interface Done<T = unknown, P = Record<string, unknown>> {
  before: T
  after: T
  params: P
  answers: readonly unknown[]
}

/**
 * What a command may call. Exactly one of: an intent, several intents that must all be allowed, a read, or only the portal
 * itself. The type requires one, and a plan can only call what is named here.
 */
export type Access = { does: AnyIntent | readonly AnyIntent[] } | { reads: CallHead } | { needs: 'signed-in' }

/** A page of the portal that the command opens; the rail links to it. */
export interface Place {
  /** `/employees`, with filters if it is a part of a list. */
  address: string
  /** Sort order. People start at the first place they have access to. */
  order: number
  /** Heading above it in the rail. */
  below?: string
  /** The rail shows its row count. */
  counted?: true
}

/** Initial values of a form; cells of rows may be missing. */
type StartValues<P> = { [Name in keyof P]?: P[Name] extends readonly (infer Row)[] ? readonly Partial<Row>[] : P[Name] }

interface Common<T, P> {
  /** Folder and file: `employee.pause` is commands/employee/pause.ts. */
  id: string
  title: string
  /** Synonyms. A match by one of these never preselects a command that changes something. */
  aliases?: readonly string[]
  icon?: string
  /** Label of its button and in the status bar while it differs from the title; else null. */
  button?: (target: T, context: CommandContext) => string | null
  on?: Entity<T>
  /** Filter that finds its most likely targets, `{ status: 'PAUSED' }`: suggested first if nothing is selected. */
  suggestedFilter?: Readonly<Record<string, string>>
  /** Reads the selected records of any noun: its keys wait until these are loaded. */
  readsSelection?: true
  keys?: readonly Key[]
  /** Heading in the key map. */
  group?: string
  /** Also listed in the account menu. */
  inAccountMenu?: true
  /** Parameters; defaults to the intent's body less its literals and version. */
  form?: z.ZodObject | ((context: CommandContext, target: T | undefined, together?: readonly T[]) => z.ZodObject)
  /** The wizard step that the form opens at; defaults to the first one. */
  firstStep?: string
  /** Initial values of the form. */
  start?: (target: T | undefined, context: CommandContext) => StartValues<P>
  /** A reason beyond the intent's own, such as no open list. */
  unavailable?: (context: CommandContext, target: T | undefined) => Refusal | { sentence: string } | null
  /** The noun whose list it acts on; opens that list if another one is open. */
  ofPane?: string
  /** The filter of that list that it sets. */
  filter?: string
  /** Needed in addition to what the call needs. */
  also?: Need<unknown>
  /** For a move that changes something on the server without an intent of its own, such as undo and retry. */
  alters?: true
  /** Set while its schemas and plans are loading: whether it shows a form, and whether it can be undone. */
  coming?: { asks: boolean; undoable: boolean }
}

/** A target and its facts, as of the same time. */
export interface Seen<T, F> {
  target: T
  facts: F
}

/** A command that calls the API; `F` is the type of its facts. */
export interface Change<T, P, F = unknown> extends Common<T, P> {
  /** The rule, if the target is not the record of the intent; defaults to the rules of the intents. */
  refuses?: (target: T) => Refusal | null
  /**
   * The requests, from target, parameters and the facts behind the preview (for `expected` versions). Defaults to one call of
   * the intent on the target with the parameters.
   */
  plan?: (target: T, params: P, facts: F) => readonly Step[]
  /**
   * Set if the steps of the plan are independent: each is tried even if others fail, and successful ones are kept. Returns the
   * message for M of N failed.
   */
  partialFailure?: (failed: number, of: number) => string
  /** Name of the record that a step of such a plan creates, from the body of the step; defaults to the step's number. */
  stepLabel?: (body: Readonly<Record<string, unknown>>) => string
  /** Maps a field of a call, by path and body, to the form's field, if the plan renames fields. */
  fieldOf?: (path: string, body: Readonly<Record<string, unknown>>) => string
  /** Steps that undo it, from before, after and parameters; null if it cannot be undone this time. */
  undo?: (done: Done<T, P>) => readonly Step[] | null
  /** Pure: false if the current input leaves nothing for `undo` to restore. */
  undoes?: (target: T, params: Partial<P>, facts: F) => boolean
  /** Pure: what to do instead if it cannot be undone. */
  undoAlternative?: (params: P) => string
  /** Shown in advance if undo does not restore the previous state exactly. */
  undoNote?: string
  /** Message after an undo that does not restore the previous state exactly. */
  undone?: (after: T) => string
  /** Address of the created record, or of the list that a record was removed from. Opened afterwards if the person is still waiting. */
  opens?: (done: Done<T, P>) => string
  /**
   * The sentence of the specification. `after` and `facts` are the result and the facts it was made from, if known: a message
   * can then say that a record existed before.
   */
  done: (target: T, params: P, after?: T, facts?: F) => string
  failed: (target: T) => string
  /** Pure: what is sent, for the confirmation line; defaults to the name of the record. */
  submitLabel?: (target: T, params: Partial<P>) => string
  /** Pure: the owner of the record, shown after its name in the head of the form. */
  ownerLabel?: (target: T) => string
  /** Asks the person to type the name or id of the record. */
  irreversible?: boolean
  /** Its form reads the record again when it opens, because its counts change without a new version. */
  fresh?: true
  /** Shown before it runs: what cannot be undone, or what else happens. */
  warning?: (target: T) => string | null
  /** Fetches what the row lacks for preview and plan; fetched again after a stale version. */
  facts?: (target: T, read: Read, params: Partial<P>, together?: readonly T[]) => Promise<F>
  /**
   * Pure: the part of the parameters that the facts depend on; they are fetched again when it changes. Without it they do not
   * depend on any.
   */
  factsFor?: (params: Partial<P>) => string
  /** Versions of the records that the preview shows besides the target, by id; sent as `expected` if there is no plan. */
  expects?: (target: T, facts: F) => Readonly<Record<string, number>>
  /** Pure: describes a concurrent change of the facts in a sentence; null if unknown. Called after a stale version. */
  describeConflict?: (params: Partial<P>, was: Seen<T, F>, now: Seen<T, F>) => string | null
  /** Pure: validation that depends on facts, run on every change; nothing is sent while it returns messages. */
  validate?: (target: T, params: Partial<P>, facts: F) => readonly FieldMessage[]
  /**
   * Pure: the lines of a money form for the current input, or null if no money moves. If the form has a field of kind `rows`,
   * these are its rows.
   */
  lines?: (target: T, params: Partial<P>, facts: F) => MoneyLines | null
  /** Pure: before and after of every record that is touched. */
  preview?: (target: T, params: Partial<P>, facts: F) => readonly PreviewRow[]
  /** Pure: the permissions of a person before and after, so that the form shows which commands are gained and lost. */
  rights?: (target: T, params: Partial<P>, facts: F) => RightsChange
  /** Pure: summary of a bulk run, before and after it, if it says more than the sum. */
  bulkSummary?: (params: Partial<P>, amounts: Amounts) => string
  /** False if it makes no sense for several rows, or only with `together`. */
  bulk?: boolean
  /**
   * Set if several rows are handled as one: one form and one plan for all eligible rows. Pure: why these cannot be combined.
   * The first one is the target; `facts` gets all of them, even if only one is left.
   */
  together?: (targets: readonly T[]) => Refusal | null
}

/** A command that changes only the portal: opens, filters, copies. */
export interface Move<T, P> extends Common<T, P> {
  act: (host: CommandHost, target: T, params: P) => unknown
  /** For a navigation command. */
  place?: Place
  /** Message after it has run; none without it. */
  done?: (target: T, params: P) => string
}

export type Read = <E extends AnyEndpoint>(endpoint: E, at: At, query?: Record<string, string>) => Promise<AnswerOf<E>>

type Kind = { kind: 'command' }
// biome-ignore lint/suspicious/noExplicitAny: any command; target and parameters are checked where it is defined
export type Command<T = any, P = any, F = any> = Kind &
  ((Change<T, P, F> & { does: readonly AnyIntent[] }) | (Move<T, P> & ({ reads: CallHead } | { needs: 'signed-in' })))

type BodyOf<I> = I extends { body: infer B extends z.ZodObject } ? Omit<z.input<B>, 'version'> : never

/** Declares an action of the product. Parameter types follow from the form, else from the intent's body. */
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

/** Label of its button beside the record: the title without the noun, unless the command has another. */
export const buttonOf = (command: Command, context: CommandContext, target: unknown): string =>
  (target !== undefined && command.button?.(target, context)) || command.title.replace(` ${command.on?.one}`, '')

/** True for a command that changes something on the server. */
export const changes = (
  command: Command,
): command is Command & { does: readonly AnyIntent[] } & Change<unknown, Record<string, unknown>> => 'does' in command

/** True for a command that changes something, or that opens a page for it and therefore needs a write permission. */
export const leadsToChange = (command: Command): boolean =>
  changes(command) || (command.also?.kind === 'all' && command.also.names.some((name) => name.startsWith('write:')))

/** True if Enter may change something on the server, at once or on the page that the command opens. */
export const mayAlter = (command: Command): boolean => leadsToChange(command) || command.alters === true

/** True for a command that needs a record to act on. */
export const needsTarget = (command: Command): command is Command & { on: AnyEntity } => command.on !== undefined

/**
 * True if the command has an undo; otherwise the palette says 'cannot be undone'. The state of a known target may rule it out:
 * reopening does not restore an invoice that was returned. So may the input in `typed`.
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
