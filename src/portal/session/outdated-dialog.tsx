import { Modal } from '#portal/ui/modal.tsx'
import { logInAgain } from '#portal/session/me.ts'

/** The server has another version than the one running here (SCR-075). */
export function OutdatedDialog() {
  return (
    <Modal title="A new version is here" alert onClose={() => {}}>
      <p className="text-muted">This page runs an older version of Admin Portal. Please log in again to use the new one.</p>
      <div className="flex justify-end pt-4">
        <button type="button" className="btn btn-go" data-autofocus onClick={() => void logInAgain()}>
          Log in again
        </button>
      </div>
    </Modal>
  )
}
