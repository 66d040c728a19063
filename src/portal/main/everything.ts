import type { Command } from '#kernel/command.ts'
import type { AnyEntity } from '#kernel/entity.ts'
import { untilThere } from '#portal/platform/deferred.ts'
import { register, registerMore } from '#portal/platform/registry.ts'
import { registerFavourites } from '#portal/commands/favourites.ts'
import { openFromLink } from '#portal/commands/links.ts'
import { Palette } from '#portal/palette/palette.tsx'
import { provideCoreParts } from '#portal/shell/core-parts.ts'
import { startWatches } from '#portal/shell/watches.ts'
import '#contract/sentences.ts'
import '#portal/commands/host.ts'
import '#portal/ui/command-icons.ts'

// All nouns, commands and calls: `main.tsx` loads this right after the first list.
const found = {
  commands: import.meta.glob<Command | Command[]>(
    ['../../../commands/*/*.ts', '!../../../commands/*/*.page.ts', '!../../../commands/list/{remove,shared}-view.ts'],
    { eager: true, import: 'default' },
  ),
  // Commands without a key that are rarely run load after these.
  others: import.meta.glob<Command | Command[]>('../../../commands/list/{remove,shared}-view.ts', { import: 'default' }),
  entities: import.meta.glob<Record<string, unknown>>('../../entities/*.ts', { eager: true }),
}

const isEntity = (value: unknown): value is AnyEntity => (value as { kind?: unknown } | null | undefined)?.kind === 'entity'

register({
  commands: Object.values(found.commands).flat(),
  entities: Object.values(found.entities).flatMap((module) => Object.values(module).filter(isEntity)),
})

void untilThere(() => Promise.all(Object.values(found.others).map((load) => load()))).then((others) =>
  registerMore('later', others.flat()),
)

// Their shortcuts work as soon as the others do.
registerFavourites()

provideCoreParts({ Palette, startWatches, openFromLink })
