import type { AnyEntity } from '#kernel/entity.ts'
import { lastChange, somebodyChanged } from '#portal/commands/last-change.ts'
import { Line } from '#portal/form/line.tsx'
import { useQuery } from '#portal/records/use-query.ts'

/** Says that somebody changed the record behind the lines of amounts, which stay as they are until the user reloads them. */
export function Changed({ on, id, since, again }: { on: AnyEntity; id: string; since: number; again: () => void }) {
  const who = useQuery(() => lastChange(on, id, since), [on, id, since])
  return (
    <Line tone="wait" icon="refresh" alert detail="The amounts are from before that. They are checked when you send.">
      {(who.state === 'there' && who.value) || somebodyChanged}{' '}
      <button type="button" className="link" onClick={again}>
        Read it again
      </button>
    </Line>
  )
}
