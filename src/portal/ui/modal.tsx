import { Dialog, DialogPanel, DialogTitle } from '@headlessui/react'
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
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
  // Before the dialog's own handler, which takes the focus out of a dialog that may stay open.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented || event.nativeEvent.isComposing) return
    event.preventDefault()
    onClose()
  }
  return (
    <Dialog open onClose={onClose} onKeyDown={onKeyDown} role={alert ? 'alertdialog' : 'dialog'} className="relative z-50">
      <div className="veil" aria-hidden="true" />
      <div className="fixed inset-0 grid grid-cols-[minmax(0,1fr)] place-items-center overflow-auto p-4">
        <DialogPanel
          className={`sheet relative max-w-full p-5 ${wide ? 'flex max-h-[calc(100dvh-32px)] w-[860px] flex-col' : 'w-[420px]'}`}
        >
          <DialogTitle className="pb-2 text-title font-semibold">{title}</DialogTitle>
          {children}
        </DialogPanel>
      </div>
    </Dialog>
  )
}
