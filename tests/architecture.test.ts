import { globSync, readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type AnyIntent, collect, endpoint, intent } from '#contract/define.ts'
import { all, byIntent, type Need } from '#domain/permissions.ts'
import { changes, type Command } from '#kernel/command.ts'
import { bulkable, isOneIntent } from '#kernel/dry-run.ts'
import { withList } from '#entities/with-list.ts'
import type { AnyEntity } from '#kernel/entity.ts'
import type { AnyPageForm } from '#kernel/page-form.ts'
import type { AnyRoute } from '#server/http/route.ts'
import { joined } from '#server/http/route-table.ts'
import { isRunnable } from '#server/jobs/targets.ts'
import { brokenArrows, circles } from '#tests/architecture/arrows.ts'
import {
  type CommandFile,
  castsIn,
  clashingKeys,
  fixedKeysOf,
  forbiddenKeys,
  sharedTitles,
  wrongIds,
  unknownProperties,
} from '#tests/architecture/commands.ts'
import { idsAsNumbers } from '#tests/architecture/ids.ts'
import { vocabularyFaults } from '../scripts/vocabulary.ts'
import { privateFields } from '#tests/architecture/private-fields.ts'
import { barrels, latinLetters, lockFaults, longerThan, strayWords, undocumented, vagueNames } from '#tests/architecture/shape.ts'
import { temporaryFolders, readSource, sourcesOf } from '#tests/architecture/source.ts'
import { parseChord } from '#kernel/keys.ts'
import { actionKeys, detailKeys, gridKeys, paletteKey } from '#portal/keyboard/fixed-keys.ts'
import { fixedKeys } from '#portal/keyboard/key-words.ts'
import { keyAction } from '#portal/palette/palette-keys.ts'
import { ambiguous, unguarded, unhandled, mismatchedByIntent } from '#tests/architecture/wire.ts'

const sources = sourcesOf('src/**/*.{ts,tsx}', 'commands/**/*.ts')
const allSources = [...sources, ...sourcesOf('src/**/*.css', 'scripts/**/*.{ts,mjs}', 'tests/**/*.{ts,tsx}', '*.ts')]
const everyPath = globSync(['*.*', '{src,commands,tests,scripts,docs,public,.ci}/**/*.*'], {
  exclude: ['**/*.woff2', '**/*.png', ...temporaryFolders],
})

const modulesOf = (pattern: string): Promise<{ path: string; module: Record<string, unknown> }[]> =>
  Promise.all(
    globSync(pattern)
      .sort()
      .map(async (path) => ({
        path,
        module: (await import(/* @vite-ignore */ pathToFileURL(path).href)) as Record<string, unknown>,
      })),
  )

const contract = collect((await modulesOf('src/contract/*.ts')).map(({ module }) => module))
const routes = joined((await modulesOf('src/server/routes/*.ts')).flatMap(({ module }) => (module['routes'] ?? []) as AnyRoute[]))
const commandFiles: CommandFile[] = (await modulesOf('commands/**/!(*.page).ts')).map(({ path, module }) => ({
  path: path.replaceAll('\\', '/').replace('commands/', ''),
  default: module['default'],
}))
const commands = commandFiles.flatMap((file) => [file.default].flat() as Command[])

describe('the sources', () => {
  test('there are sources, commands, endpoints and routes to check', () => {
    expect(sources.length).toBeGreaterThan(30)
    expect(commands.length).toBeGreaterThan(10)
    expect(contract.endpoints.length).toBeGreaterThan(10)
    expect(routes.length).toBeGreaterThan(10)
  })

  test('imports follow the allowed directions', () => {
    expect(allSources.flatMap(brokenArrows)).toEqual([])
  })

  test('no server file imports itself through other files, not even by types', () => {
    const server = sources.filter(({ path }) => path.startsWith('src/server/'))
    expect(server.flatMap(({ imports }) => imports).length).toBeGreaterThan(500)
    expect(circles(server)).toEqual([])
  })

  test('no id is used as a number', () => {
    expect(sources.flatMap(idsAsNumbers)).toEqual([])
  })

  test('no key is compared with a letter that non-Latin keyboards cannot produce', () => {
    expect(latinLetters(sources)).toEqual([])
  })

  // The selector of such a variant makes the browser restyle all descendants of any element that gets or loses the focus.
  test('no class depends on the state of an ancestor or a sibling', () => {
    const variant = /(?<![\w-])(?:group|peer)-[\w-]+(?:\[[^\]]*\])?:[\w-]+/g
    const found = sources.filter(({ path }) => path.endsWith('.tsx')).flatMap(({ text }) => text.match(variant) ?? [])
    expect(found).toEqual([])
    expect('flex group-focus:data-active:outline peer-hover:hidden group-data-[open]:flex'.match(variant)).toHaveLength(3)
  })

  test('no private field of a library is used', () => {
    expect(allSources.filter(({ path }) => /^(src|scripts|commands)\//.test(path)).flatMap(privateFields)).toEqual([])
    const inside = (text: string) => privateFields({ path: 'src/server/made-up.ts', text }).length
    expect(inside('const { _protocol } = channel')).toBe(1)
    expect(inside('client._protocol.send()')).toBe(1)
    expect(inside('(client as unknown as { connection: Socket }).connection')).toBe(1)
    expect(inside('interface Inner { outgoing: Socket }; const { outgoing } = stream as unknown as Inner')).toBe(1)
    expect(inside('const tx = db as unknown as Tx; schema._zod.def; const [_, value] = pair')).toBe(0)
  })

  test('no file only re-exports other files', () => {
    expect(barrels(sources)).toEqual([])
  })

  test('every file is named after its content', () => {
    expect(vagueNames(everyPath.filter((path) => !path.endsWith('index.html')))).toEqual([])
  })

  test('every public function has a docstring', () => {
    expect(undocumented(sources)).toEqual([])
  })

  test('no file is over 400 lines', () => {
    const long = longerThan(sources, 300)
    if (long.length > 0) console.warn(`Files that may hold two things:\n${long.join('\n')}`)
    expect(longerThan(sources, 400)).toEqual([])
  })

  test('code, titles and documents use plain words, and titles are short', () => {
    const readable = everyPath
      .map((path) => path.replaceAll('\\', '/'))
      .filter((path) => /^(src|commands|scripts|tests|docs|README).*\.(ts|tsx|mjs|md)$/.test(path))
    expect(readable.length).toBeGreaterThan(1_500)
    expect(readable.flatMap((path) => vocabularyFaults(path, readFileSync(path, 'utf8')))).toEqual([])
  })

  test('no file mentions a path of one machine, a registry or unfinished work', () => {
    expect(everyPath.flatMap((path) => strayWords(path, readFileSync(path, 'utf8')))).toEqual([])
  })

  test('the lock file installs on every platform, from any registry', () => {
    expect(lockFaults(JSON.parse(readFileSync('package-lock.json', 'utf8')))).toEqual([])
  })
})

describe('the commands', () => {
  test('the id of a command is its path and is unique', () => {
    expect(wrongIds(commandFiles)).toEqual([])
  })

  test('no command has a property that has no effect', () => {
    expect(unknownProperties(commands)).toEqual([])
    expect(unknownProperties([{ id: 'any.one', warns: true } as { id: string }])).toEqual(['any.one: warns'])
  })

  test('no two commands have the same title', () => {
    expect(sharedTitles(commands)).toEqual([])
    expect(sharedTitles([...commands.slice(0, 1), ...commands.slice(0, 1)])).toHaveLength(1)
  })

  test('every filter of a listed noun has a command, and so has every status', async () => {
    const entities = (await modulesOf('src/entities/*.ts')).flatMap(({ module }) => Object.values(module) as AnyEntity[])
    const panes = entities.filter((each) => each?.pane)
    const wanted = panes.flatMap(({ name, filters }) =>
      filters.flatMap(({ id, field }) => [
        `filter.by.${name}.${id}`,
        ...(id === 'status' ? (field.options ?? []) : []).map(
          ({ value }) => `filter.show.${name}.${value.toLowerCase().replaceAll('_', '-')}`,
        ),
      ]),
    )
    const ids = new Set(commands.map(({ id }) => id))
    expect(panes.length).toBeGreaterThan(5)
    expect(
      panes.filter((pane) => !withList.includes(pane)).map(({ name }) => `${name} has no line in src/entities/with-list.ts.`),
    ).toEqual([])
    expect(wanted.filter((id) => !ids.has(id))).toEqual([])
  })

  test('commands have no type casts', () => {
    expect(sources.flatMap(castsIn)).toEqual([])
  })

  test('every command that can run in bulk has a runnable on the server', () => {
    const over = commands.filter((command) => bulkable(command) && isOneIntent(command))
    const missing = over.flatMap((command) => {
      const [intent] = changes(command) ? command.does : []
      if (!command.on || !intent || isRunnable(intent)) return []
      const file = `src/server/jobs/runnables/${command.on.path.slice(1)}.ts`
      return [`${command.id} can be done over many rows: ${file} has to take ${intent.id}, or the command says 'bulk: false'.`]
    })
    expect(over.length).toBeGreaterThan(10)
    expect(missing).toEqual([])
  })

  test('every page form belongs to a command, which opens it', async () => {
    const pages = await modulesOf('commands/**/*.page.ts')
    const forms = pages.map(({ path, module }) => ({ path: path.replace('commands/', '').replace('.page.ts', '.ts'), module }))
    expect(wrongIds(forms.map(({ path, module }) => ({ path, default: (module['default'] as AnyPageForm).command })))).toEqual([])
    expect(forms.filter(({ path }) => !commandFiles.some((file) => file.path === path))).toEqual([])
    expect(forms.length).toBeGreaterThan(0)
  })

  test.each(['grid', 'detail', 'page', 'dashboard', 'notices'] as const)(
    'no two keys that are active at the same time share a chord, with or without a command: %s',
    (region) => {
      expect(clashingKeys([...commands, ...fixedKeysOf(region)])).toEqual([])
    },
  )

  test('the key map lists the real keys of list and record; the palette does not use its own key', () => {
    const [press] = parseChord(paletteKey)
    const event = { key: press?.key ?? '', ctrlKey: true, metaKey: false, altKey: false, shiftKey: false, isComposing: false }
    expect(keyAction({ ...event, keyCode: 0 }, { mac: false, empty: true, marked: false })).toBeNull()
    const chords = (title: string) => fixedKeys.find((group) => group.title === title)?.lines.flatMap((line) => line.chords) ?? []
    const known = [...actionKeys, '1–9']
    expect(chords('List').filter((chord) => !(chord in gridKeys) && !known.includes(chord))).toEqual([])
    expect(chords('Record').filter((chord) => !(chord in detailKeys) && !known.includes(chord))).toEqual([])
    expect(Object.keys(gridKeys).filter((chord) => !chords('List').includes(chord))).toEqual(['Escape'])
  })

  test('no command uses a chord of the browser, or a plain letter everywhere', () => {
    expect(forbiddenKeys(commands)).toEqual([])
  })
})

describe('the API', () => {
  test('every intent needs a permission', () => {
    expect(unguarded(contract.intents)).toEqual([])
    expect(mismatchedByIntent(contract.endpoints, contract.intents)).toEqual([])
  })

  test('no two intents of one endpoint can have the same body', () => {
    expect(ambiguous(contract.intents)).toEqual([])
  })

  test('an intent whose undo needs another permission declares it', () => {
    const namesOf = (need: Need): readonly string[] => ('names' in need ? need.names : [])
    const anything = new Proxy({}, { get: (_, name) => (name === 'user' ? null : 'x') })
    const undoable = contract.intents.flatMap((intent) => {
      const call = intent.undo?.({ id: '1', version: 1 }, anything)
      return call ? [{ id: intent.id, needed: namesOf(call.intent.needs), said: namesOf(intent.undoNeeds ?? intent.needs) }] : []
    })
    expect(undoable.length).toBeGreaterThan(8)
    expect(undoable.filter(({ needed, said }) => needed.some((name) => !said.includes(name)))).toEqual([])
  })

  test('every endpoint and every intent has one handler', () => {
    expect(unhandled(contract.endpoints, contract.intents, routes)).toEqual([])
  })
})

describe('the rules find', () => {
  const arrows = (path: string, text: string) => brokenArrows(readSource(path, text))

  test.each([
    ['src/domain/a.ts', `import { x } from '#contract/b.ts'`],
    ['src/domain/a.ts', `import { readFile } from 'node:fs'`],
    ['src/contract/a.ts', `export { x } from '#kernel/b.ts'`],
    ['src/kernel/a.ts', `import type { x } from '#entities/b.ts'`],
    ['src/kernel/a.ts', `import { useState } from 'react'`],
    ['src/entities/a.ts', `const x = await import('#commands/b.ts')`],
    ['commands/employee/a.ts', `import { atom } from 'jotai/vanilla'`],
    ['commands/employee/a.ts', `import { x } from '../../src/portal/platform/store.ts'`],
    ['src/server/a.ts', `import { x } from '#kernel/b.ts'`],
    ['src/server/a.ts', `import { x } from '../entities/b.ts'`],
    ['src/server/a.ts', `import React from 'react'`],
    ['src/portal/shell/a.tsx', `import x from '#commands/employee/pause.ts'`],
    ['src/portal/shell/a.tsx', `import x from '#server/boot/main.ts'`],
    ['src/portal/shell/a.tsx', `const x = import.meta.glob('/commands/**/*.ts', { eager: true })`],
    ['src/portal/shell/a.tsx', `import { x } from 'node:fs'`],
    ['src/portal/palette/a.tsx', `import { x } from '#portal/nouns/employees/list.tsx'`],
    ['src/portal/form/a.tsx', `import { x } from '#entities/employee.ts'`],
    ['src/portal/commands/a.ts', `import { useAtom } from 'jotai'`],
    ['src/portal/list/a.ts', `import { useVirtualizer } from '@tanstack/react-virtual'`],
    ['src/portal/commands/a.ts', `import { X } from '#portal/ui/b.tsx'`],
    ['src/portal/list/a.tsx', `import { X } from '#portal/nouns/employees/list.tsx'`],
    ['src/portal/nouns/employees/a.tsx', `import { run } from '#portal/commands/run.ts'`],
    ['src/portal/format/a.ts', `import { store } from '#portal/platform/store.ts'`],
    ['src/portal/ui/a.tsx', `import { run } from '#portal/commands/run.ts'`],
    ['src/portal/session/a.ts', `import { List } from '#portal/list/list.ts'`],
    ['src/portal/platform/a.ts', `import { App } from '#portal/shell/app.tsx'`],
    ['src/portal/list/a.ts', `import { startCommand } from '#portal/commands/start.ts'`],
    ['src/portal/records/a.ts', `const x = await import('#portal/palette/palette.tsx')`],
    ['src/domain/a.ts', `import { x } from './b'`],
    ['src/portal/shell/a.tsx', `import { x } from '#portal/ui/b'`],
    ['src/server/tables/a.ts', `import { x } from '#server/http/route.ts'`],
    ['src/server/postgres/a.ts', `import type { X } from '#server/tables/invoices.ts'`],
    ['src/server/money/a.ts', `import { x } from '#server/jobs/worker.ts'`],
    ['src/server/http/a.ts', `import { x } from '#server/boot/start.ts'`],
    ['src/server/a.ts', `import { x } from '#server/routes/me.ts'`],
    ['src/kernel/a.ts', `export const x = (y: import('#entities/b.ts').B) => y`],
    ['src/kernel/a.ts', `export type { X } from '#entities/b.ts'`],
    ['src/kernel/a.ts', `declare module '#entities/b.ts' { interface X { y: 1 } }`],
    ['src/kernel/a.ts', 'const x = await import(`#entities/b.ts`)'],
    ['src/portal/shell/a.tsx', `const x = (name: string) => import('#portal/shell/' + name + '.tsx')`],
    ['src/portal/shell/a.tsx', `const x = import.meta.glob(['../ui/*.tsx', '!../ui/b.tsx', '/commands/**/*.ts'])`],
    ['src/portal/shell/a.tsx', `const x = import.meta.glob<Record<string, () => void>>('/commands/**/*.ts')`],
    ['src/portal/shell/a.tsx', `const x = new Worker(new URL('../palette-of/b.ts', import.meta.url))`],
    ['src/server/http/a.ts', `const x = require('#kernel/b.ts')`],
    ['src/portal/ui/a.css', `@import '../palette/palette.css';`],
    ['src/portal/ui/a.css', `/* its picture */ .x { background: center url(../list/picked.svg) }`],
    ['scripts/a.ts', `import { x } from '#portal/api/config.ts'`],
    ['src/terminal/a.ts', `import { x } from '#portal/platform/store.ts'`],
    ['src/terminal/a.ts', `import { useState } from 'react'`],
    ['src/portal/shell/a.tsx', `import { x } from '#terminal/main.ts'`],
    ['tests/portal/a.test.tsx', `import { x } from '#server/boot/start.ts'`],
    ['tests/server/a.test.ts', `import { x } from '#portal/list/list.ts'`],
    ['src/domain/a.ts', `import { x } from '#tests/support/server.ts'`],
    ['commands/employee/a.ts', `import { x } from '../../scripts/report.ts'`],
  ])('an import in a forbidden direction: %s %s', (path, text) => {
    expect(arrows(path, text)).toHaveLength(1)
  })

  test.each([
    ['src/contract/a.ts', `import { z } from 'zod'; import { x } from '#domain/b.ts'`],
    [
      'src/portal/main/main.tsx',
      `const x = import.meta.glob('/commands/**/*.ts', { eager: true }); import '#portal/nouns/employees/list.tsx'`,
    ],
    ['src/portal/commands/a.ts', `import { atom } from 'jotai/vanilla'`],
    ['src/server/http/a.ts', `import { x } from '#contract/b.ts'; import { y } from './c.ts'; import fs from 'node:fs'`],
    ['src/portal/list/a.css', `@import 'tailwindcss'; .x { background: url('./b.svg'), url("data:image/png;base64,AAAA") }`],
    ['src/portal/shell/a.tsx', `const x = import.meta.glob(['../ui/*.tsx', '!/commands/**/*.ts']); const y = import.meta.env`],
    ['src/server/tables/a.ts', `declare module '#server/tables/database.ts' { interface Database { a: 1 } }`],
    ['tests/e2e/a.e2e.ts', `import { x } from '#server/boot/settings.ts'; import { y } from '../../scripts/chromium.ts'`],
  ])('nothing where imports follow the directions: %s %s', (path, text) => {
    expect(arrows(path, text)).toEqual([])
  })

  test.each([
    'Number(on.id(one))',
    'Number(value)',
    'z.coerce.number()',
    '+id',
    'one.id - other.id',
    'a.invoice_id < 3',
    'userId > 1',
  ])('an id used as a number: %s', (code) => {
    expect(idsAsNumbers({ path: 'src/kernel/a.ts', text: `export const x = ${code}` })).toHaveLength(1)
    expect(idsAsNumbers({ path: 'src/server/a.ts', text: `export const x = ${code}` })).toEqual([])
  })

  test('nothing where ids stay text', () => {
    const text = 'export const x = [one.id === other.id, ids.length > 3, version - 1, String(one.id)]'
    expect(idsAsNumbers({ path: 'src/kernel/a.ts', text })).toEqual([])
  })

  test('an import cycle through several files, by types alone', () => {
    const file = (path: string, text: string) => readSource(`src/server/${path}.ts`, text)
    const found = circles([
      file('a', `import type { B } from '#server/b.ts'`),
      file('b', `export const b = (c: import('./c.ts').C) => c`),
      file('c', `import { a } from './a.ts'; import { d } from './d.ts'`),
      file('d', `import { z } from 'zod'`),
    ])
    expect(found).toEqual(['src/server/a.ts -> src/server/b.ts -> src/server/c.ts -> src/server/a.ts'])
  })

  test('a barrel, but not a file with declarations of its own', () => {
    const found = barrels([
      readSource('a.ts', `export { x } from './x.ts'`),
      readSource('b.ts', `import { x } from './x.ts'\nexport { x }`),
      readSource('c.ts', `export * from './x.ts'\nexport const y = 1`),
      readSource('d.ts', `import { x } from './x.ts'\nexport const y = x`),
    ])
    expect(found).toEqual(['a.ts', 'b.ts', 'c.ts'])
  })

  test('a vague name', () => {
    expect(vagueNames(['src/utils.ts', 'src/common/money.ts', 'src/portal/index.tsx', 'src/domain/money.ts'])).toHaveLength(3)
  })

  test('a function without a docstring', () => {
    const text = `
      export function bare() {}
      /** Says it. */
      export const said = () => 1
      export const silent = () => 1
      /** Overloaded. */
      export function several(a: string): void
      export function several(a: number): void
      export function several(): void {}
      export const value = 1
      // A comment is no docstring.
      export default function () {}
    `
    expect(undocumented([readSource('src/a.ts', text)]).map((each) => each.split(' ')[1])).toEqual(['bare', 'silent', 'default'])
    expect(undocumented([readSource('src/a.tsx', 'export function Dialog() { return <b /> }')])).toEqual([])
  })

  test('a file that is too long', () => {
    expect(longerThan([readSource('a.ts', 'const a = 1\n'.repeat(401))], 400)).toEqual(['a.ts has 401 lines'])
  })

  test('a refused word in a comment, a name, a title or a document, and a title that is too long', () => {
    // Written in parts, so that this file has no refused word itself.
    const [word, phrase] = ['to' + 'ld', 'what sta' + 'nds']
    const faults = (text: string, path = 'a.test.ts') => vocabularyFaults(path, text)
    expect(faults(`// Is ${word}.\nconst one = 1`)).toEqual([`a.test.ts:1 ${word}`])
    expect(faults(`const is${'To' + 'ld'} = { ${word}: 1 }`)).toHaveLength(2)
    expect(faults(`const ${'mo' + 'st'}Rows = 1`)).toHaveLength(1)
    expect(faults(`test.each([1])('[EMP-001] says ${phrase} %s', () => {})`)).toEqual([`a.test.ts:1 ${phrase} (title)`])
    expect(faults(`test('[EMP-001] ${'a'.repeat(91)}', () => {})`)).toEqual(['a.test.ts:1 title of 91 characters'])
    expect(faults(`test('[EMP-001] ${'a'.repeat(90)}', () => {})`)).toEqual([])
    expect(faults(`Says ${phrase}.\n\n\`${word}\``, 'a.md')).toEqual([`a.md:1 ${phrase}`])
    expect(faults(`const sentence = 'Nobody was ${word}.'`)).toEqual([])
  })

  test.each([
    `const folder = '/${'tmp'}/x'`,
    `see https://${['registry', 'npmjs', 'org'].join('.')}/zod`,
    `// ${'TO'}DO write it`,
  ])('a word that does not belong in the repository: %s', (text) => {
    expect(strayWords('a.ts', text)).toHaveLength(1)
  })

  test('a lock file tied to an address, without a platform, or without a checksum', () => {
    const integrity = `sha512-${'A'.repeat(86)}==`
    const packages = {
      '': {},
      'node_modules/a': { version: '1.0.0', integrity, optionalDependencies: { 'a-linux': '1.0.0', 'a-darwin': '1.0.0' } },
      'node_modules/a-linux': { version: '1.0.0', integrity, resolved: 'https://example.com/a.tgz' },
      'node_modules/b': { version: '1.0.0' },
      'node_modules/c': { version: '1.0.0', integrity: 'sha1-abc' },
      'node_modules/a/node_modules/d': { version: '1.0.0', inBundle: true },
    }
    expect(lockFaults({ packages })).toEqual([
      'a-darwin is missing',
      'node_modules/a-linux is tied to an address',
      'node_modules/b has no integrity',
      'node_modules/c has no integrity',
    ])
  })

  test('ids that differ from the path, and duplicate ids', () => {
    const found = wrongIds([
      { path: 'employee/pause.ts', default: { id: 'employee.stop' } },
      { path: 'filter/by.ts', default: [{ id: 'filter.by.status' }, { id: 'filter.status' }, { id: 'filter.by.status' }] },
    ])
    expect(found).toHaveLength(3)
  })

  test('a cast in a command', () => {
    const text = 'export const x = [(facts as Invoice).id, one!.id, <Invoice>facts, ["a"] as const]'
    expect(castsIn({ path: 'commands/a/b.ts', text })).toHaveLength(3)
    expect(castsIn({ path: 'src/kernel/a.ts', text })).toEqual([])
  })

  test('two commands on one chord', () => {
    const on = (name: string) => ({ name }) as Command['on']
    const one = (id: string, keys: Command['keys'], entity?: string) => ({ id, keys, ...(entity ? { on: on(entity) } : {}) })
    const row = (chord: string, toggles?: string) => [{ scope: 'row' as const, chord, ...(toggles ? { toggles } : {}) }]
    expect(clashingKeys([one('a', row('p'), 'employee'), one('b', row('p'), 'employee')])).toHaveLength(1)
    expect(clashingKeys([one('a', row('p'), 'employee'), one('b', row('p'), 'invoice')])).toEqual([])
    expect(clashingKeys([one('a', row('p', 'x'), 'employee'), one('b', row('p', 'x'), 'employee')])).toEqual([])
    expect(clashingKeys([one('a', row('p', 'x'), 'employee'), one('b', row('p', 'y'), 'employee')])).toHaveLength(1)
    expect(clashingKeys([one('a', [{ scope: 'grid', chord: 'g' }]), one('b', [{ scope: 'grid', chord: 'g e' }])])).toHaveLength(1)
    expect(clashingKeys([one('a', [{ scope: 'workspace', chord: 'g e' }]), one('b', row('g'), 'employee')])).toHaveLength(1)
    expect(clashingKeys([one('a', [{ scope: 'grid', chord: 'h' }]), one('b', [{ scope: 'detail', chord: 'h' }])])).toEqual([])
    for (const chord of ['a', 'x', 'Space', 'ArrowDown', 'Home', 'j', '/', 'Shift+/', 'Mod+A', 'Mod+K'])
      expect(clashingKeys([one('a', row(chord), 'employee'), ...fixedKeysOf('grid')])).toHaveLength(1)
    for (const chord of ['3', 'k', 'Escape'])
      expect(clashingKeys([one('a', row(chord), 'employee'), ...fixedKeysOf('detail')])).toHaveLength(1)
    expect(
      clashingKeys([one('a', [{ scope: 'everywhere', chord: 'Mod+B' }]), one('b', [{ scope: 'row', chord: 'Mod+B' }])]),
    ).toHaveLength(1)
  })

  test.each([
    [{ scope: 'everywhere', chord: 'p' }],
    [{ scope: 'grid', chord: 'Mod+T' }],
    [{ scope: 'grid', chord: 'Alt+D' }],
  ] as const)('a chord that commands may not use: %o', (key) => {
    expect(forbiddenKeys([{ id: 'a', keys: [key] }])).toHaveLength(1)
  })

  test('an intent without a permission, and calls without a handler', () => {
    const nothing = z.object({})
    const write = endpoint({
      method: 'POST',
      path: '/a',
      summary: 'A',
      tag: 'A',
      params: nothing,
      query: nothing,
      answer: nothing,
      needs: byIntent,
    })
    const open = intent(write, {
      id: 'a.open',
      body: nothing,
      needs: { kind: 'signed-in' },
      event: 'Opened',
    }) as unknown as AnyIntent
    const kept = intent(write, {
      id: 'a.kept',
      body: nothing,
      needs: all('write:employees'),
      event: 'Kept',
    }) as unknown as AnyIntent
    expect(unguarded([open, kept])).toEqual(['a.open needs no permission'])
    expect(ambiguous([open, kept])).toEqual(['a.open and a.kept cannot be told apart'])
    const fixed = (id: string, values: Record<string, unknown>) => ({ ...kept, id, fixed: values }) as AnyIntent
    expect(ambiguous([kept, fixed('a.on', { on: true }), fixed('a.off', { on: false })])).toEqual([])
    expect(ambiguous([fixed('a.on', { on: true }), fixed('a.late', { late: true })])).toHaveLength(1)
    expect(ambiguous([fixed('a.on', { on: true }), fixed('a.both', { on: true, late: true })])).toHaveLength(1)
    const withBody = (id: string, body: z.ZodObject) => ({ ...kept, id, body }) as unknown as AnyIntent
    const named = withBody('a.name', z.object({ name: z.string(), version: z.int() }))
    const dated = withBody('a.date', z.object({ date: z.string(), version: z.int() }))
    const loose = withBody('a.loose', z.object({ size: z.int().optional(), version: z.int() }))
    expect(ambiguous([named, dated])).toEqual([])
    expect(ambiguous([named, loose])).toEqual(['a.name and a.loose cannot be told apart'])
    expect(mismatchedByIntent([write], [kept])).toEqual([])
    expect(mismatchedByIntent([write], [])).toEqual(['POST /a has no intents'])
    expect(mismatchedByIntent([{ ...write, needs: all('write:employees') }], [])).toEqual([])
    const speaking = { ...write, needs: all('write:employees') }
    expect(mismatchedByIntent([speaking], [{ ...kept, endpoint: speaking } as AnyIntent])).toHaveLength(1)
    expect(unhandled([write], [kept], [])).toHaveLength(2)
    const handle = async () => ({})
    expect(
      unhandled(
        [write],
        [],
        [
          { endpoint: write, handle },
          { endpoint: write, handle },
        ],
      ),
    ).toHaveLength(1)
    expect(unhandled([], [], [{ endpoint: write, handle }])).toHaveLength(1)
  })
})
