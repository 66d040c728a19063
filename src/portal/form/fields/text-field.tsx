import { useState } from 'react'
import { attributes, type ControlProps } from '#portal/form/fields/control.ts'

/** The typed text; only blanks count as empty in an optional field. */
const typed = (props: ControlProps, text: string) => props.onChange(text.trim() === '' && props.field.optional ? undefined : text)
const shown = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

const own = {
  text: { type: 'text', autoComplete: 'off' },
  'e-mail': { type: 'text', inputMode: 'email', autoComplete: 'off', spellCheck: false },
  secret: { type: 'password', autoComplete: 'new-password' },
  code: { type: 'text', inputMode: 'numeric', autoComplete: 'one-time-code', spellCheck: false },
} as const

/** A one-line text, an e-mail, a secret or a code. */
export function TextField(props: ControlProps) {
  if (props.field.lines) return <LinesField {...props} />
  if (props.field.makes) return <MadeField {...props} />
  const kind = own[props.field.kind as keyof typeof own] ?? own.text
  return (
    <input
      {...attributes(props)}
      {...kind}
      className={`field ${props.field.kind === 'code' ? 'tabular-nums tracking-widest' : ''}`}
      value={shown(props.value)}
      onChange={(event) => typed(props, event.target.value)}
    />
  )
}

/** Without characters that look alike. */
const letters = 'abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789-+_.'
const madeLength = 24

/** A random password: a lowercase and an uppercase letter, a digit, a sign, and 20 more, in any order. */
function makePassword(): string {
  const numbers = crypto.getRandomValues(new Uint32Array(madeLength))
  const drawn = [...numbers].map((number) => letters[number % letters.length])
  const made = drawn.join('')
  return /[a-z]/.test(made) && /[A-Z]/.test(made) && /\d/.test(made) && /[-+_.]/.test(made) ? made : makePassword()
}

/** A secret, typed or generated; a generated one is shown, since it has to be passed on. */
function MadeField(props: ControlProps) {
  const [made, setMade] = useState<string | null>(null)
  const isMade = made !== null && props.value === made
  return (
    <div className="flex gap-2">
      <input
        {...attributes(props)}
        {...(isMade ? { ...own.text, spellCheck: false } : own.secret)}
        className={`field min-w-0 flex-1 ${isMade ? 'font-mono' : ''}`}
        value={shown(props.value)}
        onChange={(event) => typed(props, event.target.value)}
        onFocus={(event) => isMade && event.target.select()}
      />
      <button
        type="button"
        className="btn"
        onClick={() => {
          const next = makePassword()
          setMade(next)
          props.onChange(next)
        }}
      >
        Make one
      </button>
    </div>
  )
}

/** Pasted lines: tabs stay, and lines do not wrap. */
const LinesField = (props: ControlProps) => (
  <textarea
    {...attributes(props)}
    rows={6}
    wrap="off"
    spellCheck={false}
    autoComplete="off"
    className="field h-auto max-h-64 min-h-[120px] resize-y py-[7px] font-mono text-small"
    value={shown(props.value)}
    onChange={(event) => typed(props, event.target.value)}
  />
)

/** Multi-line text; grows with its content. */
export function LongTextField(props: ControlProps) {
  return (
    <textarea
      {...attributes(props)}
      rows={2}
      className="field field-sizing-content h-auto max-h-48 min-h-[58px] resize-none py-[7px]"
      value={shown(props.value)}
      onChange={(event) => typed(props, event.target.value)}
    />
  )
}
