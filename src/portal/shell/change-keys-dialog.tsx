import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { Command } from '#kernel/command.ts'
import { chordOf, maxSequenceGap } from '#kernel/keys.ts'
import { assignKeys, checkKeys, type KeyCheck, maxPresses, resetKeys } from '#portal/commands/change-keys.ts'
import { ownKeys } from '#portal/commands/own-keys.ts'
import { changeKeysOf } from '#portal/keyboard/key-map.ts'
import { mac } from '#portal/platform/operating-system.ts'
import { commandById } from '#portal/platform/registry.ts'
import { showToast } from '#portal/platform/toasts.ts'
import { Kbd } from '#portal/ui/kbd.tsx'
import { Modal } from '#portal/ui/modal.tsx'

/** A press as part of a chord; with a key that is never bound, a chord that the check refuses. */
function pressOf(event: KeyboardEvent): string | null {
  if (event.key === 'CapsLock') return event.key
  const chord = chordOf(event.nativeEvent, mac)
  if (chord === null) return null
  if (event.nativeEvent.getModifierState('AltGraph')) return `AltGraph+${chord}`
  return event.altKey || (mac ? event.ctrlKey : event.metaKey) ? `Alt+${chord}` : chord
}

const close = () => changeKeysOf(null)

const notStored = 'It works until the page is closed: this browser stores nothing.'

function done(sentence: string, isStored = true): void {
  showToast(sentence, { tone: 'good', detail: isStored ? null : notStored })
  close()
}

/** Asks for the new keys of a command by pressing them. */
export function ChangeKeysDialog({ command: id }: { command: string }) {
  const command = commandById(id)
  useEffect(() => {
    if (!command) close()
  }, [command])
  return command ? <Recorder command={command} /> : null
}

function Recorder({ command }: { command: Command }) {
  const { id, title } = command
  const own = ownKeys()
  const now = command.keys?.[0]?.chord ?? null
  const [chord, setChord] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const pressedAt = useRef(0)
  const check: KeyCheck | null = chord === null || chord === now ? null : checkKeys(id, chord, own)

  const record = (event: KeyboardEvent) => {
    if (event.key === 'Escape' || event.key === 'Tab') return
    event.preventDefault()
    event.stopPropagation()
    if (event.key === 'Enter') {
      save()
      return
    }
    const press = event.repeat ? null : pressOf(event)
    if (press === null) return
    const isFinal = check?.kind === 'refused' && check.isFinal === true
    const goesOn =
      chord !== null && !isFinal && event.timeStamp - pressedAt.current < maxSequenceGap && chord.split(' ').length < maxPresses
    pressedAt.current = event.timeStamp
    setProblem(null)
    setChord(goesOn ? `${chord} ${press}` : press)
  }
  const save = () => {
    if (chord === null || chord === now) close()
    else if (check?.kind === 'free') done(`${title} has a new shortcut`, assignKeys(id, chord, own))
    else if (check?.kind === 'taken') exchange(check)
  }
  const exchange = ({ by, swap }: Extract<KeyCheck, { kind: 'taken' }>) =>
    done(
      swap === null
        ? `${title} has a new shortcut, ${by.title} has none now`
        : `${title} and ${by.title} have exchanged shortcuts`,
      assignKeys(id, chord as string, own, { with: by.id, swap }),
    )
  const reset = () => {
    const kept = resetKeys(id, own)
    if (kept) setProblem(`${kept.by.title} has the original shortcut now. Change that one first.`)
    else done(`${title} has its original shortcut`)
  }
  return (
    <Modal title={`Change shortcut: ${title}`} onClose={close}>
      {/* biome-ignore lint/a11y/useSemanticElements: an input would show its text, and the keys are drawn */}
      <div
        role="textbox"
        aria-label="New keys"
        aria-readonly="true"
        aria-describedby="new-keys-hint new-keys-check"
        tabIndex={0}
        data-autofocus
        className="field flex items-center gap-2"
        onKeyDown={record}
      >
        {chord ? <Kbd chord={chord} hidden={false} /> : <span className="text-muted">Press the new keys</span>}
        {now && chord === null && (
          <span className="ml-auto flex items-center gap-2 text-small text-muted">
            now <Kbd chord={now} hidden={false} />
          </span>
        )}
      </div>
      <p id="new-keys-hint" className="pt-1.5 text-small text-muted">
        One key, or up to three one after the other. Tab leads to the buttons.
      </p>
      <p id="new-keys-check" role="status" className={`min-h-11 pt-2 ${check?.kind === 'refused' || problem ? 'text-bad' : ''}`}>
        {problem ?? sentenceOf(check, title)}
      </p>
      <div className="flex flex-wrap justify-end gap-2 pt-2">
        {id in own && (
          <button type="button" className="btn" onClick={reset}>
            Reset
          </button>
        )}
        {now && (
          <button type="button" className="btn" onClick={() => done(`${title} has no shortcut now`, assignKeys(id, null, own))}>
            Remove
          </button>
        )}
        <button type="button" className="btn" onClick={close}>
          Cancel <Kbd chord="Escape" />
        </button>
        <button type="button" className="btn btn-go" aria-disabled={check?.kind === 'refused' || chord === null} onClick={save}>
          {check?.kind === 'taken' ? (check.swap === null ? 'Take it' : 'Swap') : 'Save'} <Kbd chord="Enter" />
        </button>
      </div>
    </Modal>
  )
}

/** What a new shortcut would do, as a sentence. */
function sentenceOf(check: KeyCheck | null, title: string): string {
  if (check === null) return ''
  if (check.kind === 'refused') return check.sentence
  if (check.kind === 'free') return 'These keys are free.'
  const { by, swap } = check
  return swap === null
    ? `${by.title} has these keys. Enter gives them to ${title}, and ${by.title} has none then.`
    : `${by.title} has these keys. Enter swaps the two shortcuts.`
}
