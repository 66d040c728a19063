import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { guard } from '#kernel/availability.ts'
import type { Command } from '#kernel/command.ts'
import { commandFinder } from '#portal/palette/command-rows.ts'

const files = globSync('src/portal/**/*.tsx')
const found = await Promise.all(
  globSync('commands/**/!(*.page).ts').map((path) => import(new URL(`../../${path}`, import.meta.url).href)),
)
const commands: Command[] = found.flatMap((module) => [module.default].flat())
const ids = new Set(commands.map((command) => command.id))

test('[CARD-001] every command that the code starts by id is registered, and has a guard', () => {
  const named = files.flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/(?:startCommand|doIt)\(\s*'([^']+)'/g)].map(([, id]) => id as string),
  )
  expect(named).toEqual(expect.arrayContaining(['run.stop', 'run.retry', 'session.undo', 'view.columns', 'list.refresh']))
  expect(named.filter((id) => !ids.has(id))).toEqual([])
  const nobody = new Set<number>()
  const open = commands.filter((command) => 'does' in command && guard(command, nobody).verdict === 'yes')
  // Their own views and sessions need no permission: the guard is the sign-in.
  expect(open.map((command) => command.id).sort()).toEqual([
    'list.remove-view',
    'list.save-view',
    'session.end',
    'session.end-others',
  ])
})

test('[CARD-003] the palette finds every command by its title', () => {
  const find = commandFinder(commands)
  const missed = commands.filter((command) => !find(command.title, () => 0, 20).some((hit) => hit.item.of === command))
  expect(missed.map((command) => command.id)).toEqual([])
})
