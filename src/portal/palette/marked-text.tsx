import { ranges } from '#kernel/rank.ts'

/** Text with the letters that were typed marked. */
export function MarkedText({ text, typed }: { text: string; typed: string }) {
  if (!typed) return text
  const spans = ranges(text, typed)
  if (!spans.length) return text
  const parts: React.ReactNode[] = []
  let at = 0
  for (const [from, to] of spans) {
    if (from > at) parts.push(text.slice(at, from))
    parts.push(
      <mark key={from} className="bg-transparent font-[650] text-accent">
        {text.slice(from, to)}
      </mark>,
    )
    at = to
  }
  if (at < text.length) parts.push(text.slice(at))
  return parts
}
