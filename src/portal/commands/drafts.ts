import { z } from 'zod'
import { changes, type Command } from '#kernel/command.ts'
import { noTargets, type Targets } from '#portal/platform/commands.ts'
import { targetsBy } from '#portal/list/target.ts'
import { meAtom } from '#portal/api/session.ts'
import { writeStorage, readStorage, storedNames } from '#portal/platform/storage.ts'
import { store } from '#portal/platform/store.ts'

const shape = z.record(z.string(), z.unknown())

/** What a draft belongs to: the person, the command, and what it is done to. */
function nameOf(command: string, targets: Targets): string | null {
  const what = targets.filter ? JSON.stringify(targets.filter) : targets.ids.join(',')
  const start = nameOn(command, targets.entity)
  return start && start + what
}

/** What the drafts of a command on one noun begin with. */
function nameOn(command: string, entity: string | null): string | null {
  const person = store.get(meAtom)?.person.id
  return person ? `admin-portal.draft.${person}.${command}.${entity ?? ''}.` : null
}

/** What was typed into a form and not sent; null when nothing was. */
export function draft(command: string, targets: Targets): Record<string, unknown> | null {
  const name = nameOf(command, targets)
  return name ? readStorage(name, shape, 'sessionStorage') : null
}

/**
 * Keeps what was typed for as long as the tab lives, and forgets the draft where nothing is any more; answers whether something is.
 * Secrets have to be left out by the caller.
 */
export function keepDraft(command: string, targets: Targets, typed: Record<string, unknown>): boolean {
  const name = nameOf(command, targets)
  const some = Object.keys(typed).length > 0
  if (!some) dropDraft(command, targets)
  else if (name) writeStorage(name, typed, 'sessionStorage')
  return some
}

/**
 * What is kept beside a draft. Of money: `refused`, what has to be settled before it is sent, as a sentence (D522), and `does`, what its
 * amounts came to when they were last seen (D542). Of what is edited: `seen`, what was saved in the fields that were typed over (D544,
 * D546).
 */
const besides = ['refused', 'does', 'seen'] as const
type Beside = (typeof besides)[number]
const besideOf = (name: string, what: Beside): string => `${name}.${what}`

/** Forgets a draft: it was sent, or taken back. */
export function dropDraft(command: string, targets: Targets): void {
  const name = nameOf(command, targets)
  if (name) for (const each of [name, ...besides.map((what) => besideOf(name, what))]) writeStorage(each, null, 'sessionStorage')
}

/** What is kept beside a draft; null where nothing is. */
export function besideDraft(what: Beside, command: string, targets: Targets): string | null {
  const name = nameOf(command, targets)
  return name ? readStorage(besideOf(name, what), z.string(), 'sessionStorage') : null
}

/** Keeps that for when the form is opened again; null forgets it. */
export function keepBeside(what: Beside, command: string, targets: Targets, text: string | null): void {
  const name = nameOf(command, targets)
  if (name) writeStorage(besideOf(name, what), text, 'sessionStorage')
}

/**
 * Forgets what was typed for a command that was done to a thing, or to none. Where it is done to several together, they stand
 * under one of them: so does every draft that this one has a part in.
 */
export function dropSent(command: Command, target: { entity: string; id: string } | null): void {
  const one = target ? targetsBy(target.entity, [target.id]) : noTargets
  dropDraft(command.id, one)
  const start = target && changes(command) && command.together ? nameOn(command.id, target.entity) : null
  if (target && start)
    for (const name of storedNames('sessionStorage'))
      if (name.startsWith(start) && name.slice(start.length).split(',').includes(target.id))
        writeStorage(name, null, 'sessionStorage')
}

/** What was saved when the draft of a command was typed, by field; nothing where it is not known. */
export function seenWith(command: string, targets: Targets): Record<string, unknown> {
  const text = besideDraft('seen', command, targets)
  const read = text === null ? null : shape.safeParse(JSON.parse(text))
  return read?.data ?? {}
}

/** Keeps of these fields what is saved as they are typed. */
export const keepSeen = (command: string, targets: Targets, names: readonly string[], seen: Record<string, unknown>): void =>
  keepBeside('seen', command, targets, JSON.stringify(Object.fromEntries(names.map((name) => [name, seen[name] ?? null]))))
