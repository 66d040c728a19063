import { commandsChanged, type RightsChange } from '#kernel/rights-change.ts'
import { commands } from '#portal/platform/registry.ts'

/** Maximum number of titles; the others are counted. */
const maxListed = 12

const Titles = ({ says, titles }: { says: string; titles: readonly string[] }) =>
  titles.length > 0 ? (
    <p>
      <span className="font-medium">{says}</span>{' '}
      <span className="text-muted">
        {titles.slice(0, maxListed).join(', ')}
        {titles.length > maxListed && ` and ${titles.length - maxListed} more`}
      </span>
    </p>
  ) : null

/** The commands that a change of rights adds and removes. */
export function CommandsChanged({ change }: { change: RightsChange }) {
  const { gained, lost } = commandsChanged(commands(), change)
  return (
    <div role="status" className="form-kept">
      <Titles says="Will be able to:" titles={gained} />
      {change.after.size === 0 && <p>Without a group and a permission they can sign in, and see nothing.</p>}
      <Titles says="Will no longer be able to:" titles={lost} />
    </div>
  )
}
