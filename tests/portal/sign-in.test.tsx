// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { CodeForm } from '#portal/session/sign-in/code-form.tsx'
import { ForgotEmail } from '#portal/session/sign-in/forgot-password.tsx'
import { NewPassword } from '#portal/session/sign-in/new-password.tsx'
import { PasswordForm } from '#portal/session/sign-in/password-form.tsx'
import { SetUpForm } from '#portal/session/sign-in/set-up-form.tsx'
import { tasksDone } from '#tests/portal/alone.tsx'

/** The submitted values; a form that refuses submits nothing. */
let sent: string[] = []
const send = async (value: string) => {
  sent.push(value)
  return null
}
beforeEach(() => {
  sent = []
})
afterEach(cleanup)

const submit = () => fireEvent.submit(document.querySelector('form') as HTMLFormElement)
const type = (label: string, text: string) => fireEvent.change(screen.getByLabelText(label), { target: { value: text } })
const message = (text: string) => waitFor(() => expect(screen.getByText(text).getAttribute('role')).toBe('alert'))

describe('the sign-in form', () => {
  test('[AUTH-008] an empty e-mail is required', async () => {
    render(<PasswordForm email="" note={null} />)
    submit()
    await message('E-mail is required')
    expect(screen.getByLabelText('E-mail').getAttribute('aria-invalid')).toBe('true')
  })

  test('[AUTH-007] an invalid address is refused', async () => {
    render(<PasswordForm email="" note={null} />)
    type('E-mail', 'priya at example')
    submit()
    await message('Enter a valid e-mail address')
  })

  test('[AUTH-009, AUTH-017] an empty password is required', async () => {
    render(<PasswordForm email="priya.raman@example.com" note={null} />)
    submit()
    await message('This is a required field.')
    const field = screen.getByLabelText('Password')
    const described = field.getAttribute('aria-describedby')
    expect(document.getElementById(described ?? '')?.textContent).toBe('This is a required field.')
  })

  test('the password can be shown and hidden again', () => {
    render(<PasswordForm email="" note={null} />)
    const show = screen.getByRole('button', { name: 'Show' })
    fireEvent.click(show)
    expect(screen.getByLabelText('Password').getAttribute('type')).toBe('text')
    expect(show.getAttribute('aria-pressed')).toBe('true')
  })
})

test('[AUTH-007, AUTH-008] forgot password validates the e-mail in the same way', async () => {
  render(<ForgotEmail email="" />)
  submit()
  await message('E-mail is required')
  type('E-mail', 'x@')
  await message('Enter a valid e-mail address')
})

describe('a new password', () => {
  test.each([
    ['AUTH-010', 'aB1!', 'At least 8 characters'],
    ['AUTH-011', 'ABCDEFG1!', '1 lowercase letter'],
    ['AUTH-012', 'abcdefg1!', '1 uppercase letter'],
    ['AUTH-013', 'Abcdefgh!', '1 number'],
    ['AUTH-014', 'Abcdefgh1', '1 special character'],
  ])('[%s] %s breaks the rule: %s', async (_, password, rule) => {
    render(<NewPassword email="" send={send} />)
    type('New password', password)
    const line = screen.getAllByRole('listitem').find((each) => each.textContent?.startsWith(rule))
    expect(line?.textContent).toBe(`${rule}: missing`)
    submit()
    await message(`The password needs ${rule.toLowerCase()}.`)
    expect(sent).toEqual([])
  })

  test('[AUTH-009] may not be empty', async () => {
    render(<NewPassword email="" send={send} />)
    submit()
    await message('This is a required field.')
  })

  test('continues when every rule is met', async () => {
    render(<NewPassword email="" send={send} />)
    type('New password', 'Portal-Demo-1')
    expect(screen.getAllByRole('listitem').every((line) => line.textContent?.endsWith(': holds'))).toBe(true)
    submit()
    await waitFor(() => expect(sent).toEqual(['Portal-Demo-1']))
  })
})

describe('a code', () => {
  test('[AUTH-015] is required', async () => {
    render(<CodeForm label="Code" send={send} />)
    submit()
    await message('This is a required field.')
    expect(sent).toEqual([])
  })

  test('[AUTH-016] has six digits', async () => {
    render(<CodeForm label="Code" send={send} />)
    type('Code', '12345')
    submit()
    await message('The code must be 6 digits')
    expect(sent).toEqual([])
  })

  test('is one field for typing, pasting and autofill; spaces in pasted text do not matter', async () => {
    render(<CodeForm label="Code" send={send} />)
    const field = screen.getByLabelText('Code')
    expect(field.getAttribute('autocomplete')).toBe('one-time-code')
    type('Code', '419 203')
    expect([...document.querySelectorAll('.six > span')].map((box) => box.textContent).join('')).toBe('419203')
    await waitFor(() => expect(sent).toEqual(['419203']))
  })

  test('is sent with its sixth digit, once, and an Enter after it does nothing', async () => {
    render(<CodeForm label="Code" send={send} />)
    type('Code', '41920')
    expect(sent).toEqual([])
    type('Code', '419203')
    const enters = [1, 2].map(() => fireEvent.keyDown(document.body, { key: 'Enter' }))
    // The first Enter is swallowed; the next one is handled.
    expect(enters).toEqual([false, true])
    await waitFor(() => expect(sent).toEqual(['419203']))
    await tasksDone()
    expect(sent).toHaveLength(1)
  })

  test('that is refused says why, clears the boxes and accepts the next one', async () => {
    render(<CodeForm label="Code" send={async () => 'Invalid authorization code'} />)
    type('Code', '419203')
    await message('Invalid authorization code')
    expect((screen.getByLabelText('Code') as HTMLInputElement).value).toBe('')
    expect(document.activeElement).toBe(screen.getByLabelText('Code'))
  })
})

test('[SCR-005] the set-up shows a QR code and the secret as text in groups of four', async () => {
  render(
    <SetUpForm email="a@example.com" secret="ABCDEFGHIJKLMNOP" uri="otpauth://totp/Admin%20Portal:a?secret=ABCDEFGHIJKLMNOP" />,
  )
  expect((await screen.findByRole('img')).querySelector('path')?.getAttribute('d')).toMatch(/^M\d+ \d+h1v1h-1z/)
  expect(screen.getByText('ABCD EFGH IJKL MNOP')).toBeDefined()
})
