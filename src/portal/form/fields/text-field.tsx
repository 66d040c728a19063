import { attributes, type ControlProps } from '#portal/form/control.ts'

/** What is typed; nothing at all where the field may be left out. */
const typed = (props: ControlProps, text: string) => props.onChange(text === '' && props.field.optional ? undefined : text)
const shown = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

const own = {
  text: { type: 'text', autoComplete: 'off' },
  'e-mail': { type: 'text', inputMode: 'email', autoComplete: 'off', spellCheck: false },
  secret: { type: 'password', autoComplete: 'new-password' },
  code: { type: 'text', inputMode: 'numeric', autoComplete: 'one-time-code', spellCheck: false },
} as const

/** A line of text, an e-mail, a secret or a code. */
export function TextField(props: ControlProps) {
  if (props.field.lines) return <LinesField {...props} />
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

/** Lines as they were copied: tabs stay, lines are not broken. */
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

/** Several lines of text; grows with what is typed. */
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
