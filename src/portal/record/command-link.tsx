import { useAtomValue } from 'jotai'
import type { ReactNode } from 'react'
import { availability } from '#kernel/availability.ts'
import type { AnyEntity } from '#kernel/entity.ts'
import { commandById, registeredAtom } from '#portal/platform/registry.ts'
import { store } from '#portal/platform/store.ts'
import { commandContextAtom } from '#portal/list/command-context.ts'
import { startCommand } from '#portal/platform/commands.ts'
import { oneTarget } from '#portal/list/target.ts'

interface CommandLinkProps {
  /** Id of the command. */
  run: string
  entity: AnyEntity
  one: unknown
  children: ReactNode
}

/** Text about a record that starts a command on it; plain text if the command is unavailable. */
export function CommandLink({ run, entity, one, children }: CommandLinkProps) {
  useAtomValue(registeredAtom, { store })
  const context = useAtomValue(commandContextAtom, { store })
  const command = commandById(run)
  if (!command || 'sentence' in availability(command, context, one)) return children
  return (
    <button type="button" className="link" onClick={() => startCommand(run, { targets: oneTarget(entity.name, entity.id(one)) })}>
      {children}
    </button>
  )
}
