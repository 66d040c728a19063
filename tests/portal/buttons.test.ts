import { globSync, readFileSync } from 'node:fs'
import { parseSync } from 'oxc-parser'
import { expect, test } from 'vitest'
import { guard } from '#kernel/availability.ts'
import type { Command } from '#kernel/command.ts'
import { commandFinder } from '#portal/palette/command-rows.ts'

interface Node {
  type: string
  start: number
  end: number
  name?: string | Node
  value?: unknown
  [key: string]: unknown
}

const files = globSync('src/portal/**/*.tsx')
const found = await Promise.all(
  globSync('commands/**/*.ts').map((path) => import(new URL(`../../${path}`, import.meta.url).href)),
)
const commands: Command[] = found.flatMap((module) => [module.default].flat())
const ids = new Set(commands.map((command) => command.id))

function walk(node: unknown, see: (node: Node) => void): void {
  if (Array.isArray(node)) for (const each of node) walk(each, see)
  else if (node && typeof node === 'object' && 'type' in node) {
    see(node as Node)
    for (const value of Object.values(node)) walk(value, see)
  }
}

/** What a handler calls or names, with the functions of its own file that it goes through. */
function reached(handler: unknown, own: ReadonlyMap<string, unknown>, seen = new Set<string>()): Set<string> {
  walk(handler, (node) => {
    if (node.type !== 'Identifier' || typeof node.name !== 'string' || seen.has(node.name)) return
    seen.add(node.name)
    if (own.has(node.name)) reached(own.get(node.name), own, seen)
  })
  return seen
}

/** Every handler of a click in a file: where it stands, and what it reaches. */
function clicks(path: string): { at: string; reaches: Set<string>; text: string }[] {
  const text = readFileSync(path, 'utf8')
  const { program } = parseSync(path, text)
  const own = new Map<string, unknown>()
  walk(program, (node) => {
    const { id, init, body } = node as { id?: { name?: string }; init?: Node; body?: Node }
    if (node.type === 'VariableDeclarator' && id?.name && /Function/.test(init?.type ?? '')) own.set(id.name, init)
    if (node.type === 'FunctionDeclaration' && id?.name && /^[a-z]/.test(id.name)) own.set(id.name, body)
  })
  const handlers: { at: string; reaches: Set<string>; text: string }[] = []
  walk(program, (node) => {
    if (node.type !== 'JSXAttribute' || (node.name as Node).name !== 'onClick') return
    const value = node.value as Node
    const line = text.slice(0, node.start).split('\n').length
    handlers.push({ at: `${path}:${line}`, reaches: reached(value, own), text: text.slice(value.start, value.end) })
  })
  return handlers
}

/** Runs a command: by its id, as a row of the palette, or by sending its form. */
const runs = ['startCommand', 'onPick', 'onward']

/** Changes nothing but what is on screen: closes, goes back, chooses a tab, asks again, fills in a field of a form. */
const onScreen = [
  ...[
    'closePalette',
    'popPage',
    'openPalette',
    'openActions',
    'showKeyMap',
    'showLoadError',
    'dismiss',
    'forgetElsewhere',
    'focusWork',
  ],
  ...[
    'go',
    'open',
    'choose',
    'setAt',
    'setActive',
    'setShown',
    'setStage',
    'setAsked',
    'again',
    'more',
    'reload',
    'back',
    'stay',
  ],
  ...[
    'onClick',
    'onOpen',
    'onRemove',
    'clearFilters',
    'set',
    'fill',
    'onChange',
    'startUp',
    'show',
    'loadPane',
    'location',
    'copy',
    'setSort',
  ],
]
/** Belongs to signing in and out, before and after every command. */
const session = ['leave', 'onPick']

test('[CARD-001, CARD-003] every button runs a registered command, or changes nothing but what is on screen', () => {
  const all = files.flatMap(clicks)
  expect(all.length).toBeGreaterThan(40)
  const others = all.filter(({ reaches }) => ![...runs, ...onScreen, ...session].some((name) => reaches.has(name)))
  expect(others.map(({ at, text }) => `${at} ${text}`)).toEqual([])
  // None reaches past the commands for what changes something.
  const past = ['wire', 'runCommand', 'runOne', 'undoEntry', 'undoLast', 'stopTheRun', 'retryTheRun', 'runHere', 'runOnServer']
  expect(all.filter(({ reaches }) => past.some((name) => reaches.has(name))).map(({ at }) => at)).toEqual([])
})

test('[CARD-001] every command that is named where it is started is registered, and has a guard', () => {
  const named = files.flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/(?:startCommand|doIt)\(\s*'([^']+)'/g)].map(([, id]) => id as string),
  )
  expect(named).toEqual(expect.arrayContaining(['run.stop', 'run.retry', 'session.undo', 'view.columns', 'list.refresh']))
  expect(named.filter((id) => !ids.has(id))).toEqual([])
  const nobody = new Set<number>()
  const open = commands.filter((command) => 'does' in command && guard(command, nobody).verdict === 'yes')
  expect(open.map((command) => command.id)).toEqual([])
})

test('[CARD-003] the palette finds every command by its title', () => {
  const find = commandFinder(commands)
  const missed = commands.filter((command) => !find(command.title, () => 0, 20).some((hit) => hit.item.of === command))
  expect(missed.map((command) => command.id)).toEqual([])
})
