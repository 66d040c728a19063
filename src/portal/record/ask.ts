import type { AnswerOf, AnyEndpoint } from '#contract/define.ts'
import { detailOf } from '#kernel/api-client.ts'
import { apiClient } from '#portal/api/client.ts'

/** The answer, or the problem in the server's words if it gave any. */
export type AskResult<E extends AnyEndpoint> = { answer: AnswerOf<E> } | { problem: string }

/** Posts a query that is too long for an address; it changes nothing. */
export async function ask<E extends AnyEndpoint>(endpoint: E, body: unknown): Promise<AskResult<E>> {
  try {
    return { answer: (await apiClient.post(endpoint, {}, body)) as AnswerOf<E> }
  } catch (error) {
    return { problem: detailOf(error) ?? 'The server did not answer.' }
  }
}
