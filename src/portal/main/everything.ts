import { heads, later } from 'virtual:command-heads'
import type { Command } from '#kernel/command.ts'
import { comingCommand } from '#kernel/command-head.ts'
import type { AnyEntity } from '#kernel/entity.ts'
import { provideRest } from '#portal/platform/bundle.ts'
import { entityByName, register } from '#portal/platform/registry.ts'
import { restOfCommands } from '#portal/commands/rest-of-commands.ts'
import '#contract/sentences.ts'
import '#portal/commands/host.ts'
import '#portal/ui/command-icons.ts'

// All nouns, and the commands needed everywhere: `main.tsx` loads this right after the first list. For the other commands it has
// their metadata (search terms, keys, permissions); the rest loads with their nouns.
const found = {
  commands: import.meta.glob<Command | Command[]>(
    ['../../../commands/{filter,history,link,list,note,open,run,session,view}/*.ts', '!../../../commands/**/*.page.ts'],
    { eager: true, import: 'default' },
  ),
  entities: import.meta.glob<Record<string, unknown>>('../../entities/*.ts', { eager: true }),
}

const isEntity = (value: unknown): value is AnyEntity => (value as { kind?: unknown } | null | undefined)?.kind === 'entity'

register({
  commands: Object.values(found.commands).flat(),
  entities: Object.values(found.entities).flatMap((module) => Object.values(module).filter(isEntity)),
})
register({ coming: heads.map((head) => comingCommand(head, entityByName)) })
provideRest(restOfCommands(later))
