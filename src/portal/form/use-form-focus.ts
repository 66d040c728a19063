import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { tellFormDrawn } from '#portal/form/drawn.ts'
import { goTo } from '#portal/form/go-to.ts'

interface FormState {
  /** The step that is drawn. */
  at: number
  frozen: boolean
  /** What its rows offer is being read. */
  reading: boolean
  /** A draft came back. */
  restored: boolean
  /** The first field is already given or settled: the focus starts behind it. */
  given: boolean
  /** Nothing but its own key sends it: its button is not where the keyboard starts. */
  careful: boolean
  /** What has to be typed to confirm. */
  word: string | null
  confirm: RefObject<HTMLInputElement | null>
}

/**
 * Gives the keyboard to the first field of a form and of each step, and to what has to be typed once that is known. Answers
 * the ref of the form.
 */
export function useFormFocus(state: FormState): RefObject<HTMLFormElement | null> {
  const { at, frozen, reading, restored, given, careful, word, confirm } = state
  const element = useRef<HTMLFormElement>(null)
  // Where the form itself has put the focus: from anywhere else the person's is not taken away.
  const placed = useRef<Element | null>(null)

  // Before the browser reads the next key: one pressed on a step that is drawn has a field, and not the page, to go to.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each step starts at its first field, as does the form after it was frozen
  useLayoutEffect(() => {
    const stops = [...(element.current?.querySelectorAll<HTMLElement>(fieldStops) ?? [])]
    const first =
      chosenOf(given ? behindFirst(stops) : stops) ??
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
    // What comes back is typed over or kept; a longer text that was saved is added to.
    if (restored && first instanceof HTMLTextAreaElement) first.select()
  }, [at, frozen, reading])

  const asked = useRef(word)
  useEffect(() => {
    // What has to be typed is only known after a first answer: that is what comes next.
    if (word !== null && asked.current === null) confirm.current?.focus()
    asked.current = word
  }, [word, confirm])
  return element
}

// What is said over lines of money, and the way back from there to the suggestion, is behind their amounts.
const fieldStops = '[data-fields] :is(input, textarea, button:not([tabindex="-1"], .money-hint *), [tabindex="0"])'

/** The first place of a form to type in; of a group of radios the one that is chosen. */
function chosenOf(stops: readonly HTMLElement[]): HTMLElement | undefined {
  const [first, ...others] = stops
  // Amounts that are filled in already are what there is to look at, before a search in their lines (D521).
  if (first?.matches('[type=search]')) return others.find(isFilledIn) ?? first
  if (!(first instanceof HTMLInputElement) || first.type !== 'radio' || first.checked) return first
  return others.find((stop) => stop instanceof HTMLInputElement && stop.name === first.name && stop.checked) ?? first
}

const isFilledIn = (stop: HTMLElement) => stop.dataset['column'] && (stop as HTMLInputElement).value

/** The places of the other fields: those of a group of radios are one field. */
const behindFirst = ([first, ...others]: readonly HTMLElement[]): HTMLElement[] =>
  others.filter((stop) => !(isRadio(stop) && isRadio(first) && stop.name === first.name))

const isRadio = (stop?: HTMLElement): stop is HTMLInputElement => stop instanceof HTMLInputElement && stop.type === 'radio'

/** Where Enter goes from a line of a form that has longer fields too. */
export function nextStop(form: HTMLFormElement | null, from: HTMLElement): HTMLElement | undefined {
  const stops = [
    ...(form?.querySelectorAll<HTMLElement>(
      'input, select, textarea, button.field, [role=listbox][tabindex="0"], [role=grid][tabindex="0"], [data-go]',
    ) ?? []),
  ]
  return stops[stops.indexOf(from) + 1]
}
