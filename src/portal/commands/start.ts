import { type PermissionName, rightTo } from '#domain/permissions.ts'
import { availability, lacksForUndo } from '#kernel/availability.ts'
import { changes, type Command, isIrreversible, leadsToChange, mayAlter, undoable } from '#kernel/command.ts'
import type { CommandHost } from '#kernel/command-host.ts'
import type { AnyEntity } from '#kernel/entity.ts'
import { asksFor, formOf } from '#kernel/form.ts'
import type { CommandContext } from '#kernel/command-context.ts'
import { commandHost } from '#portal/commands/command-host.ts'
import { targetsBy } from '#portal/list/target.ts'
import { everything, haveEverything } from '#portal/platform/bundle.ts'
import { changing, blockKeysWhile, ignoreText, stillWanted } from '#portal/keyboard/hold.ts'
import { noteStart, takeKeyHint } from '#portal/commands/key-hints.ts'
import { closePalette, type Page, paletteAtom, pushPage, whileComing } from '#portal/commands/palette-state.ts'
import { noTargets, type StartOptions, type Targets } from '#portal/platform/commands.ts'
import { commandById } from '#portal/platform/registry.ts'
import { loadRecord } from '#portal/records/load-record.ts'
import { commandContextAtom } from '#portal/list/command-context.ts'
import { tabNameAtom } from '#portal/list/lists.ts'
import { isOutOfReach } from '#portal/records/read-one.ts'
import { store } from '#portal/platform/store.ts'
import { record } from '#portal/records/entity-store.ts'
import { showToast, sayMissing } from '#portal/platform/toasts.ts'
import { recordUse } from '#portal/commands/uses.ts'

/**
 * The one way to run anything: a row's button, a key, the palette and a link all call this. Asks for the target if one is
 * missing, says why if it cannot be done, and shows the form if there is something to fill in or confirm.
 */
export function startCommand(id: string, options: StartOptions = {}): void {
  const command = commandById(id)
  if (!command && !haveEverything()) {
    const wanted = stillWanted()
    void blockKeysWhile(everything()).then(() => wanted() && startCommand(id, options), sayMissing)
    return
  }
  if (!command) {
    showToast('There is no such command in this version of the portal.', { tone: 'bad' })
    return
  }
  noteStart(id, options.byKey === true)
  void start(command, options).catch((error: unknown) => {
    showToast(changes(command) ? `${command.title} could not be started.` : `${command.title} did not work.`, {
      tone: 'bad',
      detail: error instanceof Error ? error.message : null,
    })
  })
}

async function start(command: Command, options: StartOptions): Promise<void> {
  const context = store.get(commandContextAtom)
  if (!context.signedIn) return
  const { on } = command
  if (!on) return proceed(command, noTargets, undefined, context, options)
  const targets = options.targets ?? aroundTab(on, command, context) ?? fitting(on, command, context)
  if (!targets) {
    const state = availability(command, context)
    if ('sentence' in state) return refuse(state, options)
    return page({ kind: 'target', command: command.id, ...(options.params ? { params: options.params } : {}) })
  }
  if (targets.filter || targets.ids.length !== 1) {
    const state = availability(command, context)
    if ('sentence' in state) return refuse(state, options)
    return page({ kind: 'form', command: command.id, targets, ...given(options) })
  }
  // Synchronous if the record is known: keys typed right after a shortcut must find the form open.
  const [one = ''] = targets.ids
  const here = record(on.name, one)
  const wanted = stillWanted()
  const go = async (target: unknown) => {
    if (target !== undefined && wanted()) await proceed(command, targets, target, context, options)
  }
  if (here !== undefined) return go(here)
  const reading = read(on, one, options)
  return opensForm(command) ? whileComing(command.title, reading, go) : go(await blockKeysWhile(reading))
}

/** Whether a command has a form, whatever it is used on. */
export const opensForm = (command: Command): boolean => changes(command) && asksFor(command, store.get(commandContextAtom))

/**
 * The selection as targets, if it matches the command's entity; a navigation, or a command without bulk, takes the active row.
 */
function fitting(on: AnyEntity, command: Command, { selection }: CommandContext): Targets | null {
  if (!selection || selection.entity !== on.name || (selection.ids.length === 0 && !selection.filter)) return null
  const single = !changes(command) || command.bulk === false
  if (single && (selection.filter || selection.ids.length > 1)) return null
  return { entity: on.name, ids: selection.ids, filter: selection.filter, count: selection.count }
}

/** The record around the list in a tab, for commands that add a row to it. */
function aroundTab(on: AnyEntity, { keys }: Command, { open }: CommandContext): Targets | null {
  const name = store.get(tabNameAtom)
  if (open?.entity !== on.name || name === null || !keys?.some(({ tab }) => tab === name)) return null
  return targetsBy(on.name, [open.id])
}

/** Shows why a record could not be loaded; for one out of reach, without advice to try again. */
export const sayUnread = (on: AnyEntity, id: string, error: unknown): void =>
  showToast(
    isOutOfReach(error) ? `No ${on.one} ${id}, or you have no access.` : `The ${on.one} ${id} could not be loaded. Try again.`,
    {
      tone: 'bad',
    },
  )

/** Loads the record, and shows a toast if it is not there. */
async function read(on: AnyEntity, id: string, { asText }: StartOptions): Promise<unknown> {
  try {
    return await loadRecord(on, id)
  } catch (error) {
    if (asText) ignoreText()
    sayUnread(on, id, error)
    return undefined
  }
}

async function proceed(
  command: Command,
  targets: Targets,
  target: unknown,
  context: CommandContext,
  options: StartOptions,
): Promise<void> {
  const state = availability(command, context, target)
  if ('sentence' in state) return refuse(state, options)
  const form = formOf(command, context, target)
  if (!changes(command)) {
    // A page sends nothing before it is saved, so only what acts at once is confirmed: undo, and what ends a run.
    const actsAtOnce = mayAlter(command) && !leadsToChange(command)
    if (!form && !(options.confirm && actsAtOnce)) return act(command, target, options.params ?? {}, options)
    const given = form && options.complete ? form.safeParse(options.params) : null
    if (given?.success) return act(command, target, given.data as Record<string, unknown>, options)
  } else if (!form && !options.confirm && atOnce(command, target)) {
    closeFirst()
    const one = command.on ? `${command.on.name} ${command.on.id(target)}` : ''
    changing.add(one)
    try {
      const { checkFirst, runCommand } = await import('#portal/commands/run.ts')
      const why = await checkFirst(command, target)
      if (why) return refuse({ sentence: why }, options)
      await runCommand(command, target, {})
    } finally {
      changing.delete(one)
    }
    return
  }
  page({
    ...{ kind: 'form', command: command.id, targets, ...given(options) },
    ...(options.confirm && !changes(command) ? { about: options.confirm.about } : {}),
  })
}

/** The values that a form opens with. */
const given = ({ params, complete = false }: StartOptions) => (params ? { params, complete } : {})

/** Runs without confirmation: nothing to fill in, nothing to warn of, and the user can undo it. */
const atOnce = (command: Command, target: unknown): boolean =>
  changes(command) &&
  undoable(command, target) &&
  lacksForUndo(command, store.get(commandContextAtom).held).length === 0 &&
  !isIrreversible(command) &&
  !command.preview &&
  !command.facts

/** Runs an action on the command host and shows its message. Rethrows errors of the action. */
export async function act(
  command: Command,
  target: unknown,
  params: Record<string, unknown>,
  { newTab = false, stays = false }: Pick<StartOptions, 'newTab' | 'stays'> = {},
): Promise<void> {
  if (!('act' in command)) throw new Error(`The command ${command.id} is not a move.`)
  if (!stays) closeFirst()
  const host = commandHost()
  const used: CommandHost = newTab ? { ...host, open: (path, how) => host.open(path, { ...how, newTab: true }) } : host
  recordUse(command.id)
  await command.act(used, target, params)
  const doneText = command.done?.message(target, params)
  const chord = doneText ? takeKeyHint(command.id) : null
  if (doneText) showToast(doneText, { tone: 'good', ...(chord ? { chord } : {}) })
}

/** Shows why a command cannot be run, and the permissions it needs. */
export function refuse(
  state: { sentence: string; lacks?: readonly PermissionName[]; last?: 'and' | 'or' },
  { asText }: Pick<StartOptions, 'asText'> = {},
): void {
  if (asText) ignoreText()
  const { sentence, lacks, last } = state
  showToast(sentence, { tone: 'bad', detail: lacks?.length ? `It needs ${rightTo(lacks, last)}.` : null })
}

const page: (next: Page) => void = pushPage

const closeFirst = (): void => {
  if (store.get(paletteAtom).open) closePalette()
}
