import type { AnyPageForm } from '#kernel/page-form.ts'
import { decoded } from '#portal/app/location.ts'
import type { Screen } from '#portal/ui/screen.ts'

// All screens, and all forms that are pages; each loads on navigation.
const found = {
  screens: import.meta.glob<Screen>(['../nouns/*/*.screen.ts', '../nouns/*/*.screen.tsx'], { import: 'default' }),
  forms: import.meta.glob<AnyPageForm>('../../../commands/**/*.page.ts', { import: 'default' }),
}

const screens = new Map(
  Object.entries(found.screens).map(([path, load]) => {
    const [noun = '', file = ''] = path.split('/').slice(-2)
    return [`${noun}/${file.replace(/\.screen\.tsx?$/, '')}`, load]
  }),
)

/** The loader of the screen at an address, and the record it is about; null if there is no such screen. */
export function screenAt(pathname: string): { name: string; load: () => Promise<Screen>; id: string | null } | null {
  const [noun = '', typed, part, ...more] = pathname.split('/').slice(1)
  const name = `${noun}/${part ?? noun}`
  const load = more.length === 0 && (typed === undefined) === (part === undefined) && screens.get(name)
  const id = typed === undefined ? null : decoded(typed)
  return load && (typed === undefined || id) ? { name, load, id } : null
}

/** Loads the page form of a command; null for a command without one. */
export async function pageFormOf(command: string): Promise<AnyPageForm | null> {
  return (await found.forms[`../../../commands/${command.replaceAll('.', '/')}.page.ts`]?.()) ?? null
}
