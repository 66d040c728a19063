import type { ComponentType } from 'react'
import type { CallHead } from '#contract/define.ts'
import type { Need } from '#domain/permissions.ts'
import type { AnyEntity } from '#kernel/entity.ts'
import type { KeyLine } from '#portal/keyboard/key-map.ts'
import type { Later } from '#portal/ui/later.tsx'

/** What every screen is drawn with. */
export interface ScreenProps {
  /** The record that it is about; null for a screen of its own. */
  id: string | null
  leave: () => void
}

/**
 * A place of the portal that is no list: its address is that of its file. `nouns/employers/configuration.screen.ts` is at
 * `/employers/{id}/configuration`, `nouns/dashboard/dashboard.screen.tsx` at `/dashboard`.
 */
interface Common {
  title: string
  /** Who may open it; without it the page says so. */
  needs: Need
  /** Where leaving it leads when nothing of the portal was open before; of a form, from the record as far as it is known. */
  back: (id: string, known: unknown) => string
}

/** What content beside a form receives, and what it may do. */
export interface BesideForm {
  /** What is typed so far, right or wrong. */
  values: Readonly<Record<string, unknown>>
  /** What the form was made of. */
  facts: unknown
  /** Puts values into fields, as if they were typed. */
  set: (values: Readonly<Record<string, unknown>>) => void
  /** Says why nothing can be saved as it is typed; null once it can. */
  refuse: (why: string | null) => void
}

/** The form of a command that is a page. */
export interface FormScreen extends Common {
  form: { command: string; on: AnyEntity }
  beside?: Later<BesideForm>
}

/** Any other page. */
export interface BodyScreen extends Common {
  body: ComponentType<ScreenProps>
  /** The call that it shows the answer of; where the API has none, the page says so. */
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
