import { z } from 'zod'
import type { Targets } from '#portal/palette/state.ts'
import { meAtom } from '#portal/session/session.ts'
import { keep, kept } from '#portal/app/storage.ts'
import { store } from '#portal/app/store.ts'

const shape = z.record(z.string(), z.unknown())

/** What a draft belongs to: the person, the command, and what it is done to. */
function nameOf(command: string, targets: Targets): string | null {
  const person = store.get(meAtom)?.person.id
  const what = targets.filter ? JSON.stringify(targets.filter) : targets.ids.join(',')
  return person ? `admin-portal.draft.${person}.${command}.${targets.entity ?? ''}.${what}` : null
}

/** What was typed into a form and not sent; null when nothing was. */
export function draft(command: string, targets: Targets): Record<string, unknown> | null {
  const name = nameOf(command, targets)
  return name ? kept(name, shape, 'sessionStorage') : null
}

/** Keeps what was typed for as long as the tab lives. Secrets have to be left out by the caller. */
export function keepDraft(command: string, targets: Targets, values: Record<string, unknown>): void {
  const name = nameOf(command, targets)
  if (name) keep(name, values, 'sessionStorage')
}

/** Forgets a draft: it was sent. */
export function dropDraft(command: string, targets: Targets): void {
  const name = nameOf(command, targets)
  if (name) keep(name, null, 'sessionStorage')
}
