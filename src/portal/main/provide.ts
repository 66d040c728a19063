import type { AnyPageForm } from '#kernel/page-form.ts'
import { openActions, openFilters } from '#portal/commands/palette-state.ts'
import { startCommand } from '#portal/commands/start.ts'
import { provideCommands } from '#portal/platform/commands.ts'
import { providePageForms } from '#portal/platform/page-forms.ts'
import type { Screen } from '#portal/ui/screen.ts'
import { provideScreens } from '#portal/ui/screens.ts'

const found = {
  screens: import.meta.glob<Screen>(['../nouns/*/*.screen.ts', '../nouns/*/*.screen.tsx', '../shell/*/*.screen.tsx'], {
    import: 'default',
  }),
  forms: import.meta.glob<AnyPageForm>('../../../commands/**/*.page.ts', { import: 'default' }),
}

/** Gives the lower floors what they need of the higher ones: commands for lists and records, and the pages by their addresses. */
export function provide(): void {
  provideCommands({ start: startCommand, openActions, openFilters })
  provideScreens(found.screens)
  providePageForms(found.forms)
}
