import { getMe } from '#contract/session.ts'
import { groups } from '#domain/permission-groups.ts'
import { permissionIds, permissionNames } from '#domain/permissions.ts'
import { grantsOf } from '#server/access/scope.ts'
import { hasPastLeft } from '#server/money/billing/demo-days.ts'
import { businessDate, businessZoneOf } from '#server/tables/business-date.ts'
import { type AnyRoute, route } from '#server/http/route.ts'

export const routes: AnyRoute[] = [
  route(getMe, async ({ tx, actor, auth }) => {
    const session = await tx
      .selectFrom('sessions')
      .select(['idle_seconds', 'expires_at'])
      .where('token_hash', '=', actor.sessionId)
      .executeTakeFirstOrThrow()
    return {
      person: { id: actor.id, name: actor.name, email: actor.email, kind: actor.kind },
      groups: groups.filter((group) => actor.groupIds.includes(group.id)).map(({ id, name }) => ({ id, name })),
      permissions: permissionIds.filter((id) => actor.held.has(id)).map((id) => ({ id, short_name: permissionNames[id] })),
      grants: await grantsOf(tx, actor),
      session: {
        idle_seconds: session.idle_seconds,
        warning_seconds: auth.warningSeconds,
        expires_at: session.expires_at.toISOString(),
      },
      business_date: await businessDate(tx),
      time_zone: await businessZoneOf(tx),
      demo: auth.demo,
      ...(auth.demo && { past_pending: await hasPastLeft(tx) }),
    }
  }),
]
