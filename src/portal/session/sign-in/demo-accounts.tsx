import { useAtomValue } from 'jotai'
import { useEffect, useRef } from 'react'
import { demoAtom, loadDemo } from '#portal/session/demo.ts'

/** Demo only: the accounts, chosen by arrows and Enter. One tab stop. */
export function DemoAccounts({ onPick }: { onPick: (email: string, password: string) => void }) {
  const demo = useAtomValue(demoAtom)
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => void loadDemo(), [])
  if (!demo) return null
  const move = (event: React.KeyboardEvent) => {
    const buttons = [...(list.current?.querySelectorAll('button') ?? [])]
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement)
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: buttons.length - 1 }[event.key]
    if (to === undefined) return
    event.preventDefault()
    buttons[(to + buttons.length) % buttons.length]?.focus()
  }
  return (
    <section className="demo" aria-labelledby="demo-title">
      <h2 id="demo-title" className="pb-1">
        Demo: sign in as
      </h2>
      <ul ref={list} onKeyDown={move} className="-mx-2">
        {demo.accounts.map((account, index) => (
          <li key={account.email}>
            <button
              type="button"
              tabIndex={index === 0 ? 0 : -1}
              className="flex w-full items-baseline gap-2 rounded-[6px] px-2 py-1 text-left hover:bg-surface focus-visible:bg-surface"
              onClick={() => onPick(account.email, account.password)}
            >
              <b className="shrink-0">{account.name}</b>
              <span className="truncate">{account.role}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
