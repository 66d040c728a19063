import { getDemoAccounts } from '#contract/authentication.ts'
import { demoAccounts } from '#server/auth/demo-accounts.ts'
import { notFound } from '#server/http-error.ts'
import { type AnyRoute, route } from '#server/http/route.ts'

export const routes: AnyRoute[] = [
  route(getDemoAccounts, async ({ tx, auth, now, caller }) => {
    if (!auth.demo || !caller.local) throw notFound()
    return demoAccounts(tx, auth.sealingKey, now)
  }),
]
