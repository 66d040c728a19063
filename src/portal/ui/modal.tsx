import { Dialog, DialogPanel, DialogTitle } from '@headlessui/react'
import { type ReactNode, useEffect, useRef } from 'react'
import { focusBack } from '#portal/keyboard/focus.ts'

/** Restores the focus to the element that had it, or to the list if that is gone. */
function useFocusBack(): void {
  const opener = useRef(document.activeElement)
  useEffect(
    () => () =>
      void setTimeout(() => {
        if (document.activeElement === document.body) focusBack(opener.current)
      }),
    [],
  )
}

/** A dialog of the shell: title, content, and actions. */
export function Modal({
  title,
  wide = false,
  alert = false,
  onClose,
  children,
}: {
  title: string
  wide?: boolean
  alert?: boolean
  onClose: () => void
  children: ReactNode
}) {
  useFocusBack()
  const panel = useRef<HTMLDivElement>(null)
  // Escape blurs the field before it closes the dialog: one that stays open would be left without focus.
  const close = () => {
    onClose()
    setTimeout(() => {
      const stays = panel.current
      if (stays && !stays.contains(document.activeElement)) stays.querySelector<HTMLElement>('[data-autofocus]')?.focus()
    })
  }
  return (
    <Dialog open onClose={close} role={alert ? 'alertdialog' : 'dialog'} className="relative z-50">
      <div className="veil" aria-hidden="true" />
      <div className="fixed inset-0 grid grid-cols-[minmax(0,1fr)] place-items-center overflow-auto p-4">
        <DialogPanel
          ref={panel}
          className={`sheet relative max-w-full p-5 ${wide ? 'flex max-h-[calc(100dvh-32px)] w-[860px] flex-col' : 'w-[420px]'}`}
        >
          <DialogTitle className="pb-2 text-title font-semibold">{title}</DialogTitle>
          {children}
        </DialogPanel>
      </div>
    </Dialog>
  )
}
