import { expect } from 'vitest'
import { type Answer, call, type TestServer } from '#tests/support/server.ts'

interface Who {
  headers: Record<string, string>
}

/** Calls as `who`, unless another person is given. Both are functions, since a test file creates the client before its tests. */
export function asking(server: () => TestServer, who: () => Who) {
  const send = (method: string, path: string, body?: unknown, as: Who = who()): Promise<Answer> =>
    call(server(), method, path, { headers: as.headers, body })
  return {
    send,
    /** The body of a successful answer; fails on any other. */
    good: async (...asked: Parameters<typeof send>) => {
      const answer = await send(...asked)
      expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
      return answer.body
    },
  }
}

/** The messages of a refusal by field. */
export function refusedFields({ status, body }: Answer): Record<string, string> {
  expect(status, JSON.stringify(body)).toBe(422)
  return Object.fromEntries(body.errors.map((each: { path: string; message: string }) => [each.path, each.message]))
}
