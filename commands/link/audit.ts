import { type FilterSetting, narrowing } from '#contract/filter.ts'
import { listings } from '#contract/listings.ts'
import { auditKinds } from '#domain/audit.ts'
import { auditOf } from '#entities/audit-event.ts'
import { withList } from '#entities/with-list.ts'
import { defineCommand } from '#kernel/command.ts'
import type { AnyEntity } from '#kernel/entity.ts'

const audited = withList.filter(({ name }) => Object.hasOwn(auditKinds, name))
const people = withList.filter(({ name }) => name === 'admin' || name === 'account-manager')

/** Further filters of the audit: the time. */
interface AuditParams {
  set?: readonly FilterSetting[]
}

const address = (search: Record<string, string>, { set = [] }: AuditParams): string =>
  `/audit-events?${new URLSearchParams({ ...search, ...narrowing(set, undefined) })}`

const recordOf = (entity: AnyEntity) =>
  defineCommand<unknown, AuditParams>({
    id: `link.audit.${entity.name}`,
    title: `Show audit of ${entity.one}`,
    aliases: ['who did what', 'who changed it', 'who changed this', 'change log', 'what happened to it'],
    icon: 'history',
    on: entity,
    reads: listings.auditEvents,
    act: (host, one, params) => host.open(address(auditOf(entity, entity.id(one)), params)),
  })

const personOf = (entity: AnyEntity) =>
  defineCommand<unknown, AuditParams>({
    id: `link.audit.by-${entity.name}`,
    title: `Show what ${entity.one} did`,
    aliases: ['their actions', 'audit by person', 'what did they do'],
    sentence: { phrases: { 'their actions': ['what did … do', 'what did … change', 'what has … changed'] } },
    icon: 'history',
    on: entity,
    reads: listings.auditEvents,
    act: (host, one, params) => {
      const filter = entity.name.replace('-', '_')
      host.open(address({ [`${filter}_type`]: 'is', [`${filter}_value`]: entity.id(one) }, params))
    },
  })

/** Opens the audit of every record, and of the actions of every person. */
export default [...audited.map(recordOf), ...people.map(personOf)]
