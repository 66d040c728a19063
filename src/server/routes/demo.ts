import { getDemoAccounts } from '#contract/authentication.ts'
import { demoAccounts } from '#server/auth/demo-accounts.ts'
import { notFound } from '#server/refused.ts'
import { type AnyRoute, ownTransactions } from '#server/route.ts'

export const routes: AnyRoute[] = [
  ownTransactions(getDemoAccounts, async ({ db, auth, now }) => {
    if (!auth.demo) throw notFound()
    return demoAccounts(db, now)
  }),
]
