import { atom } from 'jotai/vanilla'
import type { z } from 'zod'
import { getDemoAccounts } from '#contract/authentication.ts'
import { store } from '#portal/platform/store.ts'
import { request } from '#portal/api/client.ts'

export type DemoAccounts = z.output<typeof getDemoAccounts.answer>

/** Accounts and codes of the demo, with the time they were fetched; null without a demo. */
export const demoAtom = atom<(DemoAccounts & { at: number }) | null>(null)

/** Loads the demo's accounts; false if the server has none, so that it is not asked again. */
export async function loadDemo(): Promise<boolean> {
  try {
    const answer = getDemoAccounts.answer.parse(await request(getDemoAccounts, {}))
    store.set(demoAtom, { ...answer, at: Date.now() })
    return true
  } catch {
    store.set(demoAtom, null)
    return false
  }
}
