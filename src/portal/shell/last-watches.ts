import { watchOpenForm } from '#portal/commands/reopen-form.ts'
import { watchSavedViews } from '#portal/commands/saved-views.ts'
import { watching } from '#portal/shell/watches.ts'

/** Begins what is small and comes last: follows the views that somebody saves, and opens a form again after a reload. Returns what stops it. */
export const watchLast = (): (() => void) => watching(watchSavedViews, watchOpenForm)
