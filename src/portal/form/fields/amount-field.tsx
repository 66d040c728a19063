import { type InputHTMLAttributes, type KeyboardEvent, type Ref, useEffect, useState } from 'react'
import { type AmountText, integerText, moneyText, percentageText } from '#portal/format/amount-text.ts'
import { characterOf } from '#kernel/keys.ts'
import { attributes, type ControlProps } from '#portal/form/fields/control.ts'
import { useEscapeFirst } from '#portal/form/fields/escape-first.ts'
import { type UnparsedAmount, isUnread } from '#portal/form/session/values.ts'

/** Shortcuts in an amount: `*` the maximum, `=` the rest, `s` the suggestion. */
export type Sign = '*' | '=' | 's'
const signs: readonly Sign[] = ['*', '=', 's']

/** The characters just typed: a sign that was pasted, or was there before, is part of an unparsed text. */
const typedIn = ({ inputType, data }: Partial<InputEvent>, now: string): string =>
  inputType === undefined ? now : inputType.startsWith('insertFrom') ? '' : (data ?? '')

interface AmountInputProps {
  text: AmountText
  value: unknown
  onChange: (value: unknown) => void
  onBlur?: () => void
  /** The value of a shortcut, in the unit of the field; null for an empty field. */
  sign?: (sign: Sign) => number | null | undefined
  /** The first Escape restores the value from when the field got the focus. */
  restores?: boolean
  attributes: InputHTMLAttributes<HTMLInputElement> & { ref?: Ref<HTMLInputElement> }
}

/** An amount: typed freely, stored in its smallest unit, and formatted on blur. */
export function AmountInput({ text, value, onChange, onBlur, sign, restores, attributes: given }: AmountInputProps) {
  const number = typeof value === 'number' && Number.isFinite(value) ? value : null
  const [typed, setTyped] = useState<string | null>(null)
  // Null without the focus.
  const [entered, setEntered] = useState<{ value: unknown } | null>(null)
  // A shortcut whose value is not known yet: filled in when it is, unless the user does something else first.
  const [early, setEarly] = useState<Sign | null>(null)
  const known = early === null ? undefined : sign?.(early)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when the value is known
  useEffect(() => {
    if (known !== undefined) put(known)
  }, [known])
  const put = (cents: number | null) => {
    setEarly(null)
    setTyped(null)
    onChange(cents ?? undefined)
  }
  const changed = restores === true && entered !== null && !Object.is(value, entered.value)
  useEscapeFirst('amount before, then close', changed)
  const take = (typedSign: Sign) => {
    const cents = sign?.(typedSign)
    if (cents === undefined) setEarly(typedSign)
    else put(cents)
  }
  /** Accepts the physical key of `s` on a keyboard of another script. */
  const keys = (event: KeyboardEvent) => {
    const isSign = sign && characterOf(event) === 's' && event.key.toLowerCase() !== 's'
    if (!isSign || event.ctrlKey || event.metaKey || event.altKey || event.nativeEvent.isComposing) return restore(event)
    event.preventDefault()
    take('s')
  }
  const restore = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.nativeEvent.isComposing || !changed) return
    event.preventDefault()
    event.stopPropagation()
    setTyped(null)
    onChange(entered.value)
  }
  // A value that differs from the typed text was set from elsewhere.
  const own = typed !== null && (typed.trim() === '' ? number === null : number === null || text.parse(typed) === number)
  return (
    <div className="field flex items-center has-[[aria-invalid=true]]:border-bad">
      {text.before && (
        <span className="mr-1 text-muted" aria-hidden="true">
          {text.before}
        </span>
      )}
      <input
        {...given}
        className="w-full min-w-0 bg-transparent tabular-nums outline-none"
        inputMode="decimal"
        autoComplete="off"
        value={own ? typed : isUnread(value) ? value.unread : number === null ? '' : text.format(number)}
        onFocus={() => setEntered({ value })}
        onKeyDown={keys}
        onChange={(event) => {
          const now = event.target.value
          const letters = typedIn(event.nativeEvent as InputEvent, now).toLowerCase()
          // Not a shortcut if it follows another letter, as in `20 USD`.
          const isWord = /[a-z]/i.test(now.replace(/s/i, ''))
          const signTyped = sign && !isWord && signs.find((each) => letters.includes(each))
          if (signTyped) return take(signTyped)
          setEarly(null)
          setTyped(now)
          // Unparsed text is stored as typed, and the schema says what to enter.
          onChange(now.trim() === '' ? undefined : (text.parse(now) ?? ({ unread: now } satisfies UnparsedAmount)))
        }}
        onBlur={() => {
          setEntered(null)
          setEarly(null)
          if (number !== null || value === undefined) setTyped(null)
          onBlur?.()
        }}
      />
      {text.after && (
        <span className="ml-1 text-muted" aria-hidden="true">
          {text.after}
        </span>
      )}
    </div>
  )
}

function AmountField({ text, ...props }: ControlProps & { text: AmountText }) {
  const { onBlur, ...rest } = attributes(props)
  const full = props.field.inFull ? null : props.max
  return (
    <AmountInput
      text={text}
      value={props.value}
      onChange={props.onChange}
      onBlur={onBlur}
      sign={(sign) => (sign === '*' ? full : undefined)}
      attributes={rest}
    />
  )
}

export const MoneyField = (props: ControlProps) => <AmountField {...props} text={moneyText} />
export const PercentageField = (props: ControlProps) => <AmountField {...props} text={percentageText} />
export const IntegerField = (props: ControlProps) => <AmountField {...props} text={integerText} />
