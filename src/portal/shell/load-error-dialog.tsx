import { Modal } from '#portal/ui/modal.tsx'
import { type LoadError, showLoadError } from '#portal/records/load-error.ts'

/** A page that failed to load: Back or Reload (SCR-076). */
export function LoadErrorDialog({ error }: { error: LoadError }) {
  const back = () => {
    showLoadError(null)
    if (error.back) error.back()
    else history.back()
  }
  const reload = () => {
    showLoadError(null)
    if (error.reload) error.reload()
    else location.reload()
  }
  return (
    <Modal title={error.sentence} alert onClose={back}>
      {error.detail && <p className="text-muted">{error.detail}</p>}
      <div className="flex justify-end gap-2 pt-4">
        <button
          type="button"
          className={error.final ? 'btn btn-go' : 'btn'}
          data-autofocus={error.final || undefined}
          onClick={back}
        >
          Back
        </button>
        <button
          type="button"
          className={error.final ? 'btn' : 'btn btn-go'}
          data-autofocus={!error.final || undefined}
          onClick={reload}
        >
          Reload
        </button>
      </div>
    </Modal>
  )
}
