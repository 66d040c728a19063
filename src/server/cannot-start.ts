/** Why the server does not start: one sentence that says what to do. Nothing was changed. */
export class CannotStart extends Error {}

/** The text of anything that was thrown, on one line. */
export const messageOf = (thrown: unknown): string =>
  (thrown instanceof Error ? thrown.message || thrown.name : String(thrown)).replace(/\s+/g, ' ').trim()

/** The code that Node and PostgreSQL put on their errors, such as EACCES or 40P01. */
export const codeOf = (thrown: unknown): string =>
  typeof thrown === 'object' && thrown !== null && 'code' in thrown ? String(thrown.code) : ''
