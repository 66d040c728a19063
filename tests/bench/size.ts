import { readFileSync, statSync } from 'node:fs'
import type { Measure } from '#tests/bench/figures.ts'

interface Chunk {
  file: string
  name?: string
  imports?: string[]
}

const brotli = (files: Iterable<string>): number =>
  [...files].reduce((sum, file) => sum + statSync(`dist/${file}.br`).size, 0) / 1000

/**
 * Downloads of the browser: for the first page, right after it for the palette and the forms, then for dialogs, and for each
 * other part.
 */
export function benchSize(): Measure[] {
  const chunks = JSON.parse(readFileSync('dist/.vite/manifest.json', 'utf8')) as Record<string, Chunk>
  const scripts = [...readFileSync('dist/index.html', 'utf8').matchAll(/src="\/(assets\/[^"]+\.js)"/g)].map(
    ([, file = '']) => file,
  )
  const withImports = (name: string, found = new Set<string>()): Set<string> => {
    const chunk = chunks[name]
    if (!chunk || found.has(chunk.file)) return found
    found.add(chunk.file)
    for (const each of chunk.imports ?? []) withImports(each, found)
    return found
  }
  const more = (names: readonly string[], before: ReadonlySet<string>) =>
    new Set(names.flatMap((name) => [...withImports(name)]).filter((file) => !before.has(file)))
  const named = (name: string) => Object.keys(chunks).find((key) => chunks[key]?.name === name) ?? ''
  const first = new Set([...scripts, ...withImports(named('employees'))])
  const palette = more([named('everything')], first)
  const choosers = more(['choosers', 'dialogs', 'account-menu'].map(named), new Set([...first, ...palette]))
  const together = new Set([...first, ...palette, ...choosers])
  const later = Object.keys(chunks).filter((key) => chunks[key]?.file.endsWith('.js') && !together.has(chunks[key].file))
  return [
    { what: 'JavaScript until the first list, brotli', value: brotli(first), unit: 'kB', budget: 180, detail: [...first] },
    {
      what: 'JavaScript until the dashboard, brotli',
      value: brotli(new Set([...scripts, ...withImports(named('dashboard'))])),
      unit: 'kB',
      budget: 180,
    },
    {
      what: 'JavaScript until the sign-in, brotli',
      value: brotli(new Set([...scripts, ...withImports(named('sign-in'))])),
      unit: 'kB',
      budget: 180,
    },
    { what: 'JavaScript of palette and forms, brotli', value: brotli(palette), unit: 'kB', budget: 200, detail: [...palette] },
    {
      what: 'JavaScript of dialogs, menus and choosers, brotli',
      value: brotli(choosers),
      unit: 'kB',
      budget: 50,
      detail: [...choosers],
    },
    ...later.map(
      (key): Measure => ({
        what: `JavaScript on demand: ${chunks[key]?.name}`,
        value: brotli(more([key], together)),
        unit: 'kB',
        budget: null,
      }),
    ),
  ]
}
