import { type ReactNode, useRef } from 'react'
import { Controller } from 'react-hook-form'
import { z } from 'zod'
import { sixDigits } from '#contract/authentication.ts'
import { GoButton } from '#portal/session/sign-in/go-button.tsx'
import { SixBoxes } from '#portal/session/sign-in/six-boxes.tsx'
import { useSubmit } from '#portal/session/sign-in/use-submit.ts'

/** Milliseconds after the sixth digit during which an Enter is ignored as habit. */
const habitWindow = 1_500

let swallowing: AbortController | null = null

/** Swallows an Enter typed out of habit after six digits: the form it was for has been replaced. */
function swallowNextEnter(): void {
  const until = performance.now() + habitWindow
  swallowing?.abort()
  const controller = new AbortController()
  swallowing = controller
  const take = (event: KeyboardEvent) => {
    controller.abort()
    if (event.key !== 'Enter' || performance.now() > until) return
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  addEventListener('keydown', take, { capture: true, signal: controller.signal })
}

const Code = z.object({ code: sixDigits })

/** Asks for six digits, and submits them with the sixth (AUTH-015, AUTH-016); the API's error is shown below. */
export function CodeForm({
  label,
  send,
  children,
}: {
  label: string
  send: (code: string) => Promise<string | null>
  children?: ReactNode
}) {
  const element = useRef<HTMLFormElement>(null)
  const form = useSubmit(
    Code,
    { code: '' },
    async ({ code }, { setValue }) => {
      const sentence = await send(code)
      if (sentence) setValue('code', '')
      return sentence
    },
    'code',
  )
  return (
    <form ref={element} onSubmit={form.submit} noValidate className="grid gap-4">
      <Controller
        name="code"
        control={form.control}
        render={({ field: { value, onChange, ref } }) => (
          <SixBoxes
            ref={ref}
            label={label}
            value={value}
            onChange={(typed) => {
              onChange(typed)
              if (typed.length < 6 || typed === value) return
              swallowNextEnter()
              element.current?.requestSubmit()
            }}
            error={form.message('code') ?? form.problem ?? undefined}
            autoFocus
          />
        )}
      />
      <GoButton busy={form.busy}>Continue</GoButton>
      {children}
    </form>
  )
}
