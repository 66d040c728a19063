import { parseSync, Visitor } from 'oxc-parser'
import type { Source } from '#tests/architecture/source.ts'
import type { Command, KeyScope } from '#kernel/command.ts'
import { pageKeys } from '#portal/form/page/page-keys.ts'
import { actionKeys, detailKeys, gridKeys, paletteKey, partKeys } from '#portal/keyboard/fixed-keys.ts'
import { noticeKeys } from '#portal/shell/notices/keys.ts'
import { dashboardKeys } from '#portal/nouns/dashboard/keys.ts'
import { areClashing, bindingsOf, whyNeverBound } from '#portal/keyboard/key-clash.ts'

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

type PropertyOf<C> = C extends unknown ? keyof C : never

/** The properties of a command; the type requires that none is missing. */
const properties: Readonly<Record<PropertyOf<Command>, true>> = {
  ...{ kind: true, id: true, title: true, aliases: true, sentence: true, icon: true, button: true, on: true },
  ...{ suggestedFilter: true, keys: true, unavailable: true, form: true, does: true, reads: true, needs: true },
  ...{ plan: true, undo: true, done: true, failed: true, facts: true, preview: true, bulk: true, act: true, place: true },
}

/** Properties of commands that have no effect: the types accept any in a spread part. */
export const unknownProperties = (commands: readonly Pick<Command, 'id'>[]): string[] =>
  commands.flatMap((command) =>
    Object.keys(command)
      .filter((name) => !Object.hasOwn(properties, name))
      .map((name) => `${command.id}: ${name}`),
  )

/** Titles that two commands share: only one of these could be chosen by typing its title. */
export function sharedTitles(commands: readonly Pick<Command, 'id' | 'title'>[]): string[] {
  const known = Map.groupBy(commands, ({ title }) => title)
  return [...known].flatMap(([title, all]) => (all.length > 1 ? [`${title}: ${all.map(({ id }) => id).join(', ')}`] : []))
}

/**
 * The keys without a command that are active together in a list, a record or a page, as commands, so that they can be compared
 * with commands.
 */
export function fixedKeysOf(region: 'grid' | 'detail' | 'page' | 'dashboard' | 'notices'): Named[] {
  const as = (name: string, scope: KeyScope, chords: readonly string[]): Named[] =>
    chords.map((chord) => ({ id: `${name}, ${chord}`, keys: [{ scope, chord }] }))
  if (region === 'page') return as('a page', 'everywhere', [paletteKey, ...pageKeys.flatMap(({ chords }) => chords)])
  if (region === 'notices') return as('the notices', 'workspace', [paletteKey, ...Object.keys(noticeKeys)])
  if (region === 'dashboard') return as('the dashboard', 'workspace', [paletteKey, ...Object.keys(dashboardKeys)])
  return [
    ...as('the palette', 'everywhere', [paletteKey, ...Object.keys(partKeys)]),
    ...as('the actions', 'workspace', actionKeys),
    ...(region === 'grid' ? as('a list', 'grid', Object.keys(gridKeys)) : as('a record', 'detail', Object.keys(detailKeys))),
  ]
}

/** Pairs of commands that are active at the same time on one chord, unless both declare that the key toggles between them. */
export function clashingKeys(commands: readonly Named[]): string[] {
  const bound = bindingsOf(commands)
  return bound.flatMap((a, index) =>
    bound
      .slice(index + 1)
      .filter((b) => areClashing(a, b))
      .map((b) => `${a.id} and ${b.id} are both on ${a.key.chord} (${a.key.scope}, ${b.key.scope})`),
  )
}

/** Chords that the browser or the system reserves, and letters in scopes where a person may be typing. */
export const forbiddenKeys = (commands: readonly Named[]): string[] =>
  commands.flatMap(({ id, keys = [] }) =>
    keys.flatMap(({ scope, chord }) => (whyNeverBound(chord, scope) === null ? [] : [`${id} may not use ${chord}`])),
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
