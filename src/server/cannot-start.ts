/** Why the server does not start: one sentence with the remedy. Nothing was changed. */
export class CannotStart extends Error {}

/** The message of any thrown value, on one line. */
export const messageOf = (thrown: unknown): string =>
  (thrown instanceof Error ? thrown.message || thrown.name : String(thrown)).replace(/\s+/g, ' ').trim()

/** The `code` of Node and PostgreSQL errors, such as EACCES or 40P01. */
export const codeOf = (thrown: unknown): string =>
  typeof thrown === 'object' && thrown !== null && 'code' in thrown ? String(thrown.code) : ''
