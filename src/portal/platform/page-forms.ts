import type { AnyPageForm } from '#kernel/page-form.ts'

type Loader = () => Promise<AnyPageForm>

/** By the ids of their commands. */
let forms: ReadonlyMap<string, Loader> = new Map()

/** Takes the loaders of forms that are pages, by the paths of their files. Called once, before anything is drawn. */
export function providePageForms(found: Readonly<Record<string, Loader>>): void {
  const idOf = (path: string) =>
    path
      .split('/')
      .slice(-2)
      .join('.')
      .replace(/\.page\.ts$/, '')
  forms = new Map(Object.entries(found).map(([path, load]) => [idOf(path), load]))
}

/** Fetches the form of a command that is a page; null for a command without one. */
export const pageFormOf = async (command: string): Promise<AnyPageForm | null> => (await forms.get(command)?.()) ?? null
