import { z } from 'zod'
import { isSessionOver, Refusal } from '#kernel/api-client.ts'
import { type Interruption, interruptionText, type OutcomeText, outcomeText, signInText } from '#kernel/interruption.ts'
import { pluralize } from '#kernel/pluralize.ts'
import { titleOf } from '#kernel/run.ts'
import { type FormKeys, SessionOver } from '#kernel/send.ts'
import { endedAtom, meAtom, myId } from '#portal/api/session.ts'
import { draft } from '#portal/commands/drafts.ts'
import { outbox } from '#portal/commands/outbox/calls.ts'
import { type Page, paletteAtom } from '#portal/commands/palette-state.ts'
import { startCommand } from '#portal/commands/start.ts'
import { targetsBy } from '#portal/list/target.ts'
import { noTargets } from '#portal/platform/commands.ts'
import { isReloadOf } from '#portal/platform/is-reload.ts'
import { commandById, entities } from '#portal/platform/registry.ts'
import { writeStorage, readStorage } from '#portal/platform/storage.ts'
import { store } from '#portal/platform/store.ts'
import { showToast } from '#portal/platform/toasts.ts'
import { loadRecord } from '#portal/records/load-record.ts'

type FormPage = Extract<Page, { kind: 'form' }>

/**
 * A change that was not done because the session had ended, or (`typed`) a form that was open when the page was reloaded: ids and
 * no names. It waits for the next sign-in of its person.
 */
const Interrupted = z.object({
  person: z.string(),
  state: z.enum(['not-sent', 'in-part', 'unsure', 'typed']),
  command: z.string(),
  target: z.object({ entity: z.string(), id: z.string() }).nullable(),
  /** Whether it is the undo of the command. */
  undo: z.boolean().optional(),
  /** Number of rows of a run that were not done. */
  rows: z.number().optional(),
  run: z.string().optional(),
  /** How much of a plan was sent. */
  sent: z.object({ calls: z.number(), of: z.number() }).optional(),
  /** The form that sent it and the address of the page, if that form was open. */
  form: z.custom<FormPage>().optional(),
  address: z.string().optional(),
})
type Interrupted = z.infer<typeof Interrupted>
type Report = Interrupted & { state: Exclude<Interrupted['state'], 'typed'> }

/** Cleared at sign-out with the other traces; survives a reload of the sign-in page. */
const name = 'admin-portal.reload.unsent'
const read = (): Interrupted[] => readStorage(name, z.array(Interrupted), 'sessionStorage') ?? []
const write = (all: readonly Interrupted[]) => writeStorage(name, all.length ? all : null, 'sessionStorage')
const isReport = (each: Interrupted): each is Report => each.state !== 'typed'

/** The idempotency keys of forms whose plan was interrupted, so that completed calls are not repeated. */
const keysOf = new Map<string, FormKeys>()
const nameOf = (person: string, { command, targets: { entity, ids, filter } }: FormPage): string =>
  JSON.stringify([person, command, entity, ids, filter])

/** The page on top of the open palette. */
const pageOnTop = (): Page | undefined => {
  const { open, pages } = store.get(paletteAtom)
  return open ? pages.at(-1) : undefined
}

const formOnTop = (): FormPage | undefined => {
  const top = pageOnTop()
  return top?.kind === 'form' ? top : undefined
}

/** Opens a form again, unless something else is open by now. */
function reopen({ command, targets, params }: FormPage): boolean {
  if (store.get(paletteAtom).open) return false
  startCommand(command, { targets, ...(params ? { params } : {}) })
  return true
}

interface InterruptedChange extends Pick<Interrupted, 'command' | 'target' | 'undo' | 'run' | 'sent' | 'rows'> {
  /** Whether the form that sent it is still on top; `keys` are its idempotency keys. */
  watching?: boolean
  keys?: FormKeys | undefined
  /** Whether other rows were done before. */
  isStarted?: boolean
}

/** How a request was interrupted if its session had ended; null for any other error. */
export function interruptionBy(error: unknown): 'unsure' | 'not-sent' | null {
  if (!(error instanceof Refusal && isSessionOver(error.problem))) return null
  return error instanceof SessionOver && error.unsure ? 'unsure' : 'not-sent'
}

/**
 * Says on the sign-in screen what became of a change whose session was over, and stores it for a report after the next sign-in of
 * that person (docs/rules/undo.md). False if somebody is signed in by now: then the caller reports it at once.
 */
export function reportLater(how: Interruption, person: string, change: InterruptedChange): boolean {
  if (store.get(meAtom)) return false
  const { watching, keys, isStarted, command, target, undo, rows, run, sent } = change
  const text = signInText(isStarted ? 'in-part' : how)
  store.set(endedAtom, (previous) => (previous?.includes(text) ? previous : [previous, text].filter(Boolean).join(' ')))
  // A call that is sent again reports itself.
  if (how === 'asked-again') return true
  const top = formOnTop()
  const isItsOwn = top?.command === command && (!target || top.targets.ids.includes(target.id))
  const form = watching && isItsOwn ? top : undefined
  if (form && keys) keysOf.set(nameOf(person, form), keys)
  const from = form ? { form, address: location.href } : {}
  write([...read(), { person, state: how, command, target, undo, rows, run, sent, ...from }])
  return true
}

/** The same for rows of a run that were sent one by one; `isStarted` if other rows were done before. */
export function reportRowsLater(
  rows: readonly Interruption[],
  person: string,
  change: InterruptedChange,
  isStarted: boolean,
): void {
  const left = rows.filter((how) => how !== 'asked-again').length
  if (left < rows.length) reportLater('asked-again', person, change)
  if (left) reportLater('not-sent', person, { ...change, rows: left, isStarted })
}

/** The message for a form that is opened again after an interrupted change, with its idempotency keys; returned once. */
export function takeInterrupted(page: FormPage): { text: OutcomeText; keys: FormKeys | undefined } | null {
  const own = nameOf(myId(), page)
  const is = (each: Interrupted): each is Report =>
    isReport(each) && each.form !== undefined && nameOf(each.person, each.form) === own
  const all = read()
  const found = all.findLast(is)
  if (!found) return null
  write(all.filter((each) => !is(each)))
  const keys = keysOf.get(own)
  keysOf.delete(own)
  return { text: interruptionText(found.state, { sent: found.sent }), keys }
}

/**
 * After a sign-in, reports the changes of this person that were not done because the session had ended. An open form shows its
 * own message; a form that was open when it happened is opened again, if nothing else is open.
 */
export async function reportInterrupted(): Promise<void> {
  const person = myId()
  for (const each of read().filter(isReport)) {
    if (each.person !== person) continue
    const top = formOnTop()
    if (each.form && top && nameOf(person, top) === nameOf(person, each.form)) continue
    if (each.form && each.address === location.href && reopen(each.form)) continue
    write(read().filter((other) => JSON.stringify(other) !== JSON.stringify(each)))
    const page = pageOnTop()
    // The page of a run shows its remaining rows itself.
    if (!(page?.kind === 'run' && page.run === each.run)) await report(each)
  }
}

async function report({ state, command: id, target, undo, rows, form, sent }: Report): Promise<void> {
  const command = commandById(id)
  const on = target ? entities().find(({ name: noun }) => noun === target.entity) : undefined
  const record = on && target ? await loadRecord(on, target.id).catch(() => undefined) : undefined
  const title = titleOf(command?.title ?? outcomeText.title, on, record)
  const what = undo ? `Undo ${title.charAt(0).toLowerCase()}${title.slice(1)}` : title
  const isTyped = draft(id, form?.targets ?? (target ? targetsBy(target.entity, [target.id]) : noTargets)) !== null
  const next = isTyped && !undo ? 'What you typed is still in its form.' : 'Do it again if it is still wanted.'
  const named = rows === undefined ? what : `${what}, ${pluralize(rows, command?.on)}`
  const { sentence, detail } = interruptionText(state, { title: named, sent, ...(state === 'not-sent' ? { advice: next } : {}) })
  showToast(sentence, { tone: 'bad', detail })
}

function keepForm(): void {
  const form = formOnTop()
  const person = myId()
  const typed = person && form && draft(form.command, form.targets)
  const open = typed
    ? [{ person, state: 'typed' as const, command: form.command, target: null, form, address: location.href }]
    : []
  write([...read().filter(isReport), ...open])
}

/** Called while a form is open: a form with input stays open over a reload. Returns the cleanup function. */
export function keepOverReload(): () => void {
  addEventListener('pagehide', keepForm)
  return () => removeEventListener('pagehide', keepForm)
}

/** Opens the form again after a reload, for the same person at the same address, unless something else is open by now. */
export function reopenForm(): void {
  const all = read()
  const open = all.find((each) => !isReport(each))
  if (!open) return
  write(all.filter(isReport))
  if (!isReloadOf(open.address ?? '') || open.person !== myId()) return
  // The outcome of calls that were already sent is looked up and reported separately.
  if (open.form && !outbox.all().some(({ command }) => command === open.command)) reopen(open.form)
}
