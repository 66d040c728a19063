import { sql } from 'kysely'
import type { Services } from '#server/http/route.ts'
import { unlessUnderWay } from '#server/postgres/guard.ts'
import { countFigures } from '#server/tables/count-figures.ts'

/** Lock held while counting, so that two processes do not count at once. */
export const countDashboardLock = 4_184_008
/** Seconds for which the count of another process is recent enough. */
const freshSeconds = 20

/** Counts the figures of the dashboard in the background; skipped if another process is counting, or just did. */
export const countDashboard = ({ db }: Services): Promise<boolean> =>
  unlessUnderWay(db, countDashboardLock, async (guard) => {
    const { rows } = await sql<{ is_new: boolean }>`
      select counted_at > now() - make_interval(secs => ${freshSeconds}) and business_date = business_date() as is_new
      from dashboard_rounds`.execute(guard)
    if (!rows[0]?.is_new) await countFigures(guard)
  })
