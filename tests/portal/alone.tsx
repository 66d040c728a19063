import { act, render } from '@testing-library/react'
// biome-ignore lint/style/noRestrictedImports: a part is drawn alone here, on the portal's own store
import { Provider } from 'jotai'
import type { ComponentProps, ReactNode } from 'react'
import { vi } from 'vitest'
import { store } from '#portal/platform/store.ts'
import { CommandForm } from '#portal/form/palette/command-form.tsx'
import type { Failure } from '#portal/form/session/failure.ts'
import { PageForm } from '#portal/form/page/page-form.tsx'
import { noTargets } from '#portal/platform/commands.ts'

const StoreProvider = ({ children }: { children: ReactNode }) => <Provider store={store}>{children}</Provider>

/** Renders a part of the portal alone, on the portal's own store. */
export const showAlone = (part: ReactNode) => render(part, { wrapper: StoreProvider })

/**
 * Runs everything that is already queued: effects, promises, and tasks that these queue in turn. What has not happened then is not
 * going to happen by itself.
 */
export const tasksDone = (): Promise<void> =>
  act(async () => {
    for (let turns = 0; turns < 20; turns++) await new Promise((go) => setTimeout(go))
  })

const now = performance.now.bind(performance)
let ahead = 0

/** Sets the clock of events forward: what is typed next comes after a person's pause. */
export function pauseTyping(): void {
  ahead += 1_100
  performance.now = () => now() + ahead
}

export type FormProps = ComponentProps<typeof CommandForm>

/** Renders the form of a command alone; returns the submit function, with `again` to render it with other properties. */
export function showForm(props: Pick<FormProps, 'command' | 'schema'> & Partial<FormProps>) {
  const submit = vi.fn(async (_: Record<string, unknown>): Promise<Failure | null> => null)
  const form = (more: Partial<FormProps>) => (
    <CommandForm
      targets={noTargets}
      start={{}}
      params={undefined}
      blocked={null}
      warning={null}
      word={null}
      note=""
      go="Do it"
      frozen={false}
      submit={submit}
      {...props}
      {...more}
    />
  )
  const { rerender } = showAlone(form({}))
  return Object.assign(submit, { again: (more: Partial<FormProps>) => rerender(form(more)) })
}

type PageProps = ComponentProps<typeof PageForm>

/** A page form, by default of an employer, without anything that prevents saving. */
export const pageForm = (props: Pick<PageProps, 'page' | 'saved'> & Partial<PageProps>) => (
  <PageForm
    targets={{ entity: 'employer', ids: ['100101'], filter: null, count: 1 }}
    inherited={null}
    confirms={null}
    blocked={null}
    frozen={false}
    submit={async () => null}
    leave={() => {}}
    {...props}
  />
)
