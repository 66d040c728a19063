import { availability } from '#kernel/availability.ts'
import type { Command } from '#kernel/command.ts'
import { formOf } from '#kernel/form.ts'
import { keptParams } from '#kernel/secrets.ts'
import { navigate, searchParams } from '#portal/platform/location.ts'
import { openPalette } from '#portal/commands/palette-state.ts'
import { noTargets, type Targets } from '#portal/platform/commands.ts'
import { commandById } from '#portal/platform/registry.ts'
import { loadRecords } from '#portal/records/load-record.ts'
import { targetsBy } from '#portal/list/target.ts'
import { formFor } from '#portal/commands/history.ts'
import { commandContextAtom } from '#portal/list/command-context.ts'
import { refuse } from '#portal/commands/start.ts'
import { isOutOfReach } from '#portal/records/read-one.ts'
import { record } from '#portal/records/entity-store.ts'
import { store } from '#portal/platform/store.ts'
import { showToast } from '#portal/platform/toasts.ts'

/** Maximum number of ids in a link; more would not fit an address. */
const maxIds = 100

/**
 * A link that opens a command's form with its values, except secrets, and never runs it:
 * `/?command=employee.pause&target=104234&params={"reason":"Leave"}`.
 */
export function commandLink(command: Command, targets: Targets | null, params: Record<string, unknown> = {}): string {
  const { on } = command
  const form = formFor(command, on && targets ? record(on.name, targets.ids[0] ?? '') : undefined)
  const url = new URL('/', location.origin)
  url.searchParams.set('command', command.id)
  if (targets && !targets.filter && targets.ids.length && targets.ids.length <= maxIds)
    url.searchParams.set('target', targets.ids.join(','))
  const linkedParams = keptParams(command, params, form)
  if (Object.keys(linkedParams).length) url.searchParams.set('params', JSON.stringify(linkedParams))
  return url.href
}

/** Opens the command that the address names, and removes it from the address. True if there was one. */
export function openFromLink(): boolean {
  const search = searchParams()
  const id = search.get('command')
  if (id === null) return false
  const ids = (search.get('target') ?? '').split(',').filter(Boolean).slice(0, maxIds)
  const params = readParams(search.get('params'))
  for (const name of ['command', 'target', 'params']) search.delete(name)
  const rest = search.toString()
  navigate(`${location.pathname}${rest ? `?${rest}` : ''}`, { replace: true })
  const command = commandById(id)
  if (command) void open(command, ids, params)
  else showToast('This link names a command that this version of the portal does not have.', { tone: 'bad' })
  return true
}

async function open(command: Command, ids: readonly string[], params: Record<string, unknown> | undefined): Promise<void> {
  const given = params ? { params } : {}
  const { on } = command
  if (on && !ids.length) {
    const state = availability(command, store.get(commandContextAtom))
    if ('sentence' in state) return refuse(state)
    return openPalette({ kind: 'target', command: command.id, ...given })
  }
  let target: unknown
  if (on) {
    try {
      ;[target] = await loadRecords(on, ids)
    } catch (error) {
      const what = ids.length === 1 ? `the ${on.one} ${ids[0]}` : `these ${on.many}`
      return void showToast(
        isOutOfReach(error) ? `No such ${on.one}, or you have no access.` : `Could not load ${what}. Try the link again.`,
        {
          tone: 'bad',
        },
      )
    }
  }
  const targets: Targets = on ? targetsBy(on.name, ids) : noTargets
  const context = store.get(commandContextAtom)
  // A navigation command without parameters has no form: it is found in the palette, where Enter runs it.
  if ('act' in command && !formOf(command, context, target)) return openPalette({ kind: 'root' }, `>${command.title}`)
  // With several records the form says for which of them the command is not available.
  const state = availability(command, context, ids.length === 1 ? target : undefined)
  if ('sentence' in state) return refuse(state)
  openPalette({ kind: 'form', command: command.id, targets, ...given })
}

function readParams(text: string | null): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text ?? 'null')
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
