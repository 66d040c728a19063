import { decoded } from '#portal/platform/location.ts'
import type { Screen } from '#portal/ui/screen.ts'

type Loader = () => Promise<Screen>

/** By `noun/screen`. */
let screens: ReadonlyMap<string, Loader> = new Map()

/** Takes the loaders of the pages that are no list, by the paths of their files. Called once, before anything is drawn. */
export function provideScreens(found: Readonly<Record<string, Loader>>): void {
  const nameOf = (path: string) => {
    const [noun = '', file = ''] = path.split('/').slice(-2)
    return `${noun}/${file.replace(/\.screen\.tsx?$/, '')}`
  }
  screens = new Map(Object.entries(found).map(([path, load]) => [nameOf(path), load]))
}

/** How the screen at an address is fetched, and the record that it is about; null where there is none. */
export function screenAt(pathname: string): { name: string; load: () => Promise<Screen>; id: string | null } | null {
  const [noun = '', typed, part, ...more] = pathname.split('/').slice(1)
  const name = `${noun}/${part ?? noun}`
  const load = more.length === 0 && (typed === undefined) === (part === undefined) && screens.get(name)
  const id = typed === undefined ? null : decoded(typed)
  return load && (typed === undefined || id) ? { name, load, id } : null
}
