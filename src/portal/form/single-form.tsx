import { useAtomValue } from 'jotai'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { wholeNumber } from '#domain/text.ts'
import { availability, reasonOf } from '#kernel/availability.ts'
import { changes, type Command } from '#kernel/command.ts'
import { nameOf } from '#kernel/entity.ts'
import { formOf } from '#kernel/form.ts'
import { type Outcome, titleOf } from '#kernel/run.ts'
import { formKeys } from '#kernel/send.ts'
import { Checking } from '#portal/form/checking.tsx'
import { resolveStale } from '#portal/form/deferred.tsx'
import { CommandForm } from '#portal/form/command-form.tsx'
import { type Failure, failureOf } from '#portal/form/failure.ts'
import type { Values } from '#portal/form/form-field.tsx'
import { Line } from '#portal/form/line.tsx'
import { changed, linesField } from '#portal/form/money/deferred.ts'
import { same } from '#portal/form/page-values.ts'
import { PageHead } from '#portal/form/page-head.tsx'
import { Loading, NotLoaded, PageLines } from '#portal/form/page-lines.tsx'
import { useLoaded } from '#portal/form/use-loaded.ts'
import { useUnseen } from '#portal/form/use-unseen.ts'
import { useUnsent } from '#portal/form/unsent-line.tsx'
import { keptNote, noteOf, usePreview, warningOf } from '#portal/form/use-preview.tsx'
import { draft, keepBeside } from '#portal/commands/drafts.ts'
import { closePalette, type Page, paletteAtom } from '#portal/commands/palette-state.ts'
import type { Targets } from '#portal/platform/commands.ts'
import { concerns, isFromCommand, unconfirmedAtom } from '#portal/commands/unconfirmed.ts'
import { checkFirst, newKey, runCommand, whyNoUndo } from '#portal/commands/run.ts'
import { loadRecord, readRecord } from '#portal/records/load-record.ts'
import { commandContextAtom } from '#portal/list/command-context.ts'
import { act } from '#portal/commands/start.ts'
import { navigate } from '#portal/platform/location.ts'
import { store } from '#portal/platform/store.ts'
import { wayOn } from '#portal/platform/return-to-list.ts'
import { recordAtom } from '#portal/records/entity-store.ts'
import { meAtom } from '#portal/api/session.ts'
import { showToast } from '#portal/platform/toasts.ts'
import { ignoreText } from '#portal/keyboard/hold.ts'
import { Part, useLater } from '#portal/ui/later.tsx'

type FormPageOf = Extract<Page, { kind: 'form' }>

/** Several records that a command is run on together, with the text about those that are left out. */
export interface RecordGroup {
  rows: readonly unknown[]
  /** All selected records by id: the draft belongs to exactly these. */
  targets: Targets
  above: ReactNode
}

interface SingleFormProps {
  command: Command
  page: FormPageOf
  together?: RecordGroup
}

/** The form of a command on one record, on none, or on several together, represented by the first. */
export function SingleForm({ command, page, together }: SingleFormProps) {
  const { on } = command
  const targets = together?.targets ?? page.targets
  const ids = on && together ? together.rows.map(on.id) : targets.ids
  const [id] = ids
  const now = useAtomValue(useMemo(() => recordAtom(on?.name ?? '', on && id ? id : ''), [on, id]))
  // If the record goes out of reach, the form stays with its input: sending it says why it is refused.
  const shown = useRef<{ id: string | undefined; target: unknown }>({ id, target: undefined })
  if (now !== undefined || shown.current.id !== id) shown.current = { id, target: now }
  const { target } = shown.current
  const missing = on !== undefined && target === undefined
  const unconfirmed = useAtomValue(unconfirmedAtom)
  /** A call on these records was sent before the form opened and has no answer: until then their state is unknown. */
  const [before] = useState(() => unconfirmed.filter((each) => concerns(each, command, ids)))
  const sent = unconfirmed.find((each) => before.some(({ key }) => key === each.key))
  const asks = changes(command) && command.does.some((intent) => intent.checkedBy)
  /** Why it is not possible now, if only the server can tell. */
  const checked = useLoaded(
    async (signal) => {
      // A draft of amounts is computed from current data (D542); any other form uses what the page has just read.
      const isOld = changes(command) && (command.fresh || (command.lines && draft(command.id, targets)))
      // Without an answer the known version stays: sending it is refused if it is stale.
      const reread = isOld && on && id ? await readRecord(on, id, signal).catch(() => undefined) : undefined
      const record = reread ?? (on && id ? await loadRecord(on, id, signal) : undefined)
      if (!asks || 'sentence' in availability(command, store.get(commandContextAtom), record)) return null
      return checkFirst(command, record, signal)
    },
    [command, on, id, sent],
  )
  /** Why the change could not be undone, if only the server can tell; the form does not wait for it. */
  const kept = useLoaded(
    async (signal) => (target === undefined ? null : whyNoUndo(command, target, signal)),
    [command, id, missing],
  )
  const parts = useLater(linesField, changes(command) && command.lines !== undefined)
  const several = together && together.rows.length > 1 ? `${wholeNumber(together.rows.length)} ${on?.many}` : null
  const whose = changes(command) && target !== undefined ? command.ownerLabel?.(target) : null
  const chip = [several ?? (on && target !== undefined ? nameOf(on, target) : null), whose].filter(Boolean).join(' · ')
  return (
    <>
      <PageHead id="form-title" chip={chip} title={command.title} />
      {missing && checked.state === 'failed' ? (
        <NotLoaded what={`The ${on.one} ${id} could not be loaded.`} again={checked.again} />
      ) : sent ? (
        <PageLines>
          <div role="status">
            <Checking sent={sent.title} />
          </div>
        </PageLines>
      ) : missing || (asks && checked.state === 'loading') ? (
        <Loading what="Checking its state" />
      ) : parts.failed ? (
        <NotLoaded what="A part of the portal could not be loaded. Check the network." again={parts.again} />
      ) : changes(command) && command.lines && !parts.Component ? (
        <Loading what="Loading" />
      ) : checked.state === 'failed' ? (
        <NotLoaded what="It could not be checked whether this is possible now." again={checked.again} />
      ) : checked.state === 'there' && checked.value ? (
        <NotNow why={checked.value} />
      ) : (
        <Ready
          command={command}
          page={page}
          targets={targets}
          target={target}
          fresh={checked.state === 'there'}
          noUndo={kept.state === 'there' ? kept.value : null}
          together={together}
        />
      )}
    </>
  )
}

/** Shown in place of the form if it is not available: text typed for the form must not run as keys. */
function NotNow({ why }: { why: string }) {
  useEffect(ignoreText, [])
  return (
    <PageLines>
      <Line tone="plain" icon="lock" alert>
        {why}
      </Line>
    </PageLines>
  )
}

/** What a command without fields does, and to which record: the next Enter sends it. */
function NothingToFill({ command, target, about }: { command: Command; target: unknown; about: string | undefined }) {
  const to = command.on && target !== undefined ? nameOf(command.on, target) : about
  return (
    <Line tone="plain" icon={command.icon ?? 'arrow'} detail="Nothing is sent before you confirm.">
      {to ? `${command.title}: ${to}` : command.title}
    </Line>
  )
}

const isStale = (outcome: Outcome): boolean => outcome.kind === 'refused' && outcome.problem.code === 'stale-version'

/** Shown if the form is opened again before its amounts were checked. */
const checkAmountsSentence =
  'Nothing was sent: something changed in the meantime. Look at the amounts below: change one, or send them as shown.'

/** The form itself, once the record is loaded and the command is available. */
function Ready({
  command,
  page,
  targets,
  target,
  fresh,
  noUndo,
  together,
}: {
  command: Command
  page: FormPageOf
  targets: Targets
  target: unknown
  /** Whether the record was read since the form opened: until then it may be a row of a list. */
  fresh: boolean
  noUndo: string | null
  together: RecordGroup | undefined
}) {
  const context = useAtomValue(commandContextAtom)
  const unconfirmed = useAtomValue(unconfirmedAtom)
  const { on } = command
  const id = on && target !== undefined ? on.id(target) : null
  const [unknown, setUnknown] = useState(false)
  const [meanwhile, setMeanwhile] = useState<Failure | null>(null)
  const unsent = useUnsent(page)
  const [keys] = useState(() => unsent.keys ?? formKeys(newKey))
  const unseen = useUnseen()
  const shownAt = useRef(page)
  shownAt.current = page
  // Built once: a background refresh of the row must not replace the form while the user types.
  const [schema] = useState(() => formOf(command, context, target, together?.rows))
  const startOf = (one: unknown) => (command.start?.(one, context) ?? {}) as Values
  // Another user's change of the form's initial values is shown before it is overwritten; a change of other fields does not
  // block.
  const [opened, setOpened] = useState(() => ({ of: target, start: startOf(target) }))
  const isUnchanged = () => same(startOf(target), opened.start)
  const [look, setLook] = useState(0)
  // Lines of money stay as they are on the screen while another user changes the record, until they are reloaded or sent:
  // rematched in the meantime, the money would go elsewhere than displayed (D488).
  const seen = useRef(target)
  const held = useRef(false)
  if (!held.current) seen.current = target
  held.current = fresh && changes(command) && command.lines !== undefined
  const again = (now = target) => {
    seen.current = now
    setLook((count) => count + 1)
  }
  // Until it is read the record may be a row of a list: clean fields follow the loaded record.
  if (!fresh && opened.of !== target) setOpened({ of: target, start: startOf(target) })
  const beginAgain = (now = target) => {
    setOpened({ of: now, start: startOf(now) })
    again(now)
  }
  const sending = useRef(false)
  const since = on && target !== undefined ? on.version(seen.current) : 0
  const old = on && id && !sending.current && since !== on.version(target) ? { on, id, since } : null
  const { toSend, shown } = usePreview(command, seen.current, look, again, together?.rows)
  const state = availability(command, context, target)
  const blocked = 'sentence' in state ? reasonOf(state) : null
  const watching = () => {
    const { open, pages } = store.get(paletteAtom)
    return open && pages.at(-1) === shownAt.current
  }
  const frozen = unknown || unconfirmed.some((each) => isFromCommand(each, command, id))

  const submit = async (params: Values): Promise<Failure | null> => {
    sending.current = true
    return send(params).finally(() => {
      sending.current = false
    })
  }
  const send = async (params: Values): Promise<Failure | null> => {
    if (!changes(command)) {
      try {
        await act(command, target, params)
        return null
      } catch (error) {
        // The palette is closed already, so that the action can open its own page.
        showToast(`${command.title} did not work.`, { tone: 'bad', detail: error instanceof Error ? error.message : null })
        return null
      }
    }
    const facts = await toSend(params).catch(() => undefined)
    if (facts === undefined) return { sentence: 'It could not be checked whether this is possible now.', detail: 'Try again.' }
    if (!facts) return { sentence: 'Not sent: the preview was still loading.', detail: 'Look at it, then send again.' }
    setMeanwhile(null)
    unsent.sent()
    const subject = isUnchanged() ? seen.current : opened.of
    const wrong = command.validate?.(subject, params, facts.value) ?? []
    if (wrong[0]) return { sentence: wrong[0].message, detail: null, errors: [...wrong] }
    const outcome = await runCommand(command, subject, params, {
      keys,
      facts: facts.value,
      together: together?.targets.ids,
      unknown: setUnknown,
      // This form reports the outcome itself, even after it has closed.
      watching: () => true,
      noUndo,
    })
    if (outcome.kind === 'done') {
      if (watching()) {
        closePalette()
        const goOn = wayOn(command.id, { here: true })
        const made = command.opens?.({ ...outcome, params })
        if (goOn) goOn()
        else if (made) navigate(made)
      }
      return null
    }
    // If nobody is signed in any more, it is reported after the next sign-in (D533).
    if (!(outcome.kind === 'refused' && outcome.over && !store.get(meAtom))) unseen.refused(named(outcome))
    // Stored before the new state is read: the form may be opened again until then.
    if (isStale(outcome) && command.lines) keepBeside('refused', command.id, targets, checkAmountsSentence)
    const failure = await answerTo(outcome, subject, params, facts.value).finally(unseen.drawn)
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
  const answerTo = async (
    outcome: Exclude<Outcome, { kind: 'done' }>,
    subject: unknown,
    params: Values,
    facts: unknown,
  ): Promise<Failure | null> => {
    const stale = isStale(outcome)
    // Without a record there is nothing to compare; the next try uses the current state.
    if (stale && !id) again()
    if (stale && on && id) {
      const was = { target: subject, facts }
      const all = together?.rows
      const sent = { command, on, id, context, schema, params, was, start: opened.start, startOf, target, together: all }
      const { now, meanwhile: conflict, failure } = await resolveStale(outcome, sent)
      beginAgain(now)
      setMeanwhile(conflict)
      return failure
    }
    return failureOf(outcome)
  }

  return (
    <CommandForm
      command={command}
      targets={targets}
      schema={schema}
      start={opened.start}
      params={page.params}
      above={
        <>
          {together?.above}
          {schema === null && !blocked && <NothingToFill command={command} target={target} about={page.about} />}
          {unsent.line}
          {old && !meanwhile && <Part of={changed} props={{ ...old, again: () => beginAgain() }} />}
          {meanwhile && (
            <Line tone="wait" icon="refresh" alert detail={meanwhile.detail}>
              {meanwhile.sentence}
            </Line>
          )}
        </>
      }
      shown={shown}
      blocked={blocked}
      warning={changes(command) && !command.lines ? warningOf(command, target) : null}
      word={changes(command) && command.irreversible ? (on ? on.confirmWith(target) : command.title) : null}
      note={blocked ? '' : noUndo === null ? noteOf(command, target) : keptNote(command, noUndo)}
      go={command.title}
      frozen={frozen}
      submit={submit}
      cleared={() => setMeanwhile(null)}
    />
  )
}
