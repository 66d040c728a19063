import type { z } from 'zod'

/** An answer as stored: a time is a Date. */
type Stored<Answer> = {
  readonly [Name in keyof Answer]: string extends NonNullable<Answer[Name]> ? Answer[Name] | Date : Answer[Name]
}

/** A row as returned by the API: the properties of the schema of an answer, times as text. */
export const answerOf = <Schema extends z.ZodObject>({ shape }: Schema, row: Stored<z.output<Schema>>): z.output<Schema> =>
  Object.fromEntries(
    Object.keys(shape).flatMap((name) => {
      const value: unknown = row[name as keyof typeof row]
      return value === undefined ? [] : [[name, value instanceof Date ? value.toISOString() : value]]
    }),
  ) as z.output<Schema>
