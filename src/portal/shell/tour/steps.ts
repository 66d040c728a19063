import type { Getter } from 'jotai/vanilla'
import { changes, shortTitle } from '#kernel/command.ts'
import { paletteAtom, paletteOpenAtom } from '#portal/commands/palette-state.ts'
import { keyMapAtom } from '#portal/keyboard/key-map.ts'
import { hasOtherPart, regionAtom } from '#portal/keyboard/focus.ts'
import { keyWorks } from '#portal/keyboard/letters.ts'
import { openPaneAtom } from '#portal/list/lists.ts'
import { type Example, statusOf } from '#portal/palette/examples.ts'
import { placeAtom } from '#portal/platform/location.ts'
import { chordById } from '#portal/platform/registry.ts'
import { paletteKey } from '#portal/keyboard/fixed-keys.ts'

/** A part of a sentence: words, a key to press, or a text to type. */
export type Part = string | { key: string } | { text: string }

/** One step: what to press, done by really pressing it. */
export interface Step {
  name: string
  says: readonly Part[]
  /** What is true once it is done, compared with the state in which the step began. */
  isDone: (get: Getter, began: Began) => boolean
}

/** What a step compares with. */
export interface Began {
  region: string
  filters: string
}

/** The state that the steps depend on. */
export const beganNow = (get: Getter): Began => ({ region: get(regionAtom), filters: filtersOf(get) })

const filtersOf = (get: Getter): string => {
  const pane = get(openPaneAtom)
  return pane ? `${pane.name} ${pane.search} ${pane.narrowed}` : ''
}

const isFormOpen = (get: Getter): boolean => {
  const { open, pages } = get(paletteAtom)
  return open && pages.at(-1)?.kind === 'form'
}

const key = (chord: string): Part => ({ key: chord })
const text = (typed: string): Part => ({ text: typed })

/** The command of an example if it has a key on its record, which opens a form. */
function formKey({ command }: Example): string | null {
  const chord = command && changes(command) ? command.keys?.find(({ scope, tab }) => scope === 'row' && !tab)?.chord : undefined
  return chord && keyWorks(chord) ? chord : null
}

/** The steps for a person: with a record that they may see and a command that they may use, as far as there are such. */
export function stepsOf(example: Example | null): Step[] {
  const palette: Step = {
    name: 'Open the palette',
    says: ['Press ', key(paletteKey), '. It opens the palette from anywhere: everything can be done from there.'],
    isDone: (get) => get(paletteOpenAtom),
  }
  const mapKey = chordById('view.keys')
  const help: Step[] =
    mapKey && keyWorks(mapKey)
      ? [
          {
            name: 'See the keys',
            says: [
              'Press ',
              key(mapKey),
              ' in a list or a record. It shows all keys that work there; ',
              key('Escape'),
              ' closes it.',
            ],
            isDone: (get) => get(keyMapAtom),
          },
        ]
      : []
  const leave: Step = {
    name: 'Leave the palette',
    says: ['Press ', key('Escape'), '. It clears the text first, then closes the palette.'],
    isDone: (get) => !get(paletteOpenAtom),
  }
  if (!example) return [palette, leave, ...help]
  return [palette, ...recordSteps(example), ...help]
}

function recordSteps(example: Example): Step[] {
  const { entity, record, command } = example
  const id = entity.id(record)
  const chord = formKey(example)
  const state = statusOf(entity, record)
  const steps: (Step | null)[] = [
    {
      name: `Jump to ${entity.one} ${id}`,
      says: ['Type ', text(id), ' in the palette and press ', key('Enter'), `. An id opens its record: ${entity.title(record)}.`],
      // Once the record has the focus, its keys work.
      isDone: (get) => get(placeAtom)?.id === id && !get(paletteOpenAtom) && get(regionAtom) === 'detail',
    },
    {
      name: 'Move between the parts of the page',
      says: ['Press ', key('F6'), '. It goes from the record to its list, and back.'],
      isDone: (get, began) => get(regionAtom) !== began.region || !hasOtherPart(),
    },
    chord && command
      ? {
          name: `Open the form of ${shortTitle(command).toLowerCase()}`,
          says: [
            'Press ',
            key(chord),
            `. ${command.title} opens its form. Nothing is sent before you press `,
            key('Enter'),
            ' in it.',
          ],
          isDone: isFormOpen,
        }
      : null,
    chord && command
      ? {
          name: 'Leave the form',
          says: ['Press ', key('Escape'), '. The form closes and nothing was changed. What you typed stays as a draft.'],
          isDone: (get) => !get(paletteOpenAtom),
        }
      : null,
    state && keyWorks('/')
      ? {
          name: 'Filter the list',
          says: [
            'Press ',
            key('/'),
            ', type ',
            text(state.toLowerCase()),
            ' and press ',
            key('Enter'),
            '. The list shows only these.',
          ],
          isDone: (get, began) => filtersOf(get) !== began.filters && !get(paletteOpenAtom),
        }
      : null,
  ]
  return steps.filter((step) => step !== null)
}
