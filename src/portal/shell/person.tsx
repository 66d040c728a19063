import { useAtomValue } from 'jotai'
import type { ComponentProps } from 'react'
import { meAtom } from '#portal/api/session.ts'

const initials = (name: string): string =>
  name
    .split(/\s+/)
    .map((word) => word[0] ?? '')
    .filter((_, index, all) => index === 0 || index === all.length - 1)
    .join('')
    .toUpperCase()

/** The user's initials, as the button of the account menu. */
export function Person(props: ComponentProps<'button'>) {
  const me = useAtomValue(meAtom)
  const name = me?.person.name ?? ''
  return (
    <button
      type="button"
      className="size-6 rounded-full bg-accent-wash text-center text-[10px] leading-6 font-semibold text-accent"
      aria-label={`${initials(name)}, ${name}: menu`}
      aria-haspopup="menu"
      {...props}
    >
      {initials(name)}
    </button>
  )
}
