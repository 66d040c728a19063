import type { Command } from '#kernel/command.ts'
import type { AnyEntity } from '#kernel/entity.ts'
import { register } from '#portal/app/registry.ts'
import '#contract/sentences.ts'
import '#portal/ui/command-icons.ts'

// Every command and noun, with the calls that they make: `main.tsx` fetches this right after the first list.
const found = {
  commands: import.meta.glob<Command | Command[]>(['../../../commands/**/*.ts', '!../../../commands/**/*.page.ts'], {
    eager: true,
    import: 'default',
  }),
  entities: import.meta.glob<Record<string, unknown>>('../../entities/*.ts', { eager: true }),
}

const isEntity = (value: unknown): value is AnyEntity => (value as { kind?: unknown } | null | undefined)?.kind === 'entity'

register({
  commands: Object.values(found.commands).flat(),
  entities: Object.values(found.entities).flatMap((module) => Object.values(module).filter(isEntity)),
})
