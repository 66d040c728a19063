import { Fragment, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Field } from '#kernel/form.ts'
import { type MoneyLine, type MoneyLines, sumOf } from '#kernel/money-lines.ts'
import { pluralize } from '#kernel/pluralize.ts'
import type { ControlProps } from '#portal/form/fields/control.ts'
import { useEscapeFirst, useKeyboardWithin } from '#portal/form/fields/escape-first.ts'
import { useMoneyKeys } from '#portal/form/money/keys.ts'
import { type Item, Line, moneyOf, type LineContext } from '#portal/form/money/line.tsx'
import { LinesTable } from '#portal/form/money/lines-table.tsx'
import { moveBetween } from '#portal/form/money/move-between.ts'
import { capitalize, wholeNumber } from '#domain/text.ts'
import { isUnread } from '#portal/form/session/values.ts'

/** Above this number of lines there is a search. */
const maxAtAGlance = 12
/** Number of lines rendered at once; the others follow when idle. */
const drawnFirst = 30

/** Whether a cell is empty. */
const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === ''

/** Lines that were filled in and are no longer available stay visible, or they would be sent unseen. */
function useGone({ lines, one }: MoneyLines, items: readonly Item[], columns: readonly Field[], key: string): MoneyLine[] {
  const seen = useRef(new Map<unknown, MoneyLine>())
  for (const line of lines) seen.current.set(line.id, line)
  return useMemo(() => {
    const offered = new Set<unknown>(lines.map((line) => line.id))
    return items
      .filter((item) => !offered.has(item[key]))
      .map((item) => ({
        id: item[key] as string | number,
        title: seen.current.get(item[key])?.title ?? `${capitalize(one)} that was here before`,
        detail: 'No longer available.',
        gone: true,
        before: 0,
        moves: centsOf(item, columns),
        after: 0,
      }))
  }, [items, lines, one, columns, key])
}

const centsOf = (item: Item, columns: readonly Field[]): number => {
  const cents = item[moneyOf(columns)]
  return typeof cents === 'number' && Number.isFinite(cents) ? cents : 0
}

/** Whether the values equal the suggestions: then nothing counts as typed. */
function isSuggestion(items: readonly Item[], lines: readonly MoneyLine[], columns: readonly Field[], key: string): boolean {
  const named = new Map(items.map((item) => [item[key], item]))
  const isAsSuggested = ({ id, suggested = 0 }: MoneyLine) => {
    const item = named.get(id)
    const others = columns.some(({ name, kind }) => kind !== 'money' && !isEmpty(item?.[name]))
    return !others && (item?.[moneyOf(columns)] ?? 0) === suggested
  }
  return suggests(lines) && lines.every(isAsSuggested)
}

const suggests = (lines: readonly MoneyLine[]): boolean => lines.some(({ suggested }) => suggested !== undefined)

const none: readonly Item[] = []

/**
 * Lines of amounts to fill in: each input shows the suggested amount until the first one is changed. Empty lines are not sent.
 */
export function LinesField(props: ControlProps) {
  return props.lines ? (
    <Lines {...props} shown={props.lines} />
  ) : (
    <div className="h-24 animate-pulse rounded-lg bg-sunken" role="status" aria-label="Loading the lines" />
  )
}

function Lines({ shown, ...props }: ControlProps & { shown: MoneyLines }) {
  const { id, field, value, onChange, onBlur, messages = [], focusRef, describedBy, unparsed } = props
  const key = field.key ?? 'id'
  const { columns } = field
  // Suggestions apply until the user types; from then on all lines keep their values.
  const suggested = value === undefined
  const items = Array.isArray(value) ? (value as Item[]) : none
  const gone = useGone(shown, items, columns, key)
  const lines = useMemo(() => (gone.length ? [...gone, ...shown.lines] : shown.lines), [gone, shown.lines])
  const [typed, setTyped] = useState('')
  /** Number of lines that the search hid when the form was sent. */
  const [hid, setHid] = useState(0)
  const [all, setAll] = useState(false)
  const table = useRef<HTMLDivElement>(null)
  useMoneyKeys(shown)
  const [searches, handlers] = useKeyboardWithin()
  useEscapeFirst('clear the search, then close', searches && typed !== '')

  useEffect(() => {
    // Not a transition: each key typed in the meantime would restart it.
    const timer = setTimeout(() => setAll(true))
    return () => clearTimeout(timer)
  }, [])
  useEffect(() => {
    const wrong = () => table.current?.querySelector<HTMLElement>('[aria-invalid="true"]')
    focusRef({
      focus: () => {
        // Reveals an invalid line that the search hides, or that is not rendered yet.
        if (!wrong())
          flushSync(() => {
            setTyped('')
            setAll(true)
          })
        const to = wrong() ?? table.current?.querySelector<HTMLElement>('[data-column]')
        to?.focus()
        to?.scrollIntoView?.({ block: 'nearest' })
      },
    })
  }, [focusRef])

  // It is not sent, and neither is another amount instead, until the user has cleared it.
  const [name, isGone] = [field.name, gone.length > 0]
  useEffect(() => {
    if (!isGone) return
    unparsed.set(name, 'Clear the lines that are no longer available.')
    return () => {
      unparsed.delete(name)
      latest.current.check?.(name)
    }
  }, [unparsed, name, isGone])

  const latest = useRef({ ...props, shown, items, lines, messages })
  latest.current = { ...props, shown, items, lines, messages }
  /** The values of all lines, including suggestions that still apply. */
  const standing = useCallback((): readonly Item[] => {
    const { value: now, items: known, lines: order } = latest.current
    return now === undefined
      ? order.filter(({ moves }) => moves !== 0).map((line) => ({ [key]: line.id, [moneyOf(columns)]: line.moves }))
      : known
  }, [key, columns])
  const pathOf = useCallback((line: MoneyLine, column: string): string | null => {
    const { items: known, field: of } = latest.current
    const at = known.findIndex((each) => each[of.key ?? 'id'] === line.id)
    return at < 0 ? null : `${of.name}.${at}.${column}`
  }, [])

  const typing = useMemo((): LineContext => {
    const check = (line: MoneyLine, column: string) => {
      const path = pathOf(line, column)
      if (path) latest.current.check?.(path)
    }
    return {
      columns,
      set: (line, column, now) => {
        const { lines: order, onChange: change, messages: errors } = latest.current
        const known = standing()
        const item: Item = { ...(known.find((each) => each[key] === line.id) ?? { [key]: line.id }), [column]: now }
        const others = new Map(known.filter((each) => each[key] !== line.id).map((each) => [each[key], each]))
        if (columns.some((each) => !isEmpty(item[each.name]))) others.set(line.id, item)
        const at = known.findIndex((each) => each[key] === line.id)
        const filled = order.map(({ id: of }) => others.get(of)).filter((each) => each !== undefined)
        change(isSuggestion(filled, order, columns, key) ? undefined : filled)
        // Validates the cell again if it had an error; if the indexes of the other lines shift, all of them.
        if (errors.length > 0 && filled.length !== known.length)
          setTimeout(() => latest.current.check?.(latest.current.field.name))
        else if (errors[at]?.[column]) setTimeout(() => check(line, column))
      },
      clear: (line) => {
        latest.current.onChange(latest.current.items.filter((each) => each[key] !== line.id))
        // The line is removed together with its button.
        table.current?.querySelectorAll<HTMLElement>('[data-column]')[columns.length]?.focus()
      },
      left: (line, column) => {
        const item = latest.current.items.find((each) => each[key] === line.id)
        if (isUnread(item?.[column])) check(line, column)
      },
      means: (line, sign) => {
        const { shown: now } = latest.current
        if (sign === '*') return line.max
        if (sign === 's') return line.suggested
        if (now.whole === undefined) return undefined
        const known = standing()
        const own = known.find((each) => each[key] === line.id)
        const rest = now.whole - sumOf(known.map((each) => centsOf(each, columns)))
        return Math.max(0, (own ? centsOf(own, columns) : 0) + rest)
      },
    }
  }, [columns, key, standing, pathOf])

  const words = typed.trim().toLowerCase()
  const found = words ? lines.filter((line) => `${line.title} ${line.detail ?? ''}`.toLowerCase().includes(words)) : lines
  useEffect(() => {
    unparsed.unhide = () => {
      const unseen = standing().filter((item) => !found.some((line) => line.id === item[key]))
      flushSync(() => {
        setHid(unseen.length)
        if (unseen.length) setTyped('')
        setAll(true)
      })
      const first = lines.findIndex((line) => line.id === unseen[0]?.[key])
      table.current?.querySelectorAll<HTMLElement>(`[data-column="${moneyOf(columns)}"]`)[first]?.focus()
      return unseen.length > 0
    }
    return () => {
      delete unparsed.unhide
    }
  })

  if (lines.length === 0) return <p className="text-muted">There is nothing to choose from.</p>
  const fill = () => {
    const known = new Map(standing().map((item) => [item[key], item]))
    for (const line of found)
      if (line.max !== undefined && !known.has(line.id)) known.set(line.id, { [key]: line.id, [moneyOf(columns)]: line.max })
    onChange(lines.flatMap((line) => known.get(line.id) ?? []))
  }
  const places = new Map(items.map((item, at) => [item[key], at]))
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrow keys bubble up from the inputs
    <div ref={table} onKeyDown={moveBetween} onBlur={onBlur}>
      <p className="money-hint">
        <Hint lines={shown} value={value} onChange={onChange} />
      </p>
      {lines.length > maxAtAGlance && (
        <div className="money-search">
          <input
            type="search"
            className="field h-[30px]!"
            aria-label={`Search in ${field.title.toLowerCase()}`}
            placeholder={`Search in ${wholeNumber(lines.length)} lines`}
            value={typed}
            onChange={(event) => {
              setTyped(event.target.value)
              setHid(0)
            }}
            {...handlers}
            onKeyDown={(event) => {
              if (event.key !== 'Escape' || typed === '') return
              event.preventDefault()
              event.stopPropagation()
              setTyped('')
            }}
          />
          <span role="status" className="shrink-0 text-small text-muted tabular-nums empty:hidden">
            {words ? `${wholeNumber(found.length)} of ${wholeNumber(lines.length)}` : ''}
          </span>
          {hid > 0 && (
            <span role="alert" className="min-w-0 flex-1 text-small text-bad">
              Not sent: the search hid {pluralize(hid, { one: 'line', many: 'lines' })} that would be sent. Look at them, then
              send again.
            </span>
          )}
          {field.inFull && (
            <button type="button" className="btn h-[30px]! shrink-0 whitespace-nowrap" onClick={fill}>
              All in full
            </button>
          )}
        </div>
      )}
      <LinesTable name={{ 'aria-labelledby': `${id}-label` }} describedBy={describedBy} lines={shown} columns={columns}>
        {(all ? found : found.slice(0, drawnFirst)).map((line, place) => {
          const at = places.get(line.id)
          return (
            <Fragment key={line.id}>
              {line.part && line.part !== found[place - 1]?.part && (
                <tr className="money-part">
                  <th scope="rowgroup" colSpan={columns.length + 3}>
                    {line.part}
                  </th>
                </tr>
              )}
              <Line
                line={line}
                id={`${id}-${line.id}`}
                typing={typing}
                item={suggested ? null : at === undefined ? undefined : items[at]}
                wrong={at === undefined ? undefined : messages[at]}
              />
            </Fragment>
          )
        })}
        {found.length === 0 && (
          <tr>
            <td className="px-3 py-3 text-muted">No line has “{typed.trim()}”.</td>
          </tr>
        )}
      </LinesTable>
    </div>
  )
}

/** Explains the amounts; once one was typed, offers to restore the suggestion. */
function Hint({ lines, value, onChange }: Pick<ControlProps, 'value' | 'onChange'> & { lines: MoneyLines }) {
  return value !== undefined && suggests(lines.lines) ? (
    <button type="button" className="link" onClick={() => onChange(undefined)}>
      Use the suggestion
    </button>
  ) : (
    lines.hint
  )
}
