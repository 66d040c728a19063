import { pluralize } from '#kernel/pluralize.ts'
import { useState } from 'react'
import { z } from 'zod'
import { fieldMeta, oneOf, required } from '#contract/fields.ts'
import { checkTargets, maxTargets } from '#contract/runs.ts'
import { noPermission } from '#domain/permissions.ts'
import { availability } from '#kernel/availability.ts'
import type { Command } from '#kernel/command.ts'
import { bulkable } from '#kernel/dry-run.ts'
import type { AnyEntity } from '#kernel/entity.ts'
import { type LeftOut, readPasted } from '#kernel/pasted-ids.ts'
import type { CommandContext } from '#kernel/command-context.ts'
import { Refusal } from '#kernel/api-client.ts'
import { CommandForm } from '#portal/form/palette/command-form.tsx'
import type { Failure } from '#portal/form/session/failure.ts'
import type { Values } from '#kernel/form-values.ts'
import { Line } from '#portal/form/line.tsx'
import { Loading, NotLoaded, OneLine, PageHead } from '#portal/form/page-lines.tsx'
import { RowLines } from '#portal/form/palette/row-lines.tsx'
import { useQuery } from '#portal/records/use-query.ts'
import { chooseRecords } from '#portal/commands/palette-state.ts'
import { noTargets } from '#portal/platform/commands.ts'
import { capitalize, wholeNumber } from '#domain/text.ts'
import { commandById, commands } from '#portal/platform/registry.ts'
import { byServer } from '#portal/commands/runs-on-server.ts'
import { commandContextAtom } from '#portal/list/command-context.ts'
import { store } from '#portal/platform/store.ts'
import { apiClient } from '#portal/api/client.ts'

/** Not trimmed: line breaks and empty cells are needed to find the ids. */
const pasted = z
  .string({ error: required })
  .refine((text) => text.trim() !== '', required)
  .max(500_000, 'At most 500,000 characters. Paste the column of ids alone.')
fieldMeta.add(pasted, {
  kind: 'long-text',
  title: 'Ids',
  help: 'One a line, or separated by tabs or commas. A heading and other columns may stay.',
})

/** Why the ids were not checked; `refused` if the API does not let this user query this noun. */
interface CheckFailure extends Failure {
  refused: boolean
}

/** The ids found in one text, and what was left out. */
interface CheckResult {
  /** The text and the noun that this result belongs to. */
  params: string
  entity: AnyEntity
  ids: readonly string[]
  left: readonly LeftOut[]
}

/** Result of parsing the pasted text: ids of which noun, or why it could not be read. */
interface FirstCheck {
  noun: AnyEntity
  checked: CheckResult | null
  failure: Failure | null
}

/** Parses pasted ids, lists the lines without a row and why, and then the commands for the rows. */
export function PastedPage({ text }: { text: string }) {
  const loaded = useQuery(async () => {
    const nouns = nounsOf(store.get(commandContextAtom))
    return { nouns, first: await firstCheck(nouns, text) }
  }, [text])
  const command = commandById('list.pasted-ids')
  return (
    <>
      <PageHead id="form-title" chip={null} title="Pasted ids" />
      {loaded.state === 'failed' ? (
        <NotLoaded what="A part of the portal could not be loaded. Check the network." again={loaded.again} />
      ) : loaded.state !== 'there' ? (
        <Loading what="Checking the ids" />
      ) : command && loaded.value.first ? (
        <PastedForm command={command} nouns={loaded.value.nouns} text={text} first={loaded.value.first} />
      ) : (
        <OneLine icon="lock" alert>
          {noPermission}
        </OneLine>
      )}
    </>
  )
}

function PastedForm(props: { command: Command; nouns: readonly AnyEntity[]; text: string; first: FirstCheck }) {
  const { command, nouns, text, first } = props
  const [schema] = useState(() => schemaOf(nouns))
  const [checked, setChecked] = useState(first.checked)
  const [failed, setFailed] = useState(first.failure)
  const submit = async (params: Values): Promise<Failure | null> => {
    setFailed(null)
    if (checked?.params === keyOf(params)) {
      if (!checked.ids.length) return { sentence: 'None of these ids can be used.', detail: null }
      chooseRecords(checked.entity.name, checked.ids)
      return null
    }
    const found = await checkedIds(nouns.find(({ name }) => name === params['noun']) ?? first.noun, params)
    if ('sentence' in found) return found
    setChecked(found)
    return null
  }
  return (
    <CommandForm
      command={command}
      targets={noTargets}
      schema={schema}
      start={{ ids: text, noun: first.noun.name }}
      params={undefined}
      above={failed ? <Failed failure={failed} /> : checked && <Found checked={checked} />}
      blocked={null}
      warning={null}
      word={null}
      note="Nothing is changed by this."
      go={checked?.ids.length ? `Choose ${pluralize(checked.ids.length, checked.entity)}` : 'Check ids'}
      frozen={false}
      submit={submit}
    />
  )
}

const schemaOf = (nouns: readonly AnyEntity[]) =>
  z.object({
    ids: pasted,
    noun: oneOf(
      'Rows',
      nouns.map(({ name, many }) => ({ value: name, label: capitalize(many) })),
    ),
  })

const keyOf = ({ ids, noun }: Values): string => JSON.stringify([ids, noun])

/** The nouns for which the user has bulk commands; first that of the open list, then by the number of commands. */
function nounsOf(context: CommandContext): AnyEntity[] {
  const actions = new Map<AnyEntity, number>()
  for (const command of commands())
    if (command.on && bulkable(command) && byServer(command) && availability(command, context).state !== 'locked')
      actions.set(command.on, (actions.get(command.on) ?? 0) + 1)
  const open = [...actions.keys()].find(({ name }) => name === context.pane?.entity)
  if (open) actions.set(open, Number.POSITIVE_INFINITY)
  return [...actions].sort(([, most], [, more]) => more - most).map(([entity]) => entity)
}

/**
 * Checks the pasted text as ids of the noun that most of it matches; if numbers match several nouns, of the first that has some
 * of them. A noun that the API refuses is skipped. Null if the user has no bulk commands.
 */
async function firstCheck(nouns: readonly AnyEntity[], text: string): Promise<FirstCheck | null> {
  const counts = nouns.map((noun) => readPasted(text, noun).ids.size)
  const highest = Math.max(0, ...counts)
  const likely = nouns.filter((_, at) => counts[at] === highest)
  const [noun] = likely
  if (!noun || text === '') return noun ? { noun, checked: null, failure: null } : null
  let first: FirstCheck | null = null
  for (const each of likely) {
    const found = await checkedIds(each, { ids: text, noun: each.name })
    if ('sentence' in found) {
      if (!found.refused) return { noun: each, checked: null, failure: found }
      first ??= { noun: each, checked: null, failure: found }
    } else {
      if (found.ids.length) return { noun: each, checked: found, failure: null }
      if (!first?.checked) first = { noun: each, checked: found, failure: null }
    }
    if (highest === 0) break
  }
  return first
}

async function checkedIds(entity: AnyEntity, params: Values): Promise<CheckResult | CheckFailure> {
  const { ids, left } = readPasted(String(params['ids']), entity)
  const many = ids.size
  if (many > maxTargets)
    return {
      sentence: `At most ${wholeNumber(maxTargets)} ${entity.many} at a time; these are ${wholeNumber(many)}.`,
      detail: 'Paste them in parts.',
      refused: false,
    }
  try {
    const body = { noun: entity.path.slice(1), ids: [...ids.keys()] }
    const { missing } = many
      ? ((await apiClient.post(checkTargets, {}, body, { command: 'list.pasted-ids' })) as { missing: string[] })
      : { missing: [] }
    const unknown = new Set(missing)
    const reason = `No such ${entity.one}, or you have no access.`
    const notOpen = missing.map((id): LeftOut => ({ line: ids.get(id) ?? 0, text: id, reason }))
    return {
      params: keyOf(params),
      entity,
      ids: [...ids.keys()].filter((id) => !unknown.has(id)),
      left: [...left, ...notOpen].sort((a, b) => a.line - b.line),
    }
  } catch (error) {
    if (error instanceof Refusal) return { sentence: error.message, detail: null, refused: true }
    return { sentence: 'The server did not answer.', detail: 'Try again.', refused: false }
  }
}

const Failed = ({ failure }: { failure: Failure }) => (
  <Line tone="bad" icon="alert" detail={failure.detail} alert>
    {failure.sentence}
  </Line>
)

function Found({ checked: { ids, left, entity } }: { checked: CheckResult }) {
  return (
    <>
      <p className="font-medium" role="status">
        {pluralize(ids.length, entity)} found{left.length ? `, ${wholeNumber(left.length)} left out` : ''}
      </p>
      <RowLines label="Left out" rows={left} keyOf={({ line, text, reason }) => `${line} ${text} ${reason}`}>
        {({ line, text, reason }) => (
          <>
            <span className="w-20 shrink-0 text-muted tabular-nums">Line {wholeNumber(line)}</span>
            <span className="max-w-[40%] shrink-0 truncate font-medium">{text}</span>
            <span className="truncate text-muted">{reason}</span>
          </>
        )}
      </RowLines>
    </>
  )
}
