import { readFileSync, statSync } from 'node:fs'
import type { Measure } from '#tests/bench/figures.ts'

interface Chunk {
  file: string
  imports?: string[]
  dynamicImports?: string[]
}

const brotli = (files: Iterable<string>): number =>
  [...files].reduce((sum, file) => sum + statSync(`dist/${file}.br`).size, 0) / 1000

/** What the browser fetches: for the first list, and right after it for the palette and the forms. */
export function benchSize(): Measure[] {
  const chunks = JSON.parse(readFileSync('dist/.vite/manifest.json', 'utf8')) as Record<string, Chunk>
  const withImports = (name: string, found = new Set<string>()): Set<string> => {
    const chunk = chunks[name]
    if (!chunk || found.has(chunk.file)) return found
    found.add(chunk.file)
    for (const each of chunk.imports ?? []) withImports(each, found)
    return found
  }
  const first = withImports('index.html')
  const lazy = new Map(
    (chunks['index.html']?.dynamicImports ?? []).map((name) => [
      name,
      new Set([...withImports(name)].filter((file) => !first.has(file))),
    ]),
  )
  const palette = [...lazy].find(([name]) => name.includes('/palette/'))?.[1] ?? new Set<string>()
  return [
    { what: 'JavaScript until the first list, brotli', value: brotli(first), unit: 'kB', budget: 150, detail: [...first] },
    { what: 'JavaScript of palette and forms, brotli', value: brotli(palette), unit: 'kB', budget: 130, detail: [...palette] },
    ...[...lazy]
      .filter(([, files]) => files !== palette)
      .map(
        ([name, files]): Measure => ({
          what: `JavaScript on demand: ${name.replace('src/portal/', '')}`,
          value: brotli(files),
          unit: 'kB',
          budget: null,
        }),
      ),
  ]
}
