import type { z } from 'zod'
import type { AnswerOf, AnyEndpoint, AnyIntent, At, Call, CallHead } from '#contract/define.ts'
import type { Amounts } from '#domain/amounts.ts'
import type { Need } from '#domain/permissions.ts'
import type { Refusal } from '#domain/refusal.ts'
import type { CommandHost } from '#kernel/command-host.ts'
import type { AnyEntity, Entity, Phrases } from '#kernel/entity.ts'
import type { MoneyLines } from '#kernel/money-lines.ts'
import type { RightsChange } from '#kernel/rights-change.ts'
import type { CommandContext } from '#kernel/command-context.ts'
import { verbIcons } from '#kernel/verb-icons.ts'

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
  /** Acts on the selected records of any noun: it waits until these are loaded. */
  ofSelection?: true
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
 * What a command may call. Exactly one of: an intent, several intents that must all be allowed, a read and what it needs beyond
 * that, or only the portal itself, possibly to undo, retry or stop changes of this person. The type requires one, and a plan
 * can only call what is named here.
 */
export type Access =
  | { does: AnyIntent | readonly AnyIntent[] }
  | { reads: CallHead; needs?: Need<unknown> }
  | { needs: 'signed-in' | 'own-changes' }

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

type SchemaFor<T> = (context: CommandContext, target: T | undefined, together?: readonly T[]) => z.ZodObject

/** The form of a command. `schema` alone may be declared as `form`. */
export interface Form<T, P, F = unknown> {
  /** Parameters; defaults to the intent's body less its literals and version. */
  schema?: z.ZodObject | SchemaFor<T>
  /** Initial values. */
  start?: (target: T | undefined, context: CommandContext) => StartValues<P>
  /** The values that `in full` stands for in a sentence, where the form does not start with them. */
  full?: (target: T) => StartValues<P>
  /** The wizard step that it opens at; defaults to the first one. */
  firstStep?: string
  /** Reads the record again when it opens, because its counts change without a new version. */
  fresh?: true
  /** Pure: validation that depends on facts, run on every change; nothing is sent while it returns messages. */
  messages?: (target: T, params: Partial<P>, facts: F) => readonly FieldMessage[]
}

/** Why a command cannot be used now. `because` alone may be declared as `unavailable`. */
export interface Unavailable<T> {
  /** A reason beyond the rules of the intents, such as no open list. */
  because?: (context: CommandContext, target: T | undefined) => Refusal | { sentence: string } | null | undefined
  /**
   * The rule about the target in place of those of the intents, which are about another record. An intent that creates a record
   * has no rule about the target.
   */
  rule?: (target: T) => Refusal | null
}

/** How a sentence with the name of a record means the command, other than by its title or an alias. */
export interface Sentence {
  /**
   * Words beside the name of a record, by a title or an alias that they stand for: `history` is `who changed`. In `can … see` the
   * gap is the name.
   */
  phrases?: Phrases
  /**
   * Words behind the name of its record are a command, any one or one on the same noun: its parameters are then the `action` and
   * the `noun` of its record.
   */
  takes?: 'command' | 'own-command'
}

interface Common<T, P, F = unknown> {
  /** Folder and file: `employee.pause` is commands/employee/pause.ts. */
  id: string
  title: string
  /** Synonyms. A match by one of these never preselects a command that changes something. */
  aliases?: readonly string[]
  sentence?: Sentence
  /** Defaults to the one of its verb (`verb-icons.ts`). */
  icon?: string
  /** Label of its button and in the status bar while it differs from the title without the noun. */
  button?: string | ((target: T, context: CommandContext) => string | null)
  on?: Entity<T>
  /** Filter that finds its most likely targets, `{ status: 'PAUSED' }`: suggested first if nothing is selected. */
  suggestedFilter?: Readonly<Record<string, string>>
  keys?: readonly Key[]
  unavailable?: Unavailable<T>
  form?: Form<T, P, F>
}

/** A target and its facts, as of the same time. */
export interface Seen<T, F> {
  target: T
  facts: F
}

/** How a command is undone, or what to do instead. `steps` alone may be declared as `undo`. */
export interface Undo<T, P, F> {
  /** Steps that undo it, from before, after and parameters; null if it cannot be undone this time. Without it, it never can. */
  steps?: (done: Done<T, P>) => readonly Step[] | null
  /** Pure: false if the current input leaves nothing to restore. */
  applies?: (target: T, params: Partial<P>, facts: F) => boolean
  /** Pure: what to do instead if it cannot be undone. */
  alternative?: (params: P) => string
  /** Shown in advance if undo does not restore the previous state exactly. */
  note?: string
  /** Message after such an undo. */
  done?: (after: T) => string
  /** Asks the person to type the name or id of the record before it runs. */
  irreversible?: true
}

/** What a preview and a plan need beyond the row. `read` alone may be declared as `facts`. */
export interface Facts<T, P, F> {
  /** Fetches them; again after a stale version. */
  read: (target: T, read: Read, params: Partial<P>, together?: readonly T[]) => Promise<F>
  /** Pure: the part of the parameters that they depend on; they are fetched again when it changes. None without it. */
  by?: (params: Partial<P>) => string
  /** Versions of the records that the preview shows besides the target, by id; sent as `expected` if there is no plan. */
  expects?: (target: T, facts: F) => Readonly<Record<string, number>>
  /** Pure: describes a concurrent change of them in a sentence; null if unknown. Called after a stale version. */
  conflict?: (params: Partial<P>, was: Seen<T, F>, now: Seen<T, F>) => string | null
}

/** How a command runs on several rows. */
export interface Bulk<T, P> {
  /** Pure: summary of a run, before and after it, if it says more than the sum. */
  summary?: (params: Partial<P>, amounts: Amounts) => string
  /**
   * Set if several rows are handled as one instead: one form and one plan for all eligible rows. Pure: why these cannot be
   * combined. The first one is the target; facts are read for all of them, even if only one is left.
   */
  together?: (targets: readonly T[]) => Refusal | null
}

/** The requests of a command. `calls` alone may be declared as `plan`. */
export interface Plan<T, P, F> {
  /** The requests, from target, parameters and the facts behind the preview (for `expected` versions). */
  calls: (target: T, params: P, facts: F) => readonly Step[]
  /** Set if each step is tried even if others fail, and successful ones are kept: the message for M of N failed. */
  failed?: (failed: number, of: number) => string
  /** Name of the record that such a step creates, from its body; defaults to the step's number. */
  label?: (body: Readonly<Record<string, unknown>>) => string
  /** Maps a field of a call, by path and body, to the form's field. */
  fieldOf?: (path: string, body: Readonly<Record<string, unknown>>) => string
}

/** What a form shows before anything is sent. `rows` alone may be declared as `preview`. All are pure. */
export interface Preview<T, P, F> {
  /** Before and after of every record that is touched. */
  rows?: (target: T, params: Partial<P>, facts: F) => readonly PreviewRow[]
  /**
   * The lines of a money form for the current input, or null if no money moves. If the form has a field of kind `rows`, these
   * are its rows.
   */
  lines?: (target: T, params: Partial<P>, facts: F) => MoneyLines | null
  /** The permissions of a person before and after, so that the form shows which commands are gained and lost. */
  rights?: (target: T, params: Partial<P>, facts: F) => RightsChange
  /** What cannot be undone, or what else happens. */
  warning?: (target: T) => string | null
  /** What is sent, for the confirmation line; defaults to the name of the record. */
  submitLabel?: (target: T, params: Partial<P>) => string
  /** The owner of the record, shown after its name in the head of the form. */
  ownerLabel?: (target: T) => string
}

/** What follows a success. `message` alone may be declared as `done`. */
export interface Success<T, P, F> {
  /**
   * The sentence of the specification. `after` and `facts` are the result and the facts it was made from, if known: a message
   * can then say that a record existed before.
   */
  message: (target: T, params: P, after?: T, facts?: F) => string
  /** Address of the created record, or of the list that a record was removed from. Opened if the person is still waiting. */
  opens?: (done: Done<T, P>) => string
}

/** A command that calls the API; `F` is the type of its facts. */
export interface Change<T, P, F = unknown> extends Common<T, P, F> {
  /** Defaults to one call of the intent on the target with the parameters. */
  plan?: Plan<T, P, F>
  undo?: Undo<T, P, F>
  done: Success<T, P, F>
  /** Message if it fails without a reason of the API; defaults to the title: 'Could not pause employee: Mia Torres'. */
  failed?: (target: T) => string
  facts?: Facts<T, P, F>
  preview?: Preview<T, P, F>
  /** Whether it may run on several rows, and how. Defaults to true unless it has a plan of its own. */
  bulk?: boolean | Bulk<T, P>
}

/** A command that changes only the portal: opens, filters, copies. */
export interface Move<T, P> extends Common<T, P> {
  act: (host: CommandHost, target: T, params: P) => unknown
  /** Where the frame links to it. */
  place?: Place | 'account-menu'
  /** Message after it has run; none without it. */
  done?: { message: (target: T, params: P) => string }
}

/** The member of each trait that may be declared alone instead of the trait. */
const mainMembers = {
  ...{ form: 'schema', unavailable: 'because', plan: 'calls', undo: 'steps', done: 'message', facts: 'read', preview: 'rows' },
} as const

/** What both kinds of commands may declare by one member of a trait. */
interface CommonShort<T, P, F> {
  form?: Form<T, P, F> | z.ZodObject | SchemaFor<T>
  unavailable?: Unavailable<T> | Unavailable<T>['because']
}
interface ChangeShort<T, P, F> extends CommonShort<T, P, F> {
  plan?: Plan<T, P, F> | Plan<T, P, F>['calls']
  undo?: Undo<T, P, F> | Undo<T, P, F>['steps']
  done: Success<T, P, F> | Success<T, P, F>['message']
  facts?: Facts<T, P, F> | Facts<T, P, F>['read']
  preview?: Preview<T, P, F> | Preview<T, P, F>['rows']
}
interface MoveShort<T, P> extends CommonShort<T, P, unknown> {
  done?: (target: T, params: P) => string
}

/** Commands as declared. */
type DeclaredChange<T, P, F> = Omit<Change<T, P, F>, keyof ChangeShort<T, P, F>> & ChangeShort<T, P, F>
type DeclaredMove<T, P> = Omit<Move<T, P>, keyof MoveShort<T, P>> & MoveShort<T, P>

export type Read = <E extends AnyEndpoint>(endpoint: E, at: At, query?: Record<string, string>) => Promise<AnswerOf<E>>

type Kind = { kind: 'command' }
// biome-ignore lint/suspicious/noExplicitAny: any command; target and parameters are checked where it is defined
export type Command<T = any, P = any, F = any> = Kind &
  ((Change<T, P, F> & { does: readonly AnyIntent[] }) | (Move<T, P> & Exclude<Access, { does: unknown }>))

type BodyOf<I> = I extends { body: infer B extends z.ZodObject } ? Omit<z.input<B>, 'version'> : never

/** Declares an action of the product. Parameter types follow from the form, else from the intent's body. */
export function defineCommand<T, I extends AnyIntent, P = BodyOf<I>, F = unknown>(
  command: DeclaredChange<T, P, F> & { does: I },
): Command<T, P>
export function defineCommand<T, P = Record<string, never>, F = unknown>(
  command: DeclaredChange<T, P, F> & { does: readonly AnyIntent[] },
): Command<T, P>
export function defineCommand<T, P = Record<string, never>>(
  command: DeclaredMove<T, P> & Exclude<Access, { does: unknown }>,
): Command<T, P>
export function defineCommand(command: object): Command {
  const whole: Record<string, unknown> = { kind: 'command', ...command }
  if (whole['does']) whole['does'] = [whole['does']].flat()
  for (const [trait, member] of Object.entries(mainMembers)) {
    const declared = whole[trait]
    if (typeof declared === 'function' || (declared && '_zod' in (declared as object))) whole[trait] = { [member]: declared }
  }
  if (whole['plan']) whole['bulk'] ??= false
  const [, verb = ''] = /\.([a-z]+)/.exec(String(whole['id'])) ?? []
  whole['icon'] ??= verbIcons[verb]
  return whole as unknown as Command
}

/** Label of its button beside the record: the title without the noun, unless the command has another. */
export function buttonOf({ button, title, on }: Command, context: CommandContext, target: unknown): string {
  const own = typeof button === 'function' ? target !== undefined && button(target, context) : button
  return own || shortTitle({ title, on })
}

/** The title without the noun, where that is known: `Pause`. */
export const shortTitle = ({ title, on }: Pick<Command, 'title' | 'on'>): string =>
  on ? title.replace(new RegExp(`(?: (?:by|for|of))?(?: an?)? ${on.one}`), '') : title

/** What commands of these folders have in common: how late the palette shows them, and their heading in the key map. */
const groups = {
  ...{ filter: 'Filters', history: 'Filters', open: 'Navigation', run: 'Session', session: 'Session', 'link.tab': 'Tabs' },
  'link.favourite': 'Favourites',
} as const
export type CommandGroup = (typeof groups)[keyof typeof groups] | 'View'

/** The group of a command, by its folder; 'View' for most. */
export function groupOf({ id }: Pick<Command, 'id'>): CommandGroup {
  const [folder = '', file] = id.split('.')
  const known: Readonly<Record<string, CommandGroup>> = groups
  return known[folder] ?? known[`${folder}.${file}`] ?? 'View'
}

/** For a filter (commands/filter/by.ts): the noun whose list it acts on, which is opened if another one is, and its own id. */
export function filterOf({ id }: Command): { list: string; id: string } | undefined {
  const [, list, filter] = /^filter\.by\.([^.]+)\.(.+)$/.exec(id) ?? []
  return list && filter ? { list, id: filter } : undefined
}

/** What the calls of a command need, and what it needs beyond them. */
export const needsOf = (command: Command): readonly Need<unknown>[] =>
  changes(command)
    ? command.does.map((intent) => intent.needs as Need<unknown>)
    : 'reads' in command
      ? [command.reads.needs as Need<unknown>, ...(command.needs ? [command.needs] : [])]
      : []

/** Message if it fails without a reason of the API. */
export function failureOf(command: Command, target: unknown): string {
  if (!changes(command)) return 'Something went wrong'
  if (command.failed) return command.failed(target)
  const { title, on } = command
  const what = /^[A-Z][a-z]/.test(title) ? title.charAt(0).toLowerCase() + title.slice(1) : title
  return `Could not ${what}${on && target !== undefined ? `: ${on.title(target)}` : ''}`
}

/** True for a command that changes something on the server. */
export const changes = (
  command: Command,
): command is Command & { does: readonly AnyIntent[] } & Change<unknown, Record<string, unknown>> => 'does' in command

/** How a change runs on several rows, if it says more than whether it does. */
export const bulkOf = (command: Command): Bulk<unknown, Record<string, unknown>> | undefined =>
  changes(command) && typeof command.bulk === 'object' ? command.bulk : undefined

/** True for a command that changes something, or that opens a page for it and therefore needs a write permission. */
export const leadsToChange = (command: Command): boolean =>
  changes(command) || needsOf(command).some((need) => need.kind === 'all' && need.names.some((name) => name.startsWith('write:')))

/** True if Enter may change something on the server, at once or on the page that the command opens. */
export const mayAlter = (command: Command): boolean =>
  leadsToChange(command) || ('needs' in command && command.needs === 'own-changes')

/** True for a command that asks to type the name of the record, because nothing brings it back. */
export const isIrreversible = (command: Command): boolean => changes(command) && command.undo?.irreversible === true

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
  if (!changes(command) || !command.undo?.steps) return false
  const { on, undo } = command
  if (typed && undo.applies && !undo.applies(target, typed.params, typed.facts)) return false
  if (!on || target === undefined) return true
  const version = on.version(target)
  return command.does.every((intent) => intent.undo?.({ id: on.id(target), version }, target) !== null)
}
