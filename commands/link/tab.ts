import { withList } from '#entities/with-list.ts'
import { defineCommand } from '#kernel/command.ts'
import { type AnyEntity, pathOf } from '#kernel/entity.ts'

const tabsOf = (on: AnyEntity) =>
  Object.entries(on.tabs ?? {}).map(([id, title]) =>
    defineCommand<unknown>({
      id: `link.tab.${on.name}-${id}`,
      title: `Show ${title} of ${on.one}`,
      icon: 'arrow',
      group: 'Tabs',
      on,
      reads: on.list,
      act: (desk, one) => desk.open(`${pathOf(on, on.id(one))}?tab=${id}`),
    }),
  )

/** The way to every tab of every record by its name, from wherever one is. */
export default withList.flatMap(tabsOf)
