import type { ComponentType } from 'react'
import type { CallHead } from '#contract/define.ts'
import type { Need } from '#domain/permissions.ts'
import type { AnyEntity } from '#kernel/entity.ts'
import type { KeyLine } from '#portal/keyboard/key-map.ts'
import type { Later } from '#portal/ui/later.tsx'

/** Props of every screen. */
export interface ScreenProps {
  /** The id of its record; null for a screen without one. */
  id: string | null
  leave: () => void
}

/**
 * A page of the portal other than a list: its address follows from its file. `nouns/employers/configuration.screen.ts` is at
 * `/employers/{id}/configuration`, `nouns/dashboard/dashboard.screen.tsx` at `/dashboard`.
 */
interface Common {
  title: string
  /** Permission to open it; without it the page says so. */
  needs: Need
  /** Where leaving leads if there is no history within the portal; for a form it may depend on the record, if known. */
  back: (id: string, known: unknown) => string
}

/** What content beside a form receives, and what it may do. */
export interface BesideForm {
  /** The current values, valid or not. */
  values: Readonly<Record<string, unknown>>
  /** The fetched data that the form was built from. */
  facts: unknown
  /** Sets values of fields, as if they were typed. */
  set: (values: Readonly<Record<string, unknown>>) => void
  /** Blocks the save with a reason; null unblocks it. */
  refuse: (why: string | null) => void
}

/** The form of a command as a page. */
export interface FormScreen extends Common {
  form: { command: string; on: AnyEntity }
  beside?: Later<BesideForm>
}

/** Any other page. */
export interface BodyScreen extends Common {
  body: ComponentType<ScreenProps>
  /** The call whose answer it shows; if the API does not support it, the page says so. */
  reads?: CallHead
  /** Its next useful keys, for the status bar. */
  keys: readonly KeyLine[]
}

export type Screen = { readonly kind: 'screen' } & (FormScreen | BodyScreen)

/** Declares a screen. */
export const defineScreen = <Of extends FormScreen | BodyScreen>(screen: Of): { readonly kind: 'screen' } & Of => ({
  kind: 'screen',
  ...screen,
})
