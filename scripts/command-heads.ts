import { globSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Command } from '#kernel/command.ts'
import { type CommandHead, headOf } from '#kernel/command-head.ts'

/** Folders whose commands are always needed: `src/portal/main/everything.ts` loads them completely. */
export const everywhere = ['filter', 'history', 'link', 'list', 'note', 'open', 'run', 'session', 'view']

/** The files of the commands that are loaded with their nouns, as absolute paths, by folder. */
export function laterFiles(): Map<string, string[]> {
  const root = join(import.meta.dirname, '..')
  const files = globSync('commands/*/!(*.page).ts', { cwd: root }).sort()
  const folderOf = (path: string): string => path.split(/[\\/]/)[1] ?? ''
  const later = files.filter((path) => !everywhere.includes(folderOf(path)))
  return new Map([...Map.groupBy(later, folderOf)].map(([folder, paths]) => [folder, paths.map((path) => join(root, path))]))
}

/** The heads of all commands that are loaded with their nouns, by id. */
export async function commandHeads(): Promise<CommandHead[]> {
  const modules = await Promise.all(
    [...laterFiles().values()]
      .flat()
      .map((file) => import(pathToFileURL(file).href) as Promise<{ default: Command | Command[] }>),
  )
  const commands = modules.flatMap((module) => module.default)
  return commands.map(headOf).sort((a, b) => a.id.localeCompare(b.id))
}
