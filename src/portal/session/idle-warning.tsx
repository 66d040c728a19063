import { Modal } from '#portal/ui/modal.tsx'
import { stay } from '#portal/session/idle.ts'

const clock = (seconds: number): string => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`

/** Shown before a session ends after inactivity; any key or click extends it. */
export function IdleWarning({ left }: { left: number }) {
  return (
    <Modal title="Are you still there?" alert onClose={stay}>
      <p className="text-muted">
        You'll be signed out in <b className="tabular-nums text-ink">{clock(left)}</b> due to inactivity. Press any key to stay.
      </p>
      <div className="flex justify-end pt-4">
        <button type="button" className="btn btn-go" data-autofocus onClick={stay}>
          Stay signed in
        </button>
      </div>
    </Modal>
  )
}
