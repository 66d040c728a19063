import { useAtomValue } from 'jotai'
import { useEffect, useMemo, useRef, useState } from 'react'
import { wholeNumber } from '#domain/text.ts'
import { availability } from '#kernel/availability.ts'
import { changes, type Command } from '#kernel/command.ts'
import { nameOf } from '#kernel/entity.ts'
import { Checking, Line } from '#portal/form/line.tsx'
import { CommandForm } from '#portal/form/palette/command-form.tsx'
import { changed, linesField } from '#portal/form/money/deferred.ts'
import { LoadingForm, NotLoaded, OneLine, PageHead, PageLines } from '#portal/form/page-lines.tsx'
import { useQuery } from '#portal/records/use-query.ts'
import { draft } from '#portal/commands/drafts.ts'
import { composingAtom } from '#portal/commands/palette-state.ts'
import { concerns, unconfirmedAtom } from '#portal/commands/outbox/calls.ts'
import { checkFirst, whyNoUndo } from '#portal/commands/run.ts'
import { loadRecord, readRecord } from '#portal/records/load-record.ts'
import { commandContextAtom } from '#portal/list/command-context.ts'
import { store } from '#portal/platform/store.ts'
import { recordAtom } from '#portal/records/entity-store.ts'
import { ignoreText } from '#portal/keyboard/hold.ts'
import { Part, useLater } from '#portal/ui/later.tsx'
import { type RecordFormOptions, type RecordGroup, useRecordForm } from '#portal/form/palette/use-record-form.ts'

interface RecordFormProps extends Pick<RecordFormOptions, 'command' | 'page'> {
  together?: RecordGroup
}

/** The form of a command on one record, on none, or on several together, represented by the first. */
export function RecordForm({ command, page, together }: RecordFormProps) {
  const { on } = command
  // The draft of several records belongs to exactly these.
  const targets = together ? { ...page.targets, filter: null } : page.targets
  const ids = on && together ? together.rows.map(on.id) : targets.ids
  const [id] = ids
  const now = useAtomValue(useMemo(() => recordAtom(on?.name ?? '', on && id ? id : ''), [on, id]))
  // If the record goes out of reach, the form stays with its input: sending it says why it is refused.
  const shown = useRef<{ id: string | undefined; target: unknown }>({ id, target: undefined })
  if (now !== undefined || shown.current.id !== id) shown.current = { id, target: now }
  const { target } = shown.current
  const missing = on !== undefined && target === undefined
  const composing = useAtomValue(composingAtom)
  const unconfirmed = useAtomValue(unconfirmedAtom)
  /** A call on these records was sent before the form opened and has no answer: until then their state is unknown. */
  const [before] = useState(() => unconfirmed.filter((each) => concerns(each, command, ids)))
  const sent = unconfirmed.find((each) => before.some(({ key }) => key === each.key))
  const asks = changes(command) && command.does.some((intent) => intent.checkedBy)
  /** Why it is not possible now, if only the server can tell. */
  const checked = useQuery(
    async (signal) => {
      // A draft of amounts is computed from current data; any other form uses what the page has just read.
      const isOld = changes(command) && (command.form?.fresh || (command.preview?.lines && draft(command.id, targets)))
      // Without an answer the known version stays: sending it is refused if it is stale.
      const reread = isOld && on && id ? await readRecord(on, id, signal).catch(() => undefined) : undefined
      const record = reread ?? (on && id ? await loadRecord(on, id, signal) : undefined)
      if (!asks || 'sentence' in availability(command, store.get(commandContextAtom), record)) return null
      return checkFirst(command, record, signal)
    },
    [command, on, id, sent?.key],
  )
  /** Why the change could not be undone, if only the server can tell; the form does not wait for it. */
  const kept = useQuery(
    async (signal) => (target === undefined ? null : whyNoUndo(command, target, signal)),
    [command, id, missing],
  )
  const parts = useLater(linesField, changes(command) && command.preview?.lines !== undefined)
  const several = together && together.rows.length > 1 ? `${wholeNumber(together.rows.length)} ${on?.many}` : null
  const whose = changes(command) && target !== undefined ? command.preview?.ownerLabel?.(target) : null
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
      ) : missing || composing || (asks && checked.state === 'loading') ? (
        <LoadingForm what="Checking its state" />
      ) : parts.failed ? (
        <NotLoaded what="A part of the portal could not be loaded. Check the network." again={parts.again} />
      ) : changes(command) && command.preview?.lines && !parts.Component ? (
        <LoadingForm what="Loading" />
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
    <OneLine icon="lock" alert>
      {why}
    </OneLine>
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

/** The form itself, once the record is loaded and the command is available. */
function Ready(props: RecordFormOptions) {
  const { command, target, together } = props
  const { unsentLine, meanwhile, old, again, ...form } = useRecordForm(props)
  return (
    <CommandForm
      {...form}
      command={command}
      above={
        <>
          {together?.above}
          {form.schema === null && !form.blocked && <NothingToFill command={command} target={target} about={props.page.about} />}
          {unsentLine}
          {old && <Part of={changed} props={{ ...old, again: () => again() }} />}
          {meanwhile && (
            <Line tone="wait" icon="refresh" alert detail={meanwhile.detail}>
              {meanwhile.sentence}
            </Line>
          )}
        </>
      }
    />
  )
}
