import { listings } from '#contract/listings.ts'
import { namedViews } from '#contract/named-views.ts'
import { defineCommand } from '#kernel/command.ts'

/** Shows all rows of lists that open on a named view. */
export default Object.values(listings)
  .filter(({ path }) => namedViews[path])
  .map((reads) => {
    const many = reads.path.slice(1)
    return defineCommand({
      id: `open.all.${many}`,
      title: `Open all ${many}`,
      aliases: [`go to all ${many}`],
      reads,
      act: (host) => host.open(reads.path),
    })
  })
