import { moveInvoices } from '#server/money/billing/clock.ts'
import { unlessUnderWay } from '#server/postgres/guard.ts'
import type { Services } from '#server/http/route.ts'

const moveInvoicesLock = 4_184_006

/** One round of the clock in the background; skipped if another process runs one. */
export const moveInvoicesUnlessUnderWay = (
  services: Services,
  leaving: () => boolean,
  report: (error: unknown) => void,
): Promise<boolean> => unlessUnderWay(services.db, moveInvoicesLock, () => moveInvoices(services, { leaving, report }))
