import type { Desk } from '#kernel/desk.ts'

let provided: Desk | undefined

/** Called by `host.ts`, which comes with the commands: what they act on. */
export function provideDesk(desk: Desk): void {
  provided = desk
}

/** The person's desk in this window. Throws before the commands are there, without which nothing acts on it. */
export function deskHere(): Desk {
  if (!provided) throw new Error('No command is there yet.')
  return provided
}
