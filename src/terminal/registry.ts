import type { Command } from '#kernel/command.ts'
import type { AnyEntity } from '#kernel/entity.ts'
import type { AnyPageForm } from '#kernel/page-form.ts'
import type { ListPane } from '#portal/list/panes.ts'
import '#contract/sentences.ts'

// The same nouns, commands and lists as in the portal, found by their location.
const found = {
  commands: import.meta.glob<Command | Command[]>(['../../commands/*/*.ts', '!../../commands/*/*.page.ts'], {
    eager: true,
    import: 'default',
  }),
  pages: import.meta.glob<AnyPageForm>('../../commands/*/*.page.ts', { import: 'default' }),
  entities: import.meta.glob<Record<string, unknown>>('../entities/*.ts', { eager: true }),
  lists: import.meta.glob<ListPane>('../portal/nouns/*/list.tsx', { import: 'default' }),
}

const isEntity = (value: unknown): value is AnyEntity => (value as { kind?: unknown } | null | undefined)?.kind === 'entity'

/** All commands, by id. */
export const commands: readonly Command[] = Object.values(found.commands)
  .flat()
  .sort((a, b) => a.id.localeCompare(b.id))

/** All nouns; those with a list first. */
export const entities: readonly AnyEntity[] = Object.values(found.entities)
  .flatMap((module) => Object.values(module).filter(isEntity))
  .sort((a, b) => Number(b.pane) - Number(a.pane) || a.name.localeCompare(b.name))

/** A command by its id. */
export const commandById = (id: string): Command | undefined => commands.find((command) => command.id === id)

/** A noun by its name; throws for an unknown one. */
export function entityByName(name: string): AnyEntity {
  const entity = entities.find((each) => each.name === name)
  if (!entity) throw new Error(`There is no entity named ${name}.`)
  return entity
}

/** The list of a noun with its columns; null for a noun without one. */
export async function listOf({ path }: AnyEntity): Promise<ListPane | null> {
  const load = found.lists[`../portal/nouns${path}/list.tsx`]
  return load ? load() : null
}

/** The form of a command that is a page; null for any other command. */
export async function pageFormOf({ id }: Pick<Command, 'id'>): Promise<AnyPageForm | null> {
  const load = found.pages[`../../commands/${id.replace('.', '/')}.page.ts`]
  return load ? load() : null
}
