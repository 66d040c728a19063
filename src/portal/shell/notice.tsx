import { type ReactNode, useEffect, useRef } from 'react'

/** A page without content: what it is, and what to do next. Takes the focus if nothing else has it. */
export function Notice({ title, text, children }: { title: string; text: string; children?: ReactNode }) {
  const box = useRef<HTMLElement>(null)
  useEffect(() => {
    if (document.activeElement?.matches('body, [data-region=work]')) box.current?.focus({ preventScroll: true })
  }, [])
  return (
    <section
      ref={box}
      data-region="screen"
      tabIndex={-1}
      className="grid h-full place-content-center justify-items-center gap-3 p-6 text-center outline-none"
    >
      <title>{`${title} - Admin Portal`}</title>
      <h1 className="text-title font-semibold">{title}</h1>
      <p className="max-w-[420px] text-muted">{text}</p>
      {children}
    </section>
  )
}
