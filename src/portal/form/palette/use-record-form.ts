import { useAtomValue } from 'jotai'
import { type ReactNode, useRef, useState } from 'react'
import { availability, reasonOf } from '#kernel/availability.ts'
import { changes, type Command } from '#kernel/command.ts'
import { formOf } from '#kernel/form.ts'
import { type Outcome, titleOf } from '#kernel/run.ts'
import { formKeys } from '#kernel/send.ts'
import { warningOf } from '#kernel/undo-note.ts'
import { resolveStale } from '#portal/form/deferred.tsx'
import { type Failure, failureOf } from '#portal/form/session/failure.ts'
import { useUnseen, useUnsent } from '#portal/form/palette/refusals.tsx'
import { keptNote, noteOf, usePreview } from '#portal/form/preview/use-preview.tsx'
import { keepBeside } from '#portal/commands/drafts.ts'
import { closePalette, type Page, paletteAtom } from '#portal/commands/palette-state.ts'
import type { Targets } from '#portal/platform/commands.ts'
import { useIsUnconfirmed } from '#portal/commands/outbox/calls.ts'
import { newKey, runCommand } from '#portal/commands/run.ts'
import { commandContextAtom } from '#portal/list/command-context.ts'
import { act } from '#portal/commands/start.ts'
import { navigate } from '#portal/platform/location.ts'
import { store } from '#portal/platform/store.ts'
import { wayOn } from '#portal/platform/return-to-list.ts'
import { meAtom } from '#portal/api/session.ts'
import { showToast } from '#portal/platform/toasts.ts'
import type { Values } from '#kernel/form-values.ts'
import { same } from '#portal/form/session/values.ts'

/** Several records that a command is run on together, with the text about those that are left out. */
export interface RecordGroup {
  rows: readonly unknown[]
  above: ReactNode
}

const isStale = (outcome: Outcome): boolean => outcome.kind === 'refused' && outcome.problem.code === 'stale-version'

/** Shown if the form is opened again before its amounts were checked. */
const checkAmountsSentence =
  'Nothing was sent: something changed in the meantime. Look at the amounts below: change one, or send them as shown.'

export interface RecordFormOptions {
  command: Command
  page: Extract<Page, { kind: 'form' }>
  together: RecordGroup | undefined
  targets: Targets
  target: unknown
  /** Whether the record was read since the form opened: until then it may be a row of a list. */
  fresh: boolean
  noUndo: string | null
}

/** The form of a loaded record: what it was opened with, and how a change of it is sent. */
export function useRecordForm({ command, page, targets, target, fresh, noUndo, together }: RecordFormOptions) {
  const context = useAtomValue(commandContextAtom)
  const { on } = command
  const change = changes(command) ? command : null
  const isMoney = change?.preview?.lines !== undefined
  const id = on && target !== undefined ? on.id(target) : null
  const frozen = useIsUnconfirmed(command, id)
  const [meanwhile, setMeanwhile] = useState<Failure | null>(null)
  const unsent = useUnsent(page)
  const [keys] = useState(() => unsent.keys ?? formKeys(newKey))
  const unseen = useUnseen()
  const shownAt = useRef(page)
  shownAt.current = page
  // Built once: a background refresh of the row must not replace the form while the user types.
  const [schema] = useState(() => formOf(command, context, target, together?.rows))
  const startOf = (one: unknown) => (command.form?.start?.(one, context) ?? {}) as Values
  const baseOf = (record: unknown) => ({ record, start: startOf(record), fresh })
  // The record that the user edits, which follows the loaded one until it is fresh. From then on lines of money stay as they are on
  // the screen until they are read again or sent: rematched in the meantime, the money would go elsewhere than displayed.
  const [base, setBase] = useState(() => baseOf(target))
  if (!base.fresh && (fresh || base.record !== target)) setBase(baseOf(target))
  const record = isMoney ? base.record : target
  /** Starts from the current record and reads its facts again; resolves when they are there. */
  const again = (now = target): Promise<void> => {
    setBase(baseOf(now))
    return preview.again()
  }
  const preview = usePreview(command, record, () => void again(), together?.rows)
  const sending = useRef(false)
  const since = on && record !== undefined ? on.version(record) : 0
  const old = on && id && !sending.current && since !== on.version(target) ? { on, id, since } : null
  const state = availability(command, context, target)
  const blocked = 'sentence' in state ? reasonOf(state) : null
  const isWatched = () => {
    const { open, pages } = store.get(paletteAtom)
    return open && pages.at(-1) === shownAt.current
  }

  const submit = async (params: Values): Promise<Failure | null> => {
    if (!change) return actOnly(command, target, params)
    sending.current = true
    return send(params).finally(() => {
      sending.current = false
    })
  }
  const send = async (params: Values): Promise<Failure | null> => {
    const facts = await preview.toSend(params).catch(() => undefined)
    if (facts === undefined) return { sentence: 'It could not be checked whether this is possible now.', detail: 'Try again.' }
    if (!facts) return { sentence: 'Not sent: the preview was still loading.', detail: 'Look at it, then send again.' }
    setMeanwhile(null)
    unsent.sent()
    // Another user's change of the initial values is shown before it is overwritten; a change of other fields does not block.
    const subject = same(startOf(target), base.start) ? record : base.record
    const wrong = change?.form?.messages?.(subject, params, facts.value) ?? []
    if (wrong[0]) return { sentence: wrong[0].message, detail: null, errors: [...wrong] }
    const outcome = await runCommand(command, subject, params, {
      keys,
      facts: facts.value,
      together: together && targets.ids,
      // This form reports the outcome itself, even after it has closed.
      watching: () => true,
      noUndo,
    })
    if (outcome.kind === 'done') {
      if (isWatched()) {
        closePalette()
        const goOn = wayOn(command.id, { here: true })
        const made = change?.done.opens?.({ ...outcome, params })
        if (goOn) goOn()
        else if (made) navigate(made)
      }
      return null
    }
    // If nobody is signed in any more, it is reported after the next sign-in.
    if (!(outcome.kind === 'refused' && outcome.interruption && !store.get(meAtom))) unseen.refused(named(outcome))
    // Stored before the new state is read: the form may be opened again until then.
    if (isStale(outcome) && isMoney) keepBeside('refused', command.id, targets, checkAmountsSentence)
    const failure = await failureAfter(outcome, subject, params, facts.value).finally(unseen.drawn)
    if (!failure?.stands) keepBeside('refused', command.id, targets, null)
    return failure
  }
  /** A refusal as reported away from the form: with the command's title and where the typed values are. */
  const named = ({ sentence, detail }: Exclude<Outcome, { kind: 'done' }>) => ({
    sentence,
    detail: [detail, `${titleOf(command.title, on, target)}${schema ? ': what you typed is still in its form' : ''}.`]
      .filter(Boolean)
      .join(' '),
  })
  const failureAfter = async (outcome: Exclude<Outcome, { kind: 'done' }>, subject: unknown, params: Values, facts: unknown) => {
    if (!isStale(outcome)) return failureOf(outcome)
    if (!on || !id) {
      // Without a record there is nothing to compare; the next try uses the current state, which is shown with the message.
      await again()
      return failureOf(outcome)
    }
    const was = { target: subject, facts }
    const sent = { command, on, id, context, schema, params, was, start: base.start, startOf, target, together: together?.rows }
    const { now, meanwhile: conflict, failure } = await resolveStale(outcome, sent)
    await again(now)
    setMeanwhile(conflict)
    return failure
  }

  return {
    targets,
    schema,
    start: base.start,
    params: page.params,
    complete: page.complete,
    shown: preview.shown,
    blocked,
    warning: isMoney ? null : warningOf(command, target),
    word: change?.undo?.irreversible ? (on ? on.confirmWith(target) : command.title) : null,
    note: blocked ? '' : noUndo === null ? noteOf(command, target) : keptNote(command, noUndo),
    frozen,
    submit,
    cleared: () => setMeanwhile(null),
    unsentLine: unsent.line,
    meanwhile,
    /** The version on the screen, if somebody has changed the record since. */
    old: meanwhile ? null : old,
    again,
  }
}

/** Runs a command that changes nothing on the server. It closes the palette first, so that it can open a page of its own. */
async function actOnly(command: Command, target: unknown, params: Values): Promise<null> {
  try {
    await act(command, target, params)
  } catch (error) {
    showToast(`${command.title} did not work.`, { tone: 'bad', detail: error instanceof Error ? error.message : null })
  }
  return null
}
