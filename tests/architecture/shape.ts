import type { Source } from '#tests/architecture/source.ts'

const vagueWords = ['utils', 'util', 'helpers', 'helper', 'common', 'misc', 'index']

/** Vague file and folder names. */
export const vagueNames = (paths: readonly string[]): string[] =>
  paths.filter((path) => path.split('/').some((part) => vagueWords.includes(part.replace(/(\.\w+)+$/, '').toLowerCase())))

/** Files that only re-export other files. */
export const barrels = (sources: readonly Source[]): string[] =>
  sources.filter((source) => source.onlyReExports || source.exportsAll).map((source) => source.path)

/** Places that compare the letter of a key event directly, which fails on non-Latin keyboards; `characterOf` must be used. */
export const latinLetters = (sources: readonly Source[]): string[] =>
  sources
    .filter(({ path }) => path.startsWith('src/portal/'))
    .flatMap(({ path, text }) =>
      text.split('\n').flatMap((line, at) => (/\bkey(\.toLowerCase\(\))? === '[a-z]'/.test(line) ? [`${path}:${at + 1}`] : [])),
    )

const isComponent = (source: Source, name: string): boolean => source.path.endsWith('.tsx') && /^[A-Z]/.test(name)

/** Exported functions without a docstring; components are documented by their props. */
export const undocumented = (sources: readonly Source[]): string[] =>
  sources.flatMap((source) =>
    source.functions
      .filter((each) => !each.documented && !isComponent(source, each.name))
      .map((each) => `${source.path}:${each.line} ${each.name} has no docstring`),
  )

/** Files with more than `lines` lines. */
export const longerThan = (sources: readonly Source[], lines: number): string[] =>
  sources.filter((source) => source.lines > lines).map((source) => `${source.path} has ${source.lines} lines`)

// Assembled from parts, so that this file does not match itself.
const machine = new RegExp(`(^|[\\s'"\`(=])/(${['tmp', 'work', 'root', 'home/\\w+', 'Users/\\w+'].join('|')})/\\w`, 'm')
const registry = new RegExp(['registry', 'npmjs', 'org'].join('\\.'))
const unfinished = new RegExp(`\\b(${['TO' + 'DO', 'FIX' + 'ME', 'X' + 'XX'].join('|')})\\b`)

/** Text that does not belong in the repository: a machine's paths, a registry's address, a note of unfinished work. */
export function strayWords(path: string, text: string): string[] {
  return [
    ...(machine.test(text) ? [`${path} names a path of one machine: ${machine.exec(text)?.[0].trim()}`] : []),
    ...(registry.test(text) ? [`${path} names a package registry`] : []),
    ...(unfinished.test(text) ? [`${path} has a note of unfinished work: ${unfinished.exec(text)?.[0]}`] : []),
  ]
}

interface Lock {
  packages: Record<
    string,
    { version?: string; resolved?: string; integrity?: string; inBundle?: boolean; optionalDependencies?: Record<string, string> }
  >
}

/**
 * Reasons why a lock file does not install the same packages everywhere: a registry address, a missing platform binary, an entry
 * without a checksum. A bundled package is covered by the checksum of its parent.
 */
export function lockFaults(lock: Lock): string[] {
  const names = new Set(Object.keys(lock.packages).map((place) => place.slice(place.lastIndexOf('node_modules/') + 13)))
  return Object.entries(lock.packages).flatMap(([place, { resolved, integrity, inBundle, optionalDependencies = {} }]) => [
    ...(resolved ? [`${place} is tied to an address`] : []),
    ...(place === '' || inBundle || /^sha512-[\w+/]{86}==$/.test(integrity ?? '') ? [] : [`${place} has no integrity`]),
    ...Object.keys(optionalDependencies)
      .filter((name) => !names.has(name))
      .map((name) => `${name} is missing`),
  ])
}
