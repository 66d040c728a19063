import { capitalize } from '#domain/text.ts'
import { z } from 'zod'
import { pluralize } from '#kernel/pluralize.ts'
import { type Over, overSays, titleOf } from '#kernel/run.ts'
import { type FormKeys, SessionOver } from '#kernel/send.ts'
import { isSessionOver, Refusal } from '#kernel/api-client.ts'
import { commandArrives } from '#portal/platform/bundle.ts'
import { commandById, entities } from '#portal/platform/registry.ts'
import { writeStorage, readStorage } from '#portal/platform/storage.ts'
import { store } from '#portal/platform/store.ts'
import { showToast } from '#portal/platform/toasts.ts'
import { draft } from '#portal/commands/drafts.ts'
import { loadRecord } from '#portal/records/load-record.ts'
import { startCommand } from '#portal/commands/start.ts'
import { targetsBy } from '#portal/list/target.ts'
import { type Page, paletteAtom } from '#portal/commands/palette-state.ts'
import { noTargets } from '#portal/platform/commands.ts'
import { endedAtom, meAtom } from '#portal/api/session.ts'

type FormPage = Extract<Page, { kind: 'form' }>

/** A change that was not done because the session had ended: ids and no names (D38). */
const UnsentChange = z.object({
  person: z.string(),
  over: z.enum(['not-sent', 'in-part', 'unsure']),
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
type UnsentChange = z.infer<typeof UnsentChange>

/** Cleared at sign-out with the other traces; survives a reload of the sign-in page. */
const name = 'admin-portal.reload.unsent'
const read = (): UnsentChange[] => readStorage(name, z.array(UnsentChange), 'sessionStorage') ?? []
const write = (all: readonly UnsentChange[]) => writeStorage(name, all.length ? all : null, 'sessionStorage')

/** The idempotency keys of forms whose plan was interrupted, so that completed calls are not repeated. */
const keysOf = new Map<string, FormKeys>()
const nameOf = (person: string, { command, targets: { entity, ids, filter } }: Pick<FormPage, 'command' | 'targets'>): string =>
  JSON.stringify([person, command, entity, ids, filter])

const signInMessages: Record<Over, string> = {
  'not-sent': 'Your last change was not sent.',
  'in-part': 'Your last change was sent only in part.',
  unsure: 'Your last change is not confirmed: it may have gone through.',
  'asked-again':
    'Your last change is not confirmed: it may have gone through. It is sent again once you have signed in, and applied once.',
}

/** The form on top of the palette; undefined if there is none. */
const formOnTop = (): FormPage | undefined => {
  const { open, pages } = store.get(paletteAtom)
  const top = pages.at(-1)
  return open && top?.kind === 'form' ? top : undefined
}

interface UnsentReport extends Omit<UnsentChange, 'person' | 'over' | 'form' | 'address'> {
  /** Whether the form that sent it is still on top; `keys` are its idempotency keys. */
  watching?: boolean
  keys?: FormKeys | undefined
  /** Whether other rows were done before. */
  isStarted?: boolean
}

/** What became of a run on the server if its session had ended; null for any other error. */
export function overOf(error: unknown): 'unsure' | 'not-sent' | null {
  if (!(error instanceof Refusal && isSessionOver(error.problem))) return null
  return error instanceof SessionOver && error.unsure ? 'unsure' : 'not-sent'
}

/**
 * Says on the sign-in screen what became of a change whose session was over, and stores it for a report after the next sign-in of
 * that person (D533). False if somebody is signed in by now: then the caller reports it at once.
 */
export function tellOver(over: Over, person: string, { watching, keys, isStarted, ...what }: UnsentReport): boolean {
  if (store.get(meAtom)) return false
  const words = signInMessages[isStarted ? 'in-part' : over]
  store.set(endedAtom, (previous) => (previous?.includes(words) ? previous : [previous, words].filter(Boolean).join(' ')))
  if (over === 'asked-again') return true
  const top = formOnTop()
  const its = top?.command === what.command && (!what.target || top.targets.ids.includes(what.target.id))
  const form = watching && its ? top : undefined
  if (form && keys) keysOf.set(nameOf(person, form), keys)
  const from = form ? { form, address: location.href } : {}
  write([...read(), { ...what, ...from, person, over }])
  return true
}

/** The same for rows of a run that were sent one by one; `isStarted` if other rows were done before. */
export function tellOvers(rows: readonly Over[], person: string, what: UnsentReport, isStarted: boolean): void {
  const left = rows.filter((over) => over !== 'asked-again').length
  if (left < rows.length) tellOver('asked-again', person, what)
  if (left) tellOver('not-sent', person, { ...what, rows: left, isStarted })
}

/** The message for a form that is opened again after an unsent change, with its idempotency keys; returned once. */
export function takeUnsent(page: FormPage): { says: ReturnType<typeof overSays>; keys: FormKeys | undefined } | null {
  const person = store.get(meAtom)?.person.id
  if (person === undefined) return null
  const own = nameOf(person, page)
  const is = (each: UnsentChange) => each.form !== undefined && nameOf(each.person, each.form) === own
  const all = read()
  const found = all.findLast(is)
  if (!found) return null
  write(all.filter((each) => !is(each)))
  const keys = keysOf.get(own)
  keysOf.delete(own)
  return { says: overSays(found.over, found.sent), keys }
}

/**
 * After a sign-in, reports the changes of this person that were not done because the session had ended. An open form shows its
 * own message; a form that was open when it happened is opened again, if nothing else is open.
 */
export async function tellUnsent(): Promise<void> {
  const person = store.get(meAtom)?.person.id
  const mine = read().filter((each) => each.person === person)
  for (const each of mine) {
    const top = formOnTop()
    if (person && each.form && top && nameOf(person, top) === nameOf(person, each.form)) continue
    if (each.form && each.address === location.href && !store.get(paletteAtom).open) {
      const { command, targets, params } = each.form
      startCommand(command, { targets, ...(params ? { params } : {}) })
      continue
    }
    write(read().filter((other) => JSON.stringify(other) !== JSON.stringify(each)))
    if (!isWatched(each)) await report(each)
  }
}

/** The page of a run shows its remaining rows itself. */
const isWatched = ({ run }: UnsentChange): boolean => {
  const { open, pages } = store.get(paletteAtom)
  const top = pages.at(-1)
  return run !== undefined && open && top?.kind === 'run' && top.run === run
}

async function report({ over, command: id, target, undo, rows, form, sent }: UnsentChange): Promise<void> {
  await commandArrives(id).catch(() => {})
  const command = commandById(id)
  const on = target ? entities().find(({ name }) => name === target.entity) : undefined
  const record = on && target ? await loadRecord(on, target.id).catch(() => undefined) : undefined
  const title = titleOf(command?.title ?? 'Your last change', on, record)
  const what = undo ? `Undo ${title.charAt(0).toLowerCase()}${title.slice(1)}` : title
  const typed = draft(id, form?.targets ?? (target ? targetsBy(target.entity, [target.id]) : noTargets)) !== null
  // The sentence 'Not sent: your session had ended.', with the command and record in between.
  const { sentence, detail } = overSays(over, sent)
  const [head = '', why = ''] = sentence.split(': ')
  const then = typed && !undo ? 'What you typed is still in its form.' : 'Do it again if it is still wanted.'
  showToast(`${head}: ${rows === undefined ? what : `${what}, ${pluralize(rows, command?.on)}`}`, {
    tone: 'bad',
    detail: `${capitalize(why)} ${over === 'not-sent' ? then : detail}`,
  })
}
