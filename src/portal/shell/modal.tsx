import { Dialog, DialogPanel, DialogTitle } from '@headlessui/react'
import type { ReactNode } from 'react'

/** A dialog of the shell: a title, a text, and what can be done. */
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
  return (
    <Dialog open onClose={onClose} role={alert ? 'alertdialog' : 'dialog'} className="relative z-50">
      <div className="veil" aria-hidden="true" />
      <div className="fixed inset-0 grid place-items-center overflow-auto p-4">
        <DialogPanel className={`sheet p-5 ${wide ? 'w-[860px]' : 'w-[420px]'} max-w-full`}>
          <DialogTitle className="pb-2 text-title font-semibold">{title}</DialogTitle>
          {children}
        </DialogPanel>
      </div>
    </Dialog>
  )
}
