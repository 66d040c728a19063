import { readdirSync } from 'node:fs'
import { basename } from 'node:path'

/** All modules of a folder by name without extension, in alphabetical order: discovered, not listed. */
export async function modulesIn(folder: URL): Promise<Map<string, Record<string, unknown>>> {
  const files = readdirSync(folder)
    .filter((file) => file.endsWith('.ts'))
    .sort()
  const modules = files.map((file) => import(new URL(file, folder).href) as Promise<Record<string, unknown>>)
  return new Map((await Promise.all(modules)).map((module, index) => [basename(files[index] as string, '.ts'), module]))
}
