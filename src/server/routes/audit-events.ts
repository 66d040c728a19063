import { countAuditEvents, getAuditEvent, listAuditEvents } from '#contract/audit-events.ts'
import { reads } from '#server/http/reads.ts'
import { orNotFound } from '#server/http-error.ts'
import type { Actor } from '#server/access/actor.ts'
import { countOfAudit, oneOfAudit, pageOfAudit, toAuditEvent } from '#server/tables/audit-list.ts'
import type { Tx } from '#server/tables/database.ts'

export const routes = reads(
  { list: listAuditEvents, count: countAuditEvents, get: getAuditEvent },
  {
    list: { page: pageOfAudit, count: countOfAudit },
    open: orNotFound((tx: Tx, actor: Actor, id: number) => oneOfAudit({ tx, actor }, id)),
    answer: toAuditEvent,
  },
)
