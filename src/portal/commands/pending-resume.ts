import { intentById } from '#contract/define.ts'
import { changes, type Command } from '#kernel/command.ts'
import { type PendingCall, touched } from '#kernel/pending.ts'
import { refusalOf, titleOf, titleSent } from '#kernel/run.ts'
import { GaveUp, sendOnce, SessionOver } from '#kernel/send.ts'
import { Refusal } from '#kernel/api-client.ts'
import { dropSent } from '#portal/commands/drafts.ts'
import { addHistory } from '#portal/commands/history.ts'
import { closeForm, closePalette, paletteAtom } from '#portal/commands/palette-state.ts'
import { pendingCalls, unlessAsked } from '#portal/commands/pending.ts'
import { markConfirmed, markUnconfirmed } from '#portal/commands/unconfirmed.ts'
import { tellOver } from '#portal/commands/unsent.ts'
import { commandArrives } from '#portal/platform/bundle.ts'
import { commandById, entities } from '#portal/platform/registry.ts'
import { pageFormOf } from '#portal/platform/page-forms.ts'
import { sending, undoIfOffered, whyNoUndo } from '#portal/commands/run.ts'
import { loadRecord, readRecord } from '#portal/records/load-record.ts'
import { focusHere, focusRecord, regionAtom } from '#portal/keyboard/focus.ts'
import { refreshLists } from '#portal/list/lists.ts'
import { meAtom } from '#portal/api/session.ts'
import { store } from '#portal/platform/store.ts'
import { showToast } from '#portal/platform/toasts.ts'

/**
 * Retries every unanswered call of this person: after a reload, and after a sign-in if the session ended in between. Reports each
 * outcome. Calls that another tab retries are left to it.
 */
export async function resumePending(): Promise<void> {
  const person = store.get(meAtom)?.person.id
  if (!person) return
  const mine = pendingCalls.all().filter((call) => call.person === person && !call.gaveUp)
  await Promise.all(mine.map((call) => unlessAsked(call.key, () => resume(call))))
}

async function resume(call: PendingCall): Promise<void> {
  await commandArrives(call.command).catch(() => {})
  // The intents of a command with a page of its own load with that page.
  const page = intentById(call.intent) ? null : await pageFormOf(call.command).catch(() => null)
  const intent = intentById(call.intent)
  const command = page?.command ?? commandById(call.command)
  const what = command?.title ?? 'Your last change'
  if (!intent) {
    pendingCalls.drop(call.key)
    return showToast(`${what}: it is not known whether it went through. Look at it before you do it again.`, { tone: 'bad' })
  }
  const { target } = call
  markUnconfirmed({ ...call, title: what, touches: touched(call) })
  const on = target ? entities().find(({ name }) => name === target.entity) : undefined
  const record = on && target ? await loadRecord(on, target.id).catch(() => undefined) : undefined
  const title = command ? titleSent(command, record, call.body) : titleOf(what, on, record)
  // Marks it again once the record is loaded, so that the record is named.
  if (record !== undefined) markUnconfirmed({ ...call, title, touches: touched(call) })
  const before = command && isAsSeen(command, call, record) ? record : undefined
  const noUndo = await undoRefused(command, before)
  try {
    const io = sending(command ?? { kind: 'command', id: call.command, title: what, needs: 'signed-in', act: () => {} })
    let answer: unknown
    try {
      answer = await sendOnce({ intent, at: call.at, body: call.body }, { ...call, title }, io)
    } finally {
      markConfirmed(call.key)
    }
    const after = on && target ? await readRecord(on, target.id).catch(() => record) : undefined
    const sentence =
      command && changes(command) && (after || !command.on) ? command.done(after, call.body) : `${title}: it went through.`
    let undo: string | null = null
    if (command && changes(command)) {
      dropSent(command, target ?? null)
      const of = on && target && after ? { ...target, title: on.title(after) } : null
      const did = {
        command: command.id,
        title: command.title,
        sentence,
        target: of,
        params: call.body,
        before,
        after,
        answers: [answer],
        ...(noUndo ? { noUndo } : {}),
      }
      undo = undoIfOffered(addHistory(did, command))
    }
    // As after any command: a custom plan may change more than its target, and the sums were read before.
    if (command && changes(command) && command.plan) refreshLists()
    leaveForm(call, command)
    showToast(sentence, { tone: 'good', undo })
  } catch (error) {
    // The call stays pending, and is reported with the end of the session.
    if (error instanceof SessionOver) return void tellOver('asked-again', call.person, call)
    if (error instanceof Refusal && error.problem.status === 401) return
    const why = error instanceof Refusal && command && record ? refusalOf(command, record, error.problem) : null
    const detail = why ? why.detail : error instanceof Refusal || error instanceof GaveUp ? error.message : null
    showToast(why?.sentence ?? `${title}: it did not go through.`, { tone: 'bad', detail })
  }
}

/** Why it cannot be undone, if known beforehand. Of a plan only this one call is known, and undoing it alone is no undo. */
async function undoRefused(command: Command | undefined, before: unknown): Promise<string | null> {
  if (!command || !changes(command)) return null
  if (command.plan) return `${command.title} cannot be undone.`
  return before === undefined ? null : whyNoUndo(command, before)
}

/**
 * Whether the record still has the version that the call names. A call that went through has raised it, and the state before it
 * is then unknown. A plan is more than this call.
 */
const isAsSeen = (command: Command, { body }: PendingCall, record: unknown): boolean =>
  changes(command) &&
  !command.plan &&
  command.on !== undefined &&
  record !== undefined &&
  body['version'] === command.on.version(record)

/**
 * Closes the form that made the call. The element that opened it is gone since the sign-in, so the focus goes to the last region.
 */
function leaveForm({ command: id, target }: PendingCall, command: Command | undefined): void {
  const { open, pages } = store.get(paletteAtom)
  const top = pages.at(-1)
  const together = command && changes(command) && command.together && top?.kind === 'form' && top.command === id
  // A form for several records together is filed under one of them.
  if (open && together && target && top.targets.ids.includes(target.id)) closePalette()
  else closeForm(id, target ?? null)
  if (!open || store.get(paletteAtom).open) return
  const region = store.get(regionAtom)
  requestAnimationFrame(region === 'detail' ? focusRecord : focusHere)
}
