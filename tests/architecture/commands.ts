import { parseSync, Visitor } from 'oxc-parser'
import type { Source } from '#tests/architecture/source.ts'
import type { Command, Key, KeyScope } from '#kernel/command.ts'
import { clash, parseChord } from '#kernel/keys.ts'
import { pageKeys } from '#portal/form/page-keys.ts'
import { actionKeys, detailKeys, gridKeys, paletteKey, partKeys } from '#portal/keyboard/fixed-keys.ts'
import { dashboardKeys } from '#portal/nouns/dashboard/keys.ts'
import { type Focus, scopesOf } from '#portal/keyboard/focus.ts'

export interface CommandFile {
  /** Below commands/: `employee/pause.ts`. */
  path: string
  default: unknown
}

type Named = Pick<Command, 'id' | 'keys' | 'on'>

const commandsIn = (file: CommandFile): Named[] => [file.default].flat() as Named[]

/** Ids that differ from the path of their file, and duplicate ids. */
export function wrongIds(files: readonly CommandFile[]): string[] {
  const wrong: string[] = []
  const seen = new Map<string, string>()
  for (const file of files) {
    const own = file.path.replace(/\.ts$/, '').replaceAll('/', '.')
    for (const { id } of commandsIn(file)) {
      const fits = Array.isArray(file.default) ? id === own || id.startsWith(`${own}.`) : id === own
      if (!fits) wrong.push(`commands/${file.path} holds ${id}, not ${own}`)
      const other = seen.get(id)
      if (other) wrong.push(`${id} is declared in commands/${other} and commands/${file.path}`)
      seen.set(id, file.path)
    }
  }
  return wrong
}

interface KeyBinding {
  id: string
  key: Key
  entity: string | null
}

const focuses: readonly Focus[] = ['grid', 'detail', 'screen', 'text', 'shell', 'nothing', 'dialog']

/** Whether two keys can be active at the same time: some focus enables both scopes, and keys of a row belong to the same noun. */
const activeTogether = (a: KeyBinding, b: KeyBinding): boolean => {
  const together = focuses.some((focus) => [a, b].every((each) => scopesOf(focus).includes(each.key.scope)))
  const nouns = a.key.scope === 'row' && b.key.scope === 'row' && a.entity !== null && b.entity !== null
  return together && (!nouns || a.entity === b.entity)
}

/**
 * The keys without a command that are active together in a list, a record or a page, as commands, so that they can be compared
 * with commands.
 */
export function fixedKeysOf(region: 'grid' | 'detail' | 'page' | 'dashboard'): Named[] {
  const as = (name: string, scope: KeyScope, chords: readonly string[]): Named[] =>
    chords.map((chord) => ({ id: `${name}, ${chord}`, keys: [{ scope, chord }] }))
  if (region === 'page') return as('a page', 'everywhere', [paletteKey, ...pageKeys.flatMap(({ chords }) => chords)])
  if (region === 'dashboard') return as('the dashboard', 'workspace', [paletteKey, ...Object.keys(dashboardKeys)])
  return [
    ...as('the palette', 'everywhere', [paletteKey, ...Object.keys(partKeys)]),
    ...as('the actions', 'workspace', actionKeys),
    ...(region === 'grid' ? as('a list', 'grid', Object.keys(gridKeys)) : as('a record', 'detail', Object.keys(detailKeys))),
  ]
}

/** Pairs of commands that are active at the same time on one chord, unless both declare that the key toggles between them. */
export function clashingKeys(commands: readonly Named[]): string[] {
  const bound = commands.flatMap(({ id, keys = [], on }) =>
    keys.map((key): KeyBinding => ({ id, key, entity: on?.name ?? null })),
  )
  return bound.flatMap((a, index) =>
    bound
      .slice(index + 1)
      .filter((b) => a.id !== b.id && activeTogether(a, b) && clash(a.key.chord, b.key.chord))
      .filter((b) => a.key.toggles === undefined || a.key.toggles !== b.key.toggles)
      .map((b) => `${a.id} and ${b.id} are both on ${a.key.chord} (${a.key.scope}, ${b.key.scope})`),
  )
}

const reservedChords = [
  'Mod+N',
  'Mod+T',
  'Mod+W',
  'Mod+Shift+N',
  'Mod+Shift+T',
  'Mod+Shift+W',
  'Mod+Shift+P',
  'Mod+Shift+K',
  'Mod+Shift+A',
]

/** Chords that the browser or the system reserves, and letters in scopes where a person may be typing. */
export const forbiddenKeys = (commands: readonly Named[]): string[] =>
  commands.flatMap(({ id, keys = [] }) =>
    keys.flatMap(({ scope, chord }) => [
      ...(reservedChords.some((each) => clash(each, chord)) || /\b(Alt|AltGraph|CapsLock|Insert)\b/.test(chord)
        ? [`${id} may not use ${chord}`]
        : []),
      ...(scope === 'everywhere' && parseChord(chord).some((press) => !press.mod && press.key.length === 1)
        ? [`${id} has ${chord} everywhere, where people type`]
        : []),
    ]),
  )

/** Type casts in a command. The contract already types what it reads and its facts. */
export function castsIn({ path, text }: Pick<Source, 'path' | 'text'>): string[] {
  if (!path.startsWith('commands/')) return []
  const found: string[] = []
  const say = ({ start }: { start: number }) => found.push(`${path}:${text.slice(0, start).split('\n').length} casts`)
  new Visitor({
    TSAsExpression: (node) => {
      if (text.slice(node.typeAnnotation.start, node.typeAnnotation.end) !== 'const') say(node)
    },
    TSTypeAssertion: say,
    TSNonNullExpression: say,
  }).visit(parseSync(path, text).program)
  return found
}
