import { withArticle } from '#domain/text.ts'
import { type Command, groupOf, shortTitle } from '#kernel/command.ts'
import { fold } from '#kernel/fold.ts'
import type { Here } from '#portal/keyboard/focus.ts'
import type { KeyLine } from '#portal/keyboard/key-map.ts'

/** Descriptions of keys without a command (`fixed-keys.ts`), and of those in the palette and forms. */
export const fixedKeys: readonly { title: string; lines: readonly KeyLine[] }[] = [
  {
    title: 'Everywhere',
    lines: [
      { chords: ['Mod+K'], says: 'command palette' },
      { chords: ['Tab', 'Shift+Tab'], says: 'next, previous region' },
      { chords: ['F6', 'Shift+F6'], says: 'list, record, the one beside it, notes' },
      { chords: ['a', 'Shift+F10'], says: 'actions for the row or record' },
      { chords: ['Escape'], says: 'close, then clear the selection, then the record' },
    ],
  },
  {
    title: 'List',
    lines: [
      { chords: ['ArrowDown', 'j'], says: 'next row' },
      { chords: ['ArrowUp', 'k'], says: 'previous row' },
      { chords: ['ArrowLeft', 'ArrowRight'], says: 'cell' },
      { chords: ['Home', 'End'], says: 'first, last cell' },
      { chords: ['PageDown', 'PageUp'], says: 'page' },
      { chords: ['Mod+Home', 'Mod+End'], says: 'first, last row' },
      { chords: ['Enter'], says: 'open; again for the whole width' },
      { chords: ['Mod+Enter'], says: 'open beside what is open' },
      { chords: ['Space'], says: 'peek' },
      { chords: ['x', 'Shift+Space'], says: 'select' },
      { chords: ['Shift+ArrowDown', 'Shift+ArrowUp'], says: 'extend the selection' },
      { chords: ['Mod+A'], says: 'select all that match the filter' },
      { chords: ['/'], says: 'filter' },
      { chords: ['Mod+C'], says: 'copy rows' },
    ],
  },
  {
    title: 'Record',
    lines: [
      { chords: ['j', 'k'], says: 'next, previous record' },
      { chords: ['1–9'], says: 'tabs; again for the list in one' },
      { chords: ['ArrowLeft', 'ArrowRight'], says: 'previous, next tab' },
      { chords: ['Enter'], says: 'whole width' },
    ],
  },
  {
    title: 'Notes',
    lines: [{ chords: ['Mod+Enter'], says: 'add the note' }],
  },
  {
    title: 'Dashboard',
    lines: [
      { chords: ['1–9'], says: 'open a line' },
      { chords: ['ArrowDown', 'ArrowUp'], says: 'next, previous line' },
      { chords: ['Home', 'End'], says: 'first, last line' },
      { chords: ['Enter'], says: 'open the line' },
    ],
  },
  {
    title: 'Notices',
    lines: [
      { chords: ['ArrowDown', 'ArrowUp'], says: 'next, previous notice' },
      { chords: ['Enter'], says: 'open what it is about' },
      { chords: ['Space'], says: 'mark as read or unread' },
      { chords: ['Shift+R'], says: 'mark all as read' },
    ],
  },
  {
    title: 'Palette',
    lines: [
      { chords: ['ArrowDown', 'ArrowUp'], says: 'next, previous' },
      { chords: ['PageDown', 'PageUp'], says: 'ten further, ten back' },
      { chords: ['Enter'], says: 'run' },
      { chords: ['Mod+Enter'], says: 'a record: open beside what is open; a command: in a new tab' },
      { chords: ['Tab'], says: 'next argument, or actions of a row' },
      { chords: ['Backspace'], says: 'on an empty field: one page back' },
      { chords: ['Mod+C'], says: 'copy the link' },
    ],
  },
  {
    title: 'Form',
    lines: [
      { chords: ['Mod+Enter'], says: 'submit' },
      { chords: ['F6', 'F8'], says: 'on a page: next section; next problem' },
      { chords: ['*', '=', 's'], says: 'in an amount: full balance, what is left, the suggestion' },
      { chords: ['ArrowUp', 'ArrowDown'], says: 'between lines' },
      { chords: ['Alt+ArrowDown'], says: 'open a choice' },
      { chords: ['Escape'], says: 'leave; what you typed is kept' },
    ],
  },
]

/** The titles of the parts of the screen in the key map; a list in a tab has the keys of a list. */
const titles: Record<Exclude<Here, 'screen'>, string> = {
  grid: 'List',
  detail: 'Record',
  tab: 'List',
  drawer: 'Notes',
  page: 'Form',
}

/** Keys below one heading. */
export interface KeyGroup {
  title: string
  lines: readonly KeyLine[]
}

/**
 * The full key map: first the keys of the focused part, then those of commands on `noun`, then all others. `screen` is the title
 * of a page without fields.
 */
export function keyGroups(commands: readonly Command[], here: Here, noun: string | undefined, screen = ''): KeyGroup[] {
  const now = here === 'screen' ? screen : titles[here]
  const ofRow = ['drawer', 'page', 'screen'].includes(here) ? undefined : commands.find(({ on }) => on?.name === noun)
  const own = commandKeys(commands.filter(({ on }) => ofRow && on?.name === ofRow.on?.name))
  const others = commandKeys(commands.filter(({ on }) => !ofRow || on?.name !== ofRow.on?.name))
  const isNow = ({ title }: KeyGroup) => title === now
  return [
    ...fixedKeys.filter(isNow).map((group) => ({ ...group, title: `Here: ${now.toLowerCase()}` })),
    ...own,
    ...fixedKeys.filter(({ title }) => title === 'Everywhere'),
    ...others.filter(({ title }) => !title.startsWith('On ')),
    ...fixedKeys.filter((group) => !isNow(group) && group.title !== 'Everywhere'),
    ...saidOnce(others.filter(({ title }) => title.startsWith('On '))),
  ]
}

/** How many kinds of records share a line before it is said once for all of them. */
const manyKinds = 3

/** Groups of commands on records, with the lines that many of them share in a first group. */
function saidOnce(groups: readonly KeyGroup[]): KeyGroup[] {
  const of = ({ chords, says }: KeyLine) => `${chords.join()} ${says}`
  const byWords = Map.groupBy(
    groups.flatMap(({ lines }) => lines),
    of,
  )
  const isShared = (line: KeyLine) => (byWords.get(of(line))?.length ?? 0) >= manyKinds
  const shared = [...byWords.values()].flatMap(([line]) => (line && isShared(line) ? [line] : []))
  const special = groups.map(({ title, lines }) => ({ title, lines: lines.filter((line) => !isShared(line)) }))
  return [{ title: 'On most records', lines: shared }, ...special].filter(({ lines }) => lines.length > 0)
}

/** The same without the keys that are switched off. */
export const workingKeys = (groups: readonly KeyGroup[], works: (chord: string) => boolean): KeyGroup[] =>
  groups.flatMap(({ title, lines }) => {
    const left = lines.flatMap(({ chords, says }) => {
      const kept = chords.filter(works)
      return kept.length ? [{ chords: kept, says }] : []
    })
    return left.length ? [{ title, lines: left }] : []
  })

/** The lines in which every word of the text begins a word, in their action, their keys as drawn, or their heading. */
export function keysMatching(groups: readonly KeyGroup[], text: string, drawn: (chord: string) => string): readonly KeyGroup[] {
  const words = fold(text).split(/\s+/).filter(Boolean)
  if (words.length === 0) return groups
  const matches = (title: string) => (line: KeyLine) => {
    const whole = fold(` ${title} ${line.says} ${line.chords.flatMap((chord) => [chord, drawn(chord)]).join(' ')}`)
    return words.every((word) => whole.includes(` ${word}`))
  }
  return groups.flatMap(({ title, lines }) => {
    const left = lines.filter(matches(title))
    return left.length ? [{ title, lines: left }] : []
  })
}

const onNoun = ({ on }: Command): string => `On ${withArticle(on?.one ?? '')}`

/** `Pause or resume` of commands on one key; without the noun of the heading. */
function labelOf(all: readonly Command[]): string {
  const labels = all.map((command) => (typeof command.button === 'string' ? command.button : shortTitle(command)))
  const [first = '', ...rest] = [...new Set(labels)]
  const others = rest.map((label) => label.charAt(0).toLowerCase() + label.slice(1))
  const last = others.pop()
  return last === undefined ? first : `${[first, ...others].join(', ')} or ${last}`
}

/** The keys of commands by heading; commands that toggle on one key share a line. */
export function commandKeys(commands: readonly Command[]): { title: string; lines: KeyLine[] }[] {
  const groups = new Map<string, Map<string, Command[]>>()
  for (const command of commands) {
    for (const { chord } of command.keys ?? []) {
      const title = command.on ? onNoun(command) : groupOf(command)
      const lines = groups.get(title) ?? new Map<string, Command[]>()
      lines.set(chord, [...(lines.get(chord) ?? []), command])
      groups.set(title, lines)
    }
  }
  return [...groups].map(([title, lines]) => ({
    title,
    lines: [...lines].map(([chord, same]) => ({ chords: [chord], says: labelOf(same) })),
  }))
}
