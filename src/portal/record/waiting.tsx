import type { CSSProperties } from 'react'

const longs = [62, 38, 74, 50, 84, 44, 68, 56]

/** Placeholder for `lines` lines of text that are loading, at their height. */
export function Waiting({ lines = 8 }: { lines?: number }) {
  return (
    <div className="waiting" aria-hidden="true" style={{ minWidth: 240 }}>
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all alike and never move
        <i key={line} style={{ '--long': `${longs[line % longs.length]}%` } as CSSProperties} />
      ))}
    </div>
  )
}
