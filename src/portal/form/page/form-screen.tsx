import { capitalize } from '#domain/text.ts'
import { useAtomValue } from 'jotai'
import { useEffect, useMemo, useRef, useState } from 'react'
import { availability, isNotOffered, notOffered, reasonOf } from '#kernel/availability.ts'
import { fieldsOf } from '#kernel/form.ts'
import type { AnyPageForm } from '#kernel/page-form.ts'
import { formKeys } from '#kernel/send.ts'
import { Refusal } from '#kernel/api-client.ts'
import { apiClient } from '#portal/api/client.ts'
import { commandContextAtom } from '#portal/list/command-context.ts'
import { newKey, runCommand } from '#portal/commands/run.ts'
import { lastChange, somebodyChanged } from '#portal/commands/last-change.ts'
import { loadRecord } from '#portal/records/load-record.ts'
import { asideAtom, oneTarget, targetsBy } from '#portal/list/target.ts'
import { useIsUnconfirmed } from '#portal/commands/outbox/calls.ts'
import { type Failure, failureOf } from '#portal/form/session/failure.ts'
import { chooser, needChooser } from '#portal/form/fields/deferred.ts'
import type { Values } from '#kernel/form-values.ts'
import { Line } from '#portal/form/line.tsx'
import { useEscape } from '#portal/ui/use-escape.ts'
import { PageForm } from '#portal/form/page/page-form.tsx'
import { isOutOfReach, readOne } from '#portal/records/read-one.ts'
import { rightsChangesAtom } from '#portal/records/rights-changes.ts'
import { recordAtom } from '#portal/records/entity-store.ts'
import { useQuery } from '#portal/records/use-query.ts'
import { useStanding } from '#portal/ui/use-sending.ts'
import { navigate } from '#portal/platform/location.ts'
import { store } from '#portal/platform/store.ts'
import { wayOn } from '#portal/platform/return-to-list.ts'
import type { Later } from '#portal/ui/later.tsx'
import type { BesideForm } from '#portal/ui/screen.ts'

interface FormScreenProps {
  /** Shown beside the fields. */
  beside?: Later<BesideForm> | undefined
  page: AnyPageForm
  title: string
  id: string
  leave: () => void
}

/**
 * The page of a command's form: loads the record and its saved values, then renders the form. The record is the palette's
 * context.
 */
export function FormScreen({ page, title, id, leave, beside }: FormScreenProps) {
  const { on } = page
  const loaded = useQuery(
    async (signal) => {
      try {
        const [target] = await Promise.all([loadRecord(on, id, signal), needChooser(fieldsOf(page.form)) && chooser.fetch()])
        return { target, facts: await page.facts(target, apiClient.read) }
      } catch (error) {
        if (isNotOffered(error)) return 'not offered'
        if (error instanceof Refusal && error.problem.status === 404) return null
        throw error
      }
    },
    [page, id],
  )
  // As left by a save, which may have changed its title.
  const now = useAtomValue(useMemo(() => recordAtom(on.name, id), [on, id]))
  // If the user loses the right to see the record, the page closes; the input is kept as a draft.
  const rights = useAtomValue(rightsChangesAtom, { store })
  const [firstRights] = useState(rights)
  const reread = useQuery((signal) => readOne(on, id, { background: true, signal }), rights === firstRights ? null : [on, id], {
    version: rights,
  })
  const gone = isOutOfReach(reread.error)
  const value = loaded.state === 'there' ? loaded.value : null
  const there = !gone && value && value !== 'not offered' ? { ...value, target: now ?? value.target } : null
  const known = there !== null
  useEffect(() => {
    store.set(asideAtom, known ? oneTarget(on.name, id) : null)
    return () => store.set(asideAtom, null)
  }, [on, id, known])
  // The form leaves with its changes kept as a draft.
  useEscape(there ? null : leave)
  return (
    <div className="page" data-region="page">
      <title>{`${title} - Admin Portal`}</title>
      <header>
        <h1>{there ? on.title(there.target) : `${capitalize(on.one)} ${id}`}</h1>
        <p>{there ? `${title} · ${on.subtitle(there.target)}` : title}</p>
      </header>
      {there ? (
        <Ready page={page} id={id} target={there.target} first={there.facts} leave={leave} beside={beside} />
      ) : loaded.state === 'loading' ? (
        <div className="page-wait">
          <p role="status" className="page-loading">
            Loading
          </p>
        </div>
      ) : (
        <div className="page-wait">
          <Line tone="bad" icon="alert" alert>
            {loaded.state === 'failed'
              ? 'This page could not be loaded.'
              : value === 'not offered'
                ? notOffered
                : `No such ${on.one}, or you have no access`}
          </Line>
          <p className="flex gap-2">
            {loaded.state === 'failed' && (
              <button type="button" className="btn" onClick={loaded.again}>
                Try again
              </button>
            )}
            <button type="button" className="btn" onClick={leave}>
              Back
            </button>
          </p>
        </div>
      )}
    </div>
  )
}

interface ReadyProps extends Pick<FormScreenProps, 'page' | 'id' | 'leave' | 'beside'> {
  target: unknown
  first: unknown
}

function Ready({ page, id, target, first, leave, beside }: ReadyProps) {
  const { command, on } = page
  const context = useAtomValue(commandContextAtom)
  const [facts, setFacts] = useState(first)
  const [keys] = useState(() => formKeys(newKey))
  const standing = useStanding()
  const targets = useMemo(() => targetsBy(on.name, [id]), [on, id])
  const saved = useMemo(() => page.saved(facts) as Values, [page, facts])
  const sentence = page.confirms?.(target, facts) ?? null
  const state = availability(command, context, target)
  // If this fails, the next save is refused as stale and reads again.
  const look = async () => {
    const read = await page.facts(target, apiClient.read).catch(() => facts)
    setFacts(read)
    return page.saved(read) as Values
  }

  const frozen = useIsUnconfirmed(command, id)
  const was = useRef(frozen)
  // A call from before a reload has been answered: the saved values may have changed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the answer arrives
  useEffect(() => {
    if (was.current && !frozen) void look()
    was.current = frozen
  }, [frozen])

  const submit = async (params: Values): Promise<Failure | null> => {
    const watching = () => standing.current
    const outcome = await runCommand(command, target, params, { keys, facts, watching })
    if (outcome.kind === 'done') {
      if (!page.opens) await look()
      else if (watching()) {
        const goOn = wayOn(command.id, { here: false })
        goOn?.()
        if (goOn) leave()
        else navigate(page.opens(target), { replace: true })
      }
      return null
    }
    if (outcome.kind === 'refused' && outcome.problem.code === 'stale-version') {
      const [who, meanwhile] = await Promise.all([lastChange(on, id, on.version(target)), look()])
      return { sentence: who ?? somebodyChanged, detail: 'Nothing was saved yet.', meanwhile }
    }
    return failureOf(outcome)
  }

  return (
    <PageForm
      page={page}
      targets={targets}
      saved={saved}
      inherited={page.inherited?.(facts) ?? null}
      follows={(params) => page.follows?.(params, facts) ?? {}}
      preview={page.preview ? (params) => page.preview?.(target, params, facts) ?? null : null}
      confirms={sentence === null ? null : { sentence, word: on.confirmWith(target) }}
      blocked={'sentence' in state ? reasonOf(state) : null}
      frozen={frozen}
      fixed={page.fixed?.(facts) ?? []}
      beside={beside}
      facts={facts}
      submit={submit}
      leave={leave}
    />
  )
}
