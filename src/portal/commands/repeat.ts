import { withArticle } from '#domain/text.ts'
import type { Command } from '#kernel/command.ts'
import type { HistoryEntry } from '#kernel/history.ts'
import { repeatedValues, whyNotRepeated } from '#kernel/repeat.ts'
import { historyAtom } from '#portal/commands/history.ts'
import { whileComing } from '#portal/commands/palette-state.ts'
import { opensForm, startCommand } from '#portal/commands/start.ts'
import { blockKeysWhile, ignoreText, until } from '#portal/keyboard/hold.ts'
import { commandContextAtom } from '#portal/list/command-context.ts'
import { moveTo, placeAfter } from '#portal/list/cursor.ts'
import { activeListAtom } from '#portal/list/lists.ts'
import { regionAtom } from '#portal/keyboard/focus.ts'
import { comingAtom, isKnown, selectionAtom, targetAtom } from '#portal/list/target.ts'
import { commandById, entityByName } from '#portal/platform/registry.ts'
import { store } from '#portal/platform/store.ts'
import { showToast } from '#portal/platform/toasts.ts'

/** Shown where nothing was run in this session. */
const nothingToRepeat = 'There is nothing to repeat: no command has changed anything in this session.'

/** The ids of the records that an entry of the history was run on, as far as they are known. */
function doneTo({ target, together, rows }: HistoryEntry, { on }: Command): readonly string[] {
  return together ?? (target ? [target.id] : on && rows ? rows.map(({ after }) => on.id(after)) : [])
}

/** Moves the cursor to the next row if it is still on the row of the last run; false at the end of the list. */
function leaveDoneRow(done: readonly string[]): boolean {
  const target = store.get(targetAtom)
  const list = store.get(activeListAtom)
  const [id = ''] = target?.ids ?? []
  if (!list || store.get(regionAtom) === 'detail' || target?.how !== 'active' || !done.includes(id)) return true
  if (store.get(list.cursorAtom).id === null) return true
  const next = placeAfter(list, [1])
  if (next === store.get(list.cursorAtom).place) return false
  moveTo(list, next)
  return true
}

/** Why the last command is not opened here; moves to the next row if that is where it is opened. */
function whyNotHere(entry: HistoryEntry, command: Command | undefined): string | null {
  const never = whyNotRepeated(command, entry)
  if (!command || never) return never
  const { on, title } = command
  if (!on) return null
  if (!leaveDoneRow(doneTo(entry, command))) return `This is the last row: choose another one for ${title}.`
  const target = store.get(targetAtom)
  if (!target && !store.get(comingAtom)) return `Choose ${withArticle(on.one)} first: the last command was ${title}.`
  if (!target || target.entity === on.name) return null
  return `${title} is for ${on.many}. This is ${withArticle(entityByName(target.entity).one)}.`
}

function open(entry: HistoryEntry, command: Command): void {
  const context = store.get(commandContextAtom)
  const [id = ''] = context.selection?.ids ?? []
  const one = context.selection?.ids.length === 1 ? context.selection.rows.get(id) : undefined
  const params = repeatedValues(command, entry, context, one)
  startCommand(command.id, { params, complete: true, asText: true, byKey: true, confirm: { about: command.title } })
}

/**
 * Opens the last command on the selected record, filled in as last time. In a list whose cursor is still on the row of the last
 * run, on the row below. Sends nothing.
 */
export function repeatLast(): void {
  const [entry] = store.get(historyAtom)
  const command = entry && commandById(entry.command)
  const why = entry ? whyNotHere(entry, command) : nothingToRepeat
  if (why !== null || !entry || !command) {
    ignoreText()
    showToast(why ?? nothingToRepeat)
    return
  }
  const known = () => !command.on || isKnown(store.get(selectionAtom))
  if (known()) {
    open(entry, command)
    return
  }
  const ready = until(known)
  const go = (isThere: boolean) => isThere && open(entry, command)
  void (opensForm(command) ? whileComing(command.title, ready, go) : blockKeysWhile(ready).then(go))
}
