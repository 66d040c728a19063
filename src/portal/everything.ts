import { collect } from '#contract/define.ts'
import type { Command } from '#kernel/command.ts'
import type { AnyEntity } from '#kernel/entity.ts'
import { register } from '#portal/state/registry.ts'
import '#portal/ui/command-icons.ts'

// Every command, noun and call: `main.tsx` fetches this right after the first list.
type Module = Record<string, unknown>
const found = {
  commands: import.meta.glob<Module>('../../commands/**/*.ts', { eager: true }),
  entities: import.meta.glob<Module>('../entities/*.ts', { eager: true }),
  contract: import.meta.glob<Module>('../contract/*.ts', { eager: true }),
}

const isEntity = (value: unknown): value is AnyEntity => (value as { kind?: unknown } | null | undefined)?.kind === 'entity'

register({
  commands: Object.values(found.commands).flatMap((module) => [module['default']].flat() as Command[]),
  entities: Object.values(found.entities).flatMap((module) => Object.values(module).filter(isEntity)),
  ...collect(Object.values(found.contract)),
})
