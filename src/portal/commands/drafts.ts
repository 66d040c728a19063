import { z } from 'zod'
import { bulkOf, type Command } from '#kernel/command.ts'
import { noTargets, type Targets } from '#portal/platform/commands.ts'
import { targetsBy } from '#portal/list/target.ts'
import { meAtom } from '#portal/api/session.ts'
import { writeStorage, readStorage, storedNames } from '#portal/platform/storage.ts'
import { store } from '#portal/platform/store.ts'

const shape = z.record(z.string(), z.unknown())

/** Storage key of a draft: the person, the command, and its targets. */
function draftKey(command: string, targets: Targets): string | null {
  const what = targets.filter ? JSON.stringify(targets.filter) : targets.ids.join(',')
  const start = keyPrefix(command, targets.entity)
  return start && start + what
}

/** Key prefix of the drafts of a command on one noun. */
function keyPrefix(command: string, entity: string | null): string | null {
  const person = store.get(meAtom)?.person.id
  return person ? `admin-portal.draft.${person}.${command}.${entity ?? ''}.` : null
}

/** The draft of a form: typed and not sent; null if there is none. */
export function draft(command: string, targets: Targets): Record<string, unknown> | null {
  const name = draftKey(command, targets)
  return name ? readStorage(name, shape, 'sessionStorage') : null
}

/**
 * Stores a draft in the session storage of the tab, and removes it if nothing is typed; returns whether there is a draft. The
 * caller must leave out secrets.
 */
export function keepDraft(command: string, targets: Targets, typed: Record<string, unknown>): boolean {
  const name = draftKey(command, targets)
  const some = Object.keys(typed).length > 0
  if (!some) dropDraft(command, targets)
  else if (name) writeStorage(name, typed, 'sessionStorage')
  return some
}

/**
 * Stored beside a draft. For amounts: `refused`, the sentence that says what to settle before sending (docs/rules/forms.md), and
 * `does`, the total last seen. For edits: `seen`, the saved values of the dirty fields.
 */
const draftExtras = ['refused', 'does', 'seen'] as const
type DraftExtra = (typeof draftExtras)[number]
const extraName = (name: string, what: DraftExtra): string => `${name}.${what}`

/** Removes a draft after it was sent or discarded. */
export function dropDraft(command: string, targets: Targets): void {
  const name = draftKey(command, targets)
  if (name)
    for (const each of [name, ...draftExtras.map((what) => extraName(name, what))]) writeStorage(each, null, 'sessionStorage')
}

/** A value stored beside a draft; null if there is none. */
export function besideDraft(what: DraftExtra, command: string, targets: Targets): string | null {
  const name = draftKey(command, targets)
  return name ? readStorage(extraName(name, what), z.string(), 'sessionStorage') : null
}

/** Stores a value beside a draft, for when the form is opened again; null removes it. */
export function keepBeside(what: DraftExtra, command: string, targets: Targets, text: string | null): void {
  const name = draftKey(command, targets)
  if (name) writeStorage(extraName(name, what), text, 'sessionStorage')
}

/**
 * Removes the drafts of a command that was done for a record, or without one. For a command on several records together, every
 * draft that includes this record goes.
 */
export function dropSent(command: Command, target: { entity: string; id: string } | null): void {
  const one = target ? targetsBy(target.entity, [target.id]) : noTargets
  dropDraft(command.id, one)
  const start = target && bulkOf(command)?.together ? keyPrefix(command.id, target.entity) : null
  if (target && start)
    for (const name of storedNames('sessionStorage'))
      if (name.startsWith(start) && name.slice(start.length).split(',').includes(target.id))
        writeStorage(name, null, 'sessionStorage')
}

/** The saved values, by field, at the time the draft was typed; empty if unknown. */
export function seenWith(command: string, targets: Targets): Record<string, unknown> {
  const text = besideDraft('seen', command, targets)
  const read = text === null ? null : shape.safeParse(JSON.parse(text))
  return read?.data ?? {}
}

/** Stores the current saved values of these fields, which are being edited. */
export const keepSeen = (command: string, targets: Targets, names: readonly string[], seen: Record<string, unknown>): void =>
  keepBeside('seen', command, targets, JSON.stringify(Object.fromEntries(names.map((name) => [name, seen[name] ?? null]))))
