import { useAtomValue } from 'jotai'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { availability } from '#kernel/availability.ts'
import type { Command } from '#kernel/command.ts'
import { formOf } from '#kernel/form.ts'
import { formKeys } from '#kernel/send.ts'
import { store } from '#portal/platform/store.ts'
import { commandContextAtom } from '#portal/list/command-context.ts'
import { draft, keepDraft } from '#portal/commands/drafts.ts'
import { historyAtom } from '#portal/commands/history.ts'
import { newKey, runCommand } from '#portal/commands/run.ts'
import type { Target } from '#portal/list/target.ts'
import { useIsUnconfirmed } from '#portal/commands/outbox/calls.ts'
import { useSending } from '#portal/ui/use-sending.ts'
import { Kbd } from '#portal/ui/kbd.tsx'

const maxLetters = 500

interface ComposerProps {
  /** The command that adds the note. */
  command: Command
  targets: Target
  /** The record that the note is added to. */
  record: unknown
}

/** The field for a new note. Its text is the draft of the command, wherever that is opened next. */
export function Composer({ command, targets, record }: ComposerProps) {
  const context = useAtomValue(commandContextAtom)
  const drafted = () => String(draft(command.id, targets)?.['text'] ?? '')
  const [text, setText] = useState(drafted)
  // Counted in code points, as by the rule: an emoji is one.
  const letters = [...text.trim()].length
  const [problem, setProblem] = useState<string | null>(null)
  const { sending, standing, once } = useSending()
  const [keys] = useState(() => formKeys(newKey))
  const field = useRef<HTMLTextAreaElement>(null)
  // Puts the caret at the end of a draft, not in front of it.
  useEffect(() => field.current?.setSelectionRange(field.current.value.length, field.current.value.length), [])
  // After a note was added anywhere, its draft is gone.
  const follow = useRef(() => {})
  follow.current = () => setText(drafted())
  useEffect(() => store.sub(historyAtom, () => follow.current()), [])
  const state = availability(command, context, record)
  const why = 'sentence' in state ? state.sentence : null
  const unknown = useIsUnconfirmed(command, targets.ids[0])

  const write = (now: string) => {
    setText(now)
    setProblem(null)
    keepDraft(command.id, targets, { text: now })
  }
  const send = async () => {
    field.current?.focus()
    if (sending || why) return
    const params = formOf(command, context, record)?.safeParse({ text })
    if (!params?.success) return setProblem(params?.error.issues[0]?.message ?? null)
    const outcome = await once(() => runCommand(command, record, params.data, { keys, watching: () => standing.current }))
    if (outcome && outcome.kind !== 'done') setProblem([outcome.sentence, outcome.detail].filter(Boolean).join(' '))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.nativeEvent.isComposing) return
    event.preventDefault()
    if (!event.repeat) void send()
  }

  if (why) return <p className="drawer-write text-muted">{why}</p>
  return (
    <div className="drawer-write">
      <textarea
        ref={field}
        className="field drawer-field"
        aria-label="New note"
        aria-invalid={problem !== null}
        aria-describedby="note-problem"
        aria-keyshortcuts="Control+Enter"
        placeholder="Write a note"
        value={text}
        readOnly={sending}
        onChange={(event) => write(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <p id="note-problem" role="alert" className={problem ? 'err' : 'sr-only'}>
        {problem}
      </p>
      <div className="drawer-send">
        <span className={`tabular-nums ${letters > maxLetters ? 'text-bad' : 'text-muted'}`}>
          {unknown ? 'Checking whether it went through' : `${letters} of ${maxLetters}`}
        </span>
        <button type="button" className="btn btn-go" aria-disabled={sending} onClick={() => void send()}>
          Add note <Kbd chord="Mod+Enter" />
        </button>
      </div>
    </div>
  )
}
