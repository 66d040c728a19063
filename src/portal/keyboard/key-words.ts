import { withArticle } from '#domain/text.ts'
import type { Command } from '#kernel/command.ts'
import type { Here } from '#portal/keyboard/focus.ts'
import type { KeyLine } from '#portal/keyboard/key-map.ts'

/** Descriptions of keys without a command (`fixed-keys.ts`), and of those in the palette and forms. */
export const fixedKeys: readonly { title: string; lines: readonly KeyLine[] }[] = [
  {
    title: 'Everywhere',
    lines: [
      { chords: ['Mod+K'], says: 'command palette' },
      { chords: ['Tab', 'Shift+Tab'], says: 'next, previous region' },
      { chords: ['F6', 'Shift+F6'], says: 'list, record, notes' },
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
      { chords: ['Space'], says: 'peek' },
      { chords: ['x', 'Shift+Space'], says: 'select' },
      { chords: ['Shift+ArrowDown', 'Shift+ArrowUp'], says: 'extend the selection' },
      { chords: ['Mod+A'], says: 'select all that match the filter' },
      { chords: ['/'], says: 'filter' },
      { chords: ['a', 'Shift+F10'], says: 'actions' },
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
      { chords: ['a'], says: 'actions' },
      { chords: ['Escape'], says: 'back to the row' },
    ],
  },
  {
    title: 'List in a tab',
    lines: [
      { chords: ['Enter'], says: 'open' },
      { chords: ['1–9'], says: 'tabs' },
      { chords: ['Escape'], says: 'back to the record' },
    ],
  },
  {
    title: 'Notes',
    lines: [
      { chords: ['Mod+Enter'], says: 'add the note' },
      { chords: ['Escape'], says: 'close' },
    ],
  },
  {
    title: 'Dashboard',
    lines: [
      { chords: ['1–9'], says: 'open a line' },
      { chords: ['ArrowDown', 'j'], says: 'next line' },
      { chords: ['ArrowUp', 'k'], says: 'previous line' },
      { chords: ['Home', 'End'], says: 'first, last line' },
      { chords: ['Enter'], says: 'open' },
    ],
  },
  {
    title: 'Palette',
    lines: [
      { chords: ['ArrowDown', 'ArrowUp'], says: 'next, previous' },
      { chords: ['PageDown', 'PageUp'], says: 'ten further, ten back' },
      { chords: ['Enter'], says: 'run' },
      { chords: ['Mod+Enter'], says: 'open in a new tab' },
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

/** The titles of the parts of the screen in the key map. */
const titles: Record<Exclude<Here, 'screen'>, string> = {
  grid: 'List',
  detail: 'Record',
  tab: 'List in a tab',
  drawer: 'Notes',
  page: 'Form',
}

/**
 * The full key map: first the keys of the focused part, then those of commands on `noun`, then all others. `screen` is the title
 * of a page without fields.
 */
export function keyGroups(
  commands: readonly Command[],
  here: Here,
  noun: string | undefined,
  screen = '',
): { title: string; lines: readonly KeyLine[] }[] {
  const [now, rest] = [here === 'screen' ? screen : titles[here], commandKeys(commands)]
  const ofRow = ['drawer', 'page', 'screen'].includes(here) ? undefined : commands.find(({ on }) => on?.name === noun)
  const first = [
    ...fixedKeys.filter(({ title }) => title === now).map((group) => ({ ...group, title: `Here: ${now.toLowerCase()}` })),
    ...rest.filter(({ title }) => ofRow && title === onNoun(ofRow)),
  ]
  const known = new Set([now, ...first.map(({ title }) => title)])
  return [...first, ...[...fixedKeys, ...rest].filter(({ title }) => !known.has(title))]
}

const onNoun = ({ on }: Command): string => `On ${withArticle(on?.one ?? '')}`

/** The keys of commands by heading; commands that toggle on one key share a line. */
export function commandKeys(commands: readonly Command[]): { title: string; lines: KeyLine[] }[] {
  const groups = new Map<string, Map<string, string[]>>()
  for (const command of commands) {
    for (const { chord } of command.keys ?? []) {
      const title = command.on ? onNoun(command) : (command.group ?? 'Commands')
      const lines = groups.get(title) ?? new Map<string, string[]>()
      lines.set(chord, [...(lines.get(chord) ?? []), command.title])
      groups.set(title, lines)
    }
  }
  return [...groups].map(([title, lines]) => ({
    title,
    lines: [...lines].map(([chord, titles]) => ({ chords: [chord], says: titles.join(', or ') })),
  }))
}
