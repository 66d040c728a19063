import { capitalize, withArticle } from '#domain/text.ts'
import { useAtomValue } from 'jotai'
import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useForm, useFormState, useWatch } from 'react-hook-form'
import { z } from 'zod'
import type { Explanation } from '#contract/access.ts'
import { choice, oneOf, reference } from '#contract/fields.ts'
import { permissionWords } from '#domain/permission-groups.ts'
import { may } from '#domain/permissions.ts'
import { callsOf, commandsOn } from '#kernel/calls-of.ts'
import { fieldsOf } from '#kernel/form.ts'
import { detailOf } from '#kernel/api-client.ts'
import { apiClient } from '#portal/api/client.ts'
import { locationAtom, searchParams, setSearch } from '#portal/platform/location.ts'
import { commands, registeredAtom } from '#portal/platform/registry.ts'
import { startCommand } from '#portal/commands/start.ts'
import { oneTarget } from '#portal/list/target.ts'
import { chooser } from '#portal/form/fields/deferred.ts'
import { FormField } from '#portal/form/fields/form-field.tsx'
import { type UnparsedInput, unparsedErrors } from '#portal/form/session/validation.ts'
import type { Values } from '#kernel/form-values.ts'
import { Line } from '#portal/form/line.tsx'
import { useEscape } from '#portal/ui/use-escape.ts'
import { useQuery } from '#portal/records/use-query.ts'
import { nouns, people, recordPath } from '#portal/access/people.ts'
import { recordAtom } from '#portal/records/entity-store.ts'
import { heldAtom } from '#portal/api/session.ts'
import { focusArrived } from '#portal/ui/focus-arrived.ts'
import { useLater } from '#portal/ui/later.tsx'
import type { ScreenProps } from '#portal/ui/screen.ts'
import '#portal/form/page/page-form.css'

const see = 'see'

/**
 * The question, by the names of its parameters in the address; the id of the person is the value of a parameter named after their
 * kind.
 */
interface AccessQuestion {
  who: string
  person: string | null
  noun: string | null
  record: string | null
  command: string
}

const asked = (): AccessQuestion => {
  const search = searchParams()
  const who = Object.keys(people).find((kind) => search.has(kind))
  return {
    who: who ?? '',
    person: who ? search.get(who) : null,
    noun: nouns.find(({ name }) => name === search.get('noun'))?.name ?? null,
    record: search.get('record'),
    command: search.get('action') ?? see,
  }
}

const text = (value: unknown): string | null => (value === undefined || value === null || value === '' ? null : String(value))

/** Why somebody cannot see or do something. Another address, as from the palette, is another question. */
export function AccessPage({ leave }: ScreenProps) {
  const search = String(useAtomValue(locationAtom).searchParams ?? '')
  /** The address of the question that is shown: what is chosen in it is written there. */
  const own = useRef(search)
  const [visit, setVisit] = useState(0)
  useLayoutEffect(() => {
    if (search === own.current) return
    own.current = search
    setVisit((count) => count + 1)
  }, [search])
  const wrote = () => {
    own.current = String(searchParams())
  }
  return <Question key={visit} leave={leave} wrote={wrote} />
}

/** The fields of the question, answered once all are filled in. */
function Question({ leave, wrote }: Pick<ScreenProps, 'leave'> & { wrote: () => void }) {
  const held = useAtomValue(heldAtom)
  useAtomValue(registeredAtom)
  const formId = useId()
  const page = useRef<HTMLDivElement>(null)
  const kinds = Object.keys(people).filter((kind) => may(held, people[kind]?.explains.needs ?? { kind: 'by-intent' }) === 'yes')
  const { Component } = useLater(chooser)
  // Initial values from the address, which afterwards follows the form.
  const [initialValues] = useState((): Values => {
    const { who, person, noun, record, command } = asked()
    const mayAsk = kinds.includes(who)
    return { who: mayAsk ? who : kinds[0], person: mayAsk ? person : null, noun: noun ?? undefined, record, command }
  })
  const [unparsed] = useState<UnparsedInput>(() => new Map())
  const { control, setValue, trigger } = useForm<Values>({
    defaultValues: initialValues,
    resolver: () => ({ values: {}, errors: unparsedErrors(unparsed) }),
  })
  const { errors } = useFormState({ control })
  const typed = useWatch({ control })
  const now: AccessQuestion = {
    who: String(typed['who']),
    person: text(typed['person']),
    noun: text(typed['noun']),
    record: text(typed['record']),
    command: text(typed['command']) ?? see,
  }
  const noun = nouns.find(({ name }) => name === now.noun)
  const on = commandsOn(noun?.name, commands())
  const command = on.find(({ id }) => id === now.command)
  const titles = on.map(({ title }) => title).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the titles represent the commands, and the kinds the permissions
  const fields = useMemo(() => {
    const { entity } = people[now.who] ?? {}
    const labels = Object.fromEntries(kinds.map((kind) => [kind, capitalize(people[kind]?.entity.one ?? '')]))
    const does = on.map(({ id, title }) => ({ value: id, label: title }))
    return fieldsOf(
      z.object({
        ...(kinds.length > 1 ? { who: choice('Who', kinds, labels) } : {}),
        ...(entity ? { person: reference(capitalize(entity.one), entity.name) } : {}),
        noun: oneOf(
          'Kind of record',
          nouns.map(({ name, one }) => ({ value: name, label: capitalize(one) })),
        ).optional(),
        ...(noun ? { record: reference(capitalize(noun.one), noun.name) } : {}),
        command: oneOf('What they cannot do', noun ? [{ value: see, label: 'See it' }, ...does] : does),
      }),
    )
  }, [now.who, now.noun, titles, kinds.join()])

  const last = useRef(now)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the question is compared by content
  useEffect(() => {
    const before = last.current
    last.current = now
    // Another kind of person or record resets the choice.
    if (before.who !== now.who) setValue('person', null)
    if (before.noun !== now.noun) {
      setValue('record', null)
      setValue('command', see)
    }
    const { who, person, noun: kind, record, command: action } = now
    const none = Object.fromEntries(Object.keys(people).map((kind) => [kind, null]))
    setSearch({ ...none, [who]: person, noun: kind, record, action: action === see ? null : action }, { replace: true })
    wrote()
  }, [JSON.stringify(now)])

  useEffect(() => {
    if (!Component) return
    const chosen = 'button[aria-haspopup=listbox]'
    const all = [...(page.current?.querySelectorAll<HTMLElement>(`input[role=combobox], ${chosen}`) ?? [])]
    const isEmpty = (one: HTMLElement) => (one instanceof HTMLInputElement ? one.value === '' : one.textContent === 'Choose')
    // A list that opens at once would cover the answer.
    const answered = initialValues.person !== null && initialValues.command !== see
    focusArrived((answered ? undefined : all.find(isEmpty)) ?? all.find((one) => one.matches(chosen)))
  }, [Component, initialValues])
  useEscape(leave)
  // With unparsed text in a field, the answer would be about somebody else.
  const isWhole = Object.keys(errors).length === 0 && now.person !== null && (command !== undefined || now.record !== null)
  const isGeneral = noun !== undefined && now.record === null
  return (
    <div ref={page} className="page" data-region="page">
      <title>Explain access - Admin Portal</title>
      <header>
        <h1>Explain access</h1>
        <p>Why somebody can or cannot see a record or run a command, and what would change that.</p>
      </header>
      <div className="page-fields">
        <div className="grid max-w-[640px] gap-3.5">
          {(Component ? fields : []).map((field) => (
            <FormField
              key={`${field.name} ${field.entity ?? ''}`}
              field={field}
              control={control}
              formId={formId}
              check={(path) => void trigger(path)}
              unparsed={unparsed}
            />
          ))}
          <div role="status" aria-label="Answer">
            {isWhole && now.person ? (
              <>
                <Answer
                  who={now.who}
                  person={now.person}
                  record={noun && now.record ? recordPath(noun, now.record) : null}
                  calls={command ? callsOf(command) : []}
                />
                {isGeneral && (
                  <p className="mt-2.5 text-muted">
                    Choose {withArticle(noun.one)} to find out whether it depends on the record.
                  </p>
                )}
              </>
            ) : (
              <p className="text-muted">
                {noun ? 'Choose a person, and a record or what they cannot do.' : 'Choose a person, and a record or a command.'}
              </p>
            )}
          </div>
        </div>
      </div>
    </div>
  )
}

interface AnswerProps {
  who: string
  person: string
  /** The path of the record, if the question is about one. */
  record: string | null
  calls: readonly string[]
}

/** The sentence of the API, what is missing, and the command that grants it. Fetched again when the person changes. */
function Answer({ who, person, record, calls }: AnswerProps) {
  const { entity, explains } = people[who] ?? {}
  const one = useAtomValue(useMemo(() => recordAtom(who, person), [who, person]))
  const version = one !== undefined && entity ? entity.version(one) : 0
  const loaded = useQuery(
    async (signal): Promise<{ explanation: Explanation } | { refused: string }> => {
      if (!explains) return { refused: '' }
      const query = { ...(record ? { record } : {}), ...(calls.length ? { calls: calls.join() } : {}) }
      try {
        return { explanation: await apiClient.read(explains, { id: person }, query, { signal }) }
      } catch (error) {
        const detail = detailOf(error)
        if (detail === null) throw error
        return { refused: detail }
      }
    },
    [explains, person, record, calls.join(), version],
  )
  if (loaded.state === 'loading')
    return <p className="h-9 animate-pulse content-center rounded-lg bg-sunken px-3 text-muted">Loading the answer</p>
  if (loaded.state === 'failed')
    return (
      <Line tone="bad" icon="alert" alert>
        The answer could not be loaded.{' '}
        <button type="button" className="link" onClick={loaded.again}>
          Try again
        </button>
      </Line>
    )
  if ('refused' in loaded.value)
    return (
      <Line tone="bad" icon="alert" alert>
        {loaded.value.refused}
      </Line>
    )
  const { reason, sentence, missing, gives } = loaded.value.explanation
  const giving = gives === null ? undefined : commands().find(({ id }) => id === gives)
  return (
    <div className="grid gap-2.5">
      <Line
        tone={reason === 'allowed' ? 'plain' : 'wait'}
        icon={reason === 'allowed' ? 'check' : 'lock'}
        detail={missing.length > 0 ? `Missing: ${missing.map(({ id }) => permissionWords(id)).join(', ')}` : null}
      >
        {sentence}
      </Line>
      {giving && (
        <p>
          <button
            type="button"
            className="btn btn-go"
            onClick={() => startCommand(giving.id, { targets: oneTarget(who, person) })}
          >
            {giving.title}
          </button>
        </p>
      )}
    </div>
  )
}
