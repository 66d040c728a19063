import hotkeys from 'hotkeys-js'
import { useAtomValue } from 'jotai'
import { atom } from 'jotai/vanilla'
import { useEffect, useState } from 'react'
import { goToStep, tourAtom } from '#portal/commands/tour.ts'
import { focusOf, focusWork } from '#portal/keyboard/focus.ts'
import { findExample } from '#portal/palette/examples.ts'
import { mac } from '#portal/platform/operating-system.ts'
import { commands } from '#portal/platform/registry.ts'
import { store } from '#portal/platform/store.ts'
import { announce } from '#portal/platform/toasts.ts'
import { beganNow, type Part, type Step, stepsOf } from '#portal/shell/tour/steps.ts'
import { Kbd } from '#portal/ui/kbd.tsx'
import '#portal/shell/tour/tour.css'

const lastWords: Step = {
  name: 'That was the tour',
  says: ['Everything else is found in the palette by its name. To see the tour again, type ', { text: 'tour' }, ' there.'],
  isDone: () => false,
}

const keyNames: Readonly<Record<string, string>> = { Mod: mac ? 'Command' : 'Control', '/': 'slash', '?': 'question mark' }
/** A chord in words: screen readers skip signs. */
const spokenChord = (chord: string): string =>
  chord
    .split(/\+(?=.)| /)
    .map((name) => keyNames[name] ?? name)
    .join(' ')
const spoken = (part: Part): string => {
  if (typeof part === 'string') return part
  return 'text' in part ? part.text : spokenChord(part.key)
}

const Says = ({ part }: { part: Part }) => {
  if (typeof part === 'string') return part
  return 'text' in part ? <code className="tour-text">{part.text}</code> : <Kbd chord={part.key} hidden={false} typed />
}

/** The steps for this person; null until a record for them is found. */
function useSteps(): readonly Step[] | null {
  const [steps, setSteps] = useState<readonly Step[] | null>(null)
  useEffect(() => {
    let isOver = false
    void findExample(commands()).then((example) => {
      if (!isOver) setSteps(stepsOf(example))
    })
    return () => {
      isOver = true
    }
  }, [])
  return steps
}

/** Goes on once the person has done a step, however they did it. */
function useProgress(step: Step | undefined, at: number): void {
  useEffect(() => {
    if (!step) return
    const began = beganNow(store.get)
    const doneAtom = atom((get) => step.isDone(get, began))
    const look = () => {
      if (store.get(doneAtom)) goToStep(at + 1)
    }
    const stop = store.sub(doneAtom, look)
    look()
    return stop
  }, [step, at])
}

function leave(): void {
  goToStep(null)
  if (focusOf(document.activeElement) === 'nothing') focusWork()
}

/** Escape leaves the tour, unless it belongs to a dialog or a text field, which it closes or clears first. */
function useEscape(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const focus = focusOf(document.activeElement)
      if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing || focus === 'dialog' || focus === 'text') return
      event.preventDefault()
      event.stopPropagation()
      leave()
    }
    // Before the list or the record handles it, like the palette's key.
    hotkeys('*', { element: document.documentElement, capture: true }, onKey)
    return () => hotkeys.unbind('*', onKey)
  }, [])
}

/** The tour: a strip below the page that says which key to press next. The page above it works as always. */
export function Tour() {
  const at = useAtomValue(tourAtom, { store }) ?? 0
  const steps = useSteps()
  const count = steps?.length ?? 0
  const step = steps ? (steps[at] ?? lastWords) : undefined
  useProgress(step, at)
  useEscape()
  useEffect(() => {
    if (step) announce(`${at < count ? `Step ${at + 1} of ${count}` : 'Done'}. ${step.name}. ${step.says.map(spoken).join('')}`)
  }, [step, at, count])
  if (!step) return null
  return (
    <aside className="tour" aria-label="Tour">
      <span className="tour-count">{at < count ? `${at + 1} of ${count}` : 'Done'}</span>
      <div className="tour-says">
        <h2>{step.name}</h2>
        <p>
          {step.says.map((part, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence never move
            <Says key={index} part={part} />
          ))}
        </p>
      </div>
      {at < count && (
        <button type="button" className="btn" onClick={() => goToStep(at + 1)}>
          Skip this step
        </button>
      )}
      <button type="button" className="btn" onClick={leave}>
        {at < count ? 'Leave the tour' : 'Close'} <Kbd chord="Escape" />
      </button>
    </aside>
  )
}
