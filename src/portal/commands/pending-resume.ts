import { intentById } from '#contract/define.ts'
import { changes } from '#kernel/command.ts'
import type { PendingCall } from '#kernel/pending.ts'
import { refusalOf, titleOf } from '#kernel/run.ts'
import { GaveUp, sendOnce } from '#kernel/send.ts'
import { Refusal } from '#kernel/wire.ts'
import { dropDraft } from '#portal/commands/drafts.ts'
import { addHistory } from '#portal/commands/history.ts'
import { closeForm, paletteAtom } from '#portal/palette/state.ts'
import { pendingCalls, unlessAsked } from '#portal/commands/pending.ts'
import { markConfirmed, markUnconfirmed } from '#portal/commands/unconfirmed.ts'
import { commandArrives } from '#portal/app/bundle.ts'
import { commandById, entities } from '#portal/app/registry.ts'
import { pageFormOf } from '#portal/app/screens.ts'
import { sending } from '#portal/commands/run.ts'
import { loadThing, readThing } from '#portal/commands/run-targets.ts'
import { focusHere, focusRecord, regionAtom } from '#portal/keyboard/focus.ts'
import { refreshLists } from '#portal/list/lists.ts'
import { meAtom } from '#portal/session/session.ts'
import { store } from '#portal/app/store.ts'
import { say } from '#portal/app/toasts.ts'

/**
 * Asks again for every call of this person that has no answer: after a reload, and after a sign-in when the session
 * ended in the middle. Says how each ended. Calls that another tab asks for are left to it.
 */
export async function resumePending(): Promise<void> {
  const person = store.get(meAtom)?.person.id
  if (!person) return
  const mine = pendingCalls.all().filter((call) => call.person === person && !call.gaveUp)
  await Promise.all(mine.map((call) => unlessAsked(call.key, () => resume(call))))
}

async function resume(call: PendingCall): Promise<void> {
  await commandArrives(call.command).catch(() => {})
  // The calls of a command whose form is a page come with that page.
  const page = intentById(call.intent) ? null : await pageFormOf(call.command).catch(() => null)
  const intent = intentById(call.intent)
  const command = page?.command ?? commandById(call.command)
  const what = command?.title ?? 'Your last change'
  if (!intent) {
    pendingCalls.drop(call.key)
    return say(`${what}: it is not known whether it went through. Look at it before you do it again.`, { tone: 'bad' })
  }
  const { target } = call
  markUnconfirmed({ ...call, title: what })
  const on = target ? entities().find(({ name }) => name === target.entity) : undefined
  const thing = on && target ? await loadThing(on, target.id).catch(() => undefined) : undefined
  const title = titleOf(what, on, thing)
  try {
    const io = sending(command ?? { kind: 'command', id: call.command, title: what, needs: 'signed-in', act: () => {} })
    try {
      await sendOnce({ intent, at: call.at, body: call.body }, { ...call, title }, io)
    } finally {
      markConfirmed(call.key)
    }
    const after = on && target ? await readThing(on, target.id).catch(() => thing) : undefined
    const sentence =
      command && changes(command) && (after || !command.on) ? command.done(after, call.body) : `${title}: it went through.`
    if (command && changes(command)) {
      dropDraft(command.id, {
        entity: target?.entity ?? null,
        ids: target ? [target.id] : [],
        filter: null,
        count: target ? 1 : 0,
      })
      const of = on && target && after ? { ...target, title: on.title(after) } : null
      // What it was before is not known any more, so it cannot be undone from here.
      const did = {
        command: command.id,
        title: command.title,
        sentence,
        target: of,
        params: call.body,
        before: undefined,
        after,
        answers: [],
      }
      addHistory(did, command)
    }
    // As after any command: a plan of its own may touch more than its target, and the sums were read before it.
    if (command && changes(command) && command.plan) refreshLists()
    leaveForm(call)
    say(sentence, { tone: 'good' })
  } catch (error) {
    if (error instanceof Refusal && error.problem.status === 401) return
    const why = error instanceof Refusal && command && thing ? refusalOf(command, thing, error.problem) : null
    const detail = why ? why.detail : error instanceof Refusal || error instanceof GaveUp ? error.message : null
    say(why?.sentence ?? `${title}: it did not go through.`, { tone: 'bad', detail })
  }
}

/** Closes the form that the call came from. What it was opened from went with the session: the part that had the keyboard gets it. */
function leaveForm({ command, target }: PendingCall): void {
  const { open } = store.get(paletteAtom)
  closeForm(command, target ?? null)
  if (!open || store.get(paletteAtom).open) return
  const region = store.get(regionAtom)
  requestAnimationFrame(region === 'detail' ? focusRecord : focusHere)
}
