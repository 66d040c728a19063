import { intentById } from '#contract/define.ts'
import { Refusal } from '#kernel/api-client.ts'
import { bulkOf, changes, type Command } from '#kernel/command.ts'
import { outcomeText } from '#kernel/interruption.ts'
import type { OutboxCall } from '#kernel/outbox.ts'
import { refusalOf, titleOf, titleSent } from '#kernel/run.ts'
import { GaveUp, sendOnce, SessionOver } from '#kernel/send.ts'
import { myId } from '#portal/api/session.ts'
import { outbox, unlessSent } from '#portal/commands/outbox/calls.ts'
import { reportLater } from '#portal/commands/outbox/interruptions.ts'
import { closeForm, closePalette, paletteAtom } from '#portal/commands/palette-state.ts'
import { reportDone, sending, whyNoUndo } from '#portal/commands/run.ts'
import { focusHere, focusRecord, regionAtom } from '#portal/keyboard/focus.ts'
import { pageFormOf } from '#portal/platform/page-forms.ts'
import { commandById, entities } from '#portal/platform/registry.ts'
import { store } from '#portal/platform/store.ts'
import { showToast } from '#portal/platform/toasts.ts'
import { loadRecord, readRecord } from '#portal/records/load-record.ts'

/**
 * Sends every unanswered call of this person again: after a reload, and after a sign-in if the session ended in between. Reports
 * each outcome. Calls that another tab sends are left to it.
 */
export async function resumeCalls(): Promise<void> {
  const person = myId()
  const mine = outbox.all().filter((call) => person && call.person === person && call.state !== 'given-up')
  await Promise.all(mine.map((call) => unlessSent(call.key, () => resume(call))))
}

async function resume(call: OutboxCall): Promise<void> {
  // The intents of a command with a page of its own load with that page.
  const page = intentById(call.intent) ? null : await pageFormOf(call.command).catch(() => null)
  const intent = intentById(call.intent)
  const command = page?.command ?? commandById(call.command)
  const name = command?.title ?? outcomeText.title
  if (!intent) {
    outbox.drop(call.key)
    return showToast(outcomeText.unknown(name), { tone: 'bad' })
  }
  const { target } = call
  outbox.put({ ...call, state: 'unknown' }, name)
  const on = target ? entities().find(({ name: noun }) => noun === target.entity) : undefined
  const record = on && target ? await loadRecord(on, target.id).catch(() => undefined) : undefined
  const title = command ? titleSent(command, record, call.body) : titleOf(name, on, record)
  // Named once the record is loaded.
  if (record !== undefined) outbox.put({ ...call, state: 'unknown' }, title)
  const before = command && isAsSeen(command, call, record) ? record : undefined
  const noUndo = await undoRefused(command, before)
  try {
    const io = sending(command)
    const answer = await sendOnce({ intent, at: call.at, body: call.body }, { ...call, title }, io)
    const after = on && target ? await readRecord(on, target.id).catch(() => record) : undefined
    leaveForm(call, command)
    if (!command || !changes(command)) return showToast(outcomeText.wentThrough(title), { tone: 'good' })
    reportDone(command, target, {
      sentence: after || !command.on ? command.done.message(after, call.body) : outcomeText.wentThrough(title),
      target: on && target && after ? { ...target, title: on.title(after) } : null,
      params: call.body,
      before,
      after,
      answers: [answer],
      ...(noUndo ? { noUndo } : {}),
    })
  } catch (error) {
    // The call stays in the outbox, and is reported with the end of the session.
    if (error instanceof SessionOver) return void reportLater('asked-again', call.person, call)
    if (error instanceof Refusal && error.problem.status === 401) return
    const why = error instanceof Refusal && command && record ? refusalOf(command, record, error.problem) : null
    const detail = why ? why.detail : error instanceof Refusal || error instanceof GaveUp ? error.message : null
    showToast(why?.sentence ?? outcomeText.failed(title), { tone: 'bad', detail })
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
const isAsSeen = (command: Command, { body }: OutboxCall, record: unknown): boolean =>
  changes(command) &&
  !command.plan &&
  command.on !== undefined &&
  record !== undefined &&
  body['version'] === command.on.version(record)

/**
 * Closes the form that made the call. The element that opened it is gone since the sign-in, so the focus goes to the last region.
 */
function leaveForm({ command: id, target }: OutboxCall, command: Command | undefined): void {
  const { open, pages } = store.get(paletteAtom)
  const top = pages.at(-1)
  const together = command && bulkOf(command)?.together && top?.kind === 'form' && top.command === id
  // A form for several records together is filed under one of them.
  if (open && together && target && top.targets.ids.includes(target.id)) closePalette()
  else closeForm(id, target ?? null)
  if (!open || store.get(paletteAtom).open) return
  const region = store.get(regionAtom)
  requestAnimationFrame(region === 'detail' ? focusRecord : focusHere)
}
