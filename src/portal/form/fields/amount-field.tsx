import { type InputHTMLAttributes, type Ref, useState } from 'react'
import { type AmountText, integerText, moneyText, percentageText } from '#portal/format/amount-text.ts'
import { attributes, type ControlProps } from '#portal/form/control.ts'

interface AmountInputProps {
  text: AmountText
  value: unknown
  onChange: (value: unknown) => void
  onBlur?: () => void
  /** What a typed `*` stands for. */
  all?: number | undefined
  attributes: InputHTMLAttributes<HTMLInputElement> & { ref?: Ref<HTMLInputElement> }
}

/** An amount: typed as people type it, kept in its smallest unit, written out again when the field is left. */
export function AmountInput({ text, value, onChange, onBlur, all, attributes: given }: AmountInputProps) {
  const number = typeof value === 'number' && Number.isFinite(value) ? value : null
  const [typed, setTyped] = useState<string | null>(null)
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
        value={typed ?? (number === null ? '' : text.format(number))}
        onChange={(event) => {
          const now = event.target.value
          if (all !== undefined && now.trim() === '*') {
            setTyped(null)
            onChange(all)
            return
          }
          setTyped(now)
          // What is no amount is kept as none, so that the schema says what to enter.
          onChange(now.trim() === '' ? undefined : (text.parse(now) ?? Number.NaN))
        }}
        onBlur={() => {
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
  return <AmountInput text={text} value={props.value} onChange={props.onChange} onBlur={onBlur} attributes={rest} />
}

export const MoneyField = (props: ControlProps) => <AmountField {...props} text={moneyText} />
export const PercentageField = (props: ControlProps) => <AmountField {...props} text={percentageText} />
export const IntegerField = (props: ControlProps) => <AmountField {...props} text={integerText} />
