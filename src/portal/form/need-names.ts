import type { Need, PermissionName } from '#domain/permissions.ts'
import { changes, type Command } from '#kernel/command.ts'

/** The permissions that a command needs for a target, as the head of its form shows them. */
export function needNames(command: Command, target: unknown): PermissionName[] {
  const calls = changes(command) ? command.does.map((intent) => intent.needs) : 'reads' in command ? [command.reads.needs] : []
  const needs = [...calls, ...(command.also ? [command.also] : [])] as Need<unknown>[]
  return [...new Set(needs.flatMap((need) => namesOf(need, target)))]
}

function namesOf(need: Need<unknown>, target: unknown): readonly PermissionName[] {
  if (need.kind === 'by-target' && target !== undefined) return namesOf(need.need(target), target)
  return 'names' in need ? need.names : []
}
