import { z } from 'zod'
import { isReloadOf } from '#portal/platform/is-reload.ts'
import { writeStorage, readStorage } from '#portal/platform/storage.ts'
import { store } from '#portal/platform/store.ts'
import { draft } from '#portal/commands/drafts.ts'
import { pendingCalls } from '#portal/commands/pending.ts'
import { startCommand } from '#portal/commands/start.ts'
import { type Page, paletteAtom } from '#portal/commands/palette-state.ts'
import { meAtom } from '#portal/api/session.ts'

/** Cleared at sign-out with the other traces. */
const name = 'admin-portal.reload.form'

type FormPage = Extract<Page, { kind: 'form' }>

/** The form that was open when the page was reloaded, with its person and address. */
const Kept = z.object({ person: z.string(), address: z.string(), form: z.custom<FormPage>() })

/** The open form if it has a draft; null without one. */
function openForm(): FormPage | null {
  const { open, pages } = store.get(paletteAtom)
  const top = pages.at(-1)
  return open && top?.kind === 'form' && draft(top.command, top.targets) ? top : null
}

function keepForm(): void {
  const person = store.get(meAtom)?.person.id
  const form = openForm()
  writeStorage(name, person && form ? { person, address: location.href, form } : null, 'sessionStorage')
}

/** Called while a form is open: a form with input stays open over a reload (D528). Returns the cleanup function. */
export function keepOverReload(): () => void {
  addEventListener('pagehide', keepForm)
  return () => removeEventListener('pagehide', keepForm)
}

/** Opens the form again after a reload, for the same person at the same address, unless something else is open by now. */
export function reopenForm(): void {
  const was = readStorage(name, Kept, 'sessionStorage')
  writeStorage(name, null, 'sessionStorage')
  if (!was || !isReloadOf(was.address) || was.person !== store.get(meAtom)?.person.id) return
  const { command, targets, params } = was.form
  // The outcome of calls that were already sent is looked up and reported separately.
  const sent = pendingCalls.all().some((call) => call.command === command)
  if (!sent && !store.get(paletteAtom).open) startCommand(command, { targets, ...(params ? { params } : {}) })
}
