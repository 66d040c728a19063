import type { AnyEntity } from '#kernel/entity.ts'
import { lastChange, somebodyChanged } from '#portal/commands/last-change.ts'
import { Line } from '#portal/form/line.tsx'
import { useLoaded } from '#portal/form/use-loaded.ts'

/** That another changed what the lines of money are about, which stay as they were until the person has them read again. */
export function Changed({ on, id, since, again }: { on: AnyEntity; id: string; since: number; again: () => void }) {
  const who = useLoaded(() => lastChange(on, id, since), [on, id, since])
  return (
    <Line tone="wait" icon="refresh" alert detail="The amounts are from before that. They are checked when you send.">
      {(who.state === 'there' && who.value) || somebodyChanged}{' '}
      <button type="button" className="link" onClick={again}>
        Read it again
      </button>
    </Line>
  )
}
