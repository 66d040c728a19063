import { withList } from '#entities/with-list.ts'
import { defineCommand } from '#kernel/command.ts'
import { type AnyEntity, openCommand, pathOf } from '#kernel/entity.ts'

const openOne = (on: AnyEntity) =>
  defineCommand<unknown>({
    id: openCommand(on),
    title: `Jump to ${on.one}`,
    aliases: [`go to ${on.one}`, `find ${on.one}`, `open ${on.one}`],
    icon: on.icon,
    on,
    reads: on.list,
    act: (host, one) => host.open(pathOf(on, on.id(one))),
  })

/** Opens a record of any noun from anywhere; does not wait for the other commands of its noun. */
export default withList.map(openOne)
