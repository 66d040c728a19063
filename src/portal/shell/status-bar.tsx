import { useAtomValue } from 'jotai'
import { choose, keysNow } from '#portal/state/key-choice.ts'
import { focusAtom, scopesOf } from '#portal/state/focus.ts'
import { barKeys, type KeyLine } from '#portal/state/key-map.ts'
import { lettersAtom } from '#portal/state/letters.ts'
import { listInfoAtom } from '#portal/state/list.ts'
import { onlineAtom } from '#portal/state/online.ts'
import { unconfirmedAtom } from '#portal/state/pending.ts'
import { commands } from '#portal/state/registry.ts'
import { situationAtom } from '#portal/state/situation.ts'
import { isPlain } from '#kernel/keys.ts'
import { Icon } from '#portal/ui/icon.tsx'
import { Kbd } from '#portal/ui/kbd.tsx'

const count = new Intl.NumberFormat('en-US')

/** The keys of the row's own commands, the one that can be run now of those that toggle. */
function useRowKeys(): KeyLine[] {
  const situation = useAtomValue(situationAtom)
  const letters = useAtomValue(lettersAtom)
  const focus = useAtomValue(focusAtom)
  if (!scopesOf(focus).includes('row')) return []
  const bound = keysNow(commands(), ['row'], situation, { letters, text: false })
  return [...new Set(bound.map((key) => key.chord))].flatMap((chord) => {
    const command = choose(
      bound.filter((key) => key.chord === chord).map((key) => key.command),
      situation,
    )
    return command ? [{ chords: [chord], says: command.title.replace(` ${command.on?.one}`, '').toLowerCase() }] : []
  })
}

/** 'row 5 of 9,880'; the count only once it is known. */
const where = (row: number, all: number | null, exact: boolean): string =>
  `row ${count.format(row)}${all === null ? '' : ` of ${exact ? '' : 'about '}${count.format(all)}`}`

function Line({ line }: { line: KeyLine }) {
  return (
    <span className="inline-flex items-center gap-1.5">
      {line.chords.map((chord) => (
        <Kbd key={chord} chord={chord} hidden={false} />
      ))}
      {line.says}
    </span>
  )
}

/** A command without an answer is named until there is one; without a network that is said first. */
function Trouble() {
  const online = useAtomValue(onlineAtom)
  const unconfirmed = useAtomValue(unconfirmedAtom)
  if (online && !unconfirmed.length) return null
  return (
    <span className="inline-flex min-w-0 items-center gap-1.5 font-[550] text-ink" role="status">
      <Icon name={online ? 'time' : 'offline'} size={14} className="text-bad" />
      {!online && <span>No connection.</span>}
      {unconfirmed.length > 0 && (
        <span className="truncate">Not confirmed yet: {unconfirmed.map((one) => one.title).join('; ')}</span>
      )}
    </span>
  )
}

/** What is selected, the next useful keys, and where in the list one is. */
export function StatusBar() {
  const { selection } = useAtomValue(situationAtom)
  const focus = useAtomValue(focusAtom)
  const letters = useAtomValue(lettersAtom)
  const info = useAtomValue(listInfoAtom)
  const rows = useRowKeys()
  const [head, ...rest] = barKeys[focus]
  const lines = [...(head ? [head] : []), ...rows, ...rest].filter((line) => letters || !line.chords.some(isPlain))
  return (
    <footer className="frame-bar">
      <Trouble />
      {selection?.how === 'marked' && (
        <b className="font-[550] text-ink">
          {selection.count === null ? 'All that match' : count.format(selection.count)} selected
        </b>
      )}
      {lines.map((line) => (
        <Line key={line.says} line={line} />
      ))}
      {info?.row != null && <span className="ml-auto tabular-nums">{where(info.row, info.count, info.exact)}</span>}
    </footer>
  )
}
