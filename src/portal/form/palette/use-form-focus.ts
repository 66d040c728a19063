import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { takeTextAhead } from '#portal/commands/palette-state.ts'
import { handOver } from '#portal/hotkeys/deliver-key.ts'
import { tellFormDrawn } from '#portal/hotkeys/form-drawn.ts'
import { goTo } from '#portal/form/fields/go-to.ts'

interface FocusOptions {
  /** The visible step. */
  at: number
  frozen: boolean
  /** The lines are loading. */
  reading: boolean
  /** A draft was restored. */
  restored: boolean
  /** The field that the focus starts at, by name; null for the button, if no field is missing. */
  startAt: string | null
  /** Only its own key sends the form: its button does not get the initial focus. */
  careful: boolean
  /** The word to type for confirmation. */
  word: string | null
  confirm: RefObject<HTMLInputElement | null>
}

/**
 * Focuses the first field of a form and of each step, and the confirmation field once there is one. Returns the ref of the form.
 */
export function useFormFocus(options: FocusOptions): RefObject<HTMLFormElement | null> {
  const { at, frozen, reading, restored, startAt, careful, word, confirm } = options
  const element = useRef<HTMLFormElement>(null)
  // The element focused by the form itself: focus set by the user is left alone.
  const placed = useRef<Element | null>(null)

  // A layout effect, so that the next key already finds a field of the step focused instead of the page.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for each step, and when the form is unfrozen
  useLayoutEffect(() => {
    const first =
      chosenOf(stopsFrom(element.current, startAt)) ??
      confirm.current ??
      element.current?.querySelector<HTMLElement>(careful ? '[data-fields]' : '[data-go]')
    tellFormDrawn()
    if (reading && placed.current === null) {
      const fields = element.current?.querySelector<HTMLElement>('[data-fields]')
      fields?.focus()
      placed.current = fields ?? null
      return
    }
    const waited = placed.current
    placed.current = null
    if (waited && document.activeElement !== waited) return
    if (frozen) element.current?.querySelector<HTMLElement>('[data-frozen]')?.focus()
    else goTo(first)
    const ahead = takeTextAhead()
    // A restored text is selected, to be replaced or kept; a saved long text is appended to.
    if (restored && first instanceof HTMLTextAreaElement) first.select()
    if (ahead.text) handOver(ahead)
  }, [at, frozen, reading])

  const asked = useRef(word)
  useEffect(() => {
    // The confirmation word is known only after a first answer, and is the next thing to type.
    if (word !== null && asked.current === null) confirm.current?.focus()
    asked.current = word
  }, [word, confirm])
  return element
}

// Excludes the hints above lines of amounts and their reset to the suggestion, which come after the amounts.
const fieldStops = '[data-fields] :is(input, textarea, button:not([tabindex="-1"], .money-hint *), [tabindex="0"])'

/** The focusable elements of a field and of those behind it; none without a field. */
function stopsFrom(form: HTMLFormElement | null, name: string | null): HTMLElement[] {
  const field = name === null ? null : form?.querySelector(`[data-field="${CSS.escape(name)}"]`)
  const stops = [...(form?.querySelectorAll<HTMLElement>(fieldStops) ?? [])]
  const isBefore = (stop: HTMLElement) => (field?.compareDocumentPosition(stop) ?? 0) & Node.DOCUMENT_POSITION_PRECEDING
  return field ? stops.filter((stop) => !isBefore(stop)) : []
}

/** The first field of a form; of a radio group the checked button. */
function chosenOf(stops: readonly HTMLElement[]): HTMLElement | undefined {
  const [first, ...others] = stops
  // Prefilled amounts come before a search in their lines.
  if (first?.matches('[type=search]')) return others.find(isFilledIn) ?? first
  if (!(first instanceof HTMLInputElement) || first.type !== 'radio' || first.checked) return first
  return others.find((stop) => stop instanceof HTMLInputElement && stop.name === first.name && stop.checked) ?? first
}

const isFilledIn = (stop: HTMLElement) => stop.dataset['column'] && (stop as HTMLInputElement).value

/** The next field for Enter on a one-line input, in a form that also has longer fields. */
export function nextStop(form: HTMLFormElement | null, from: HTMLElement): HTMLElement | undefined {
  const stops = [
    ...(form?.querySelectorAll<HTMLElement>(
      'input, select, textarea, button.field, [role=listbox][tabindex="0"], [role=grid][tabindex="0"], [data-go]',
    ) ?? []),
  ]
  return stops[stops.indexOf(from) + 1]
}
