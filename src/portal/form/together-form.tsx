import { pluralize } from '#kernel/pluralize.ts'
import { useMemo } from 'react'
import { fewOf } from '#domain/text.ts'
import { reasonOf } from '#kernel/availability.ts'
import type { Command } from '#kernel/command.ts'
import type { DryRun } from '#kernel/dry-run.ts'
import { overSeveral } from '#kernel/several.ts'
import { chipOf } from '#portal/form/chip-of.ts'
import { Line } from '#portal/form/line.tsx'
import { PageHead } from '#portal/form/page-head.tsx'
import { Loading, NotLoaded, PageLines } from '#portal/form/page-lines.tsx'
import { SingleForm } from '#portal/form/single-form.tsx'
import { useLoaded } from '#portal/form/use-loaded.ts'
import type { Page } from '#portal/commands/palette-state.ts'
import { readRecords } from '#portal/records/load-record.ts'
import { commandContextAtom } from '#portal/list/command-context.ts'
import { store } from '#portal/platform/store.ts'

interface TogetherFormProps {
  command: Command
  page: Extract<Page, { kind: 'form' }>
}

/** A command on several records together: why it is not available, else one form, with the records left out. */
export function TogetherForm({ command, page }: TogetherFormProps) {
  const { targets } = page
  const { on } = command
  // Evaluated once: later changes of the rows are shown in the form, and do not replace it while the user types.
  const loaded = useLoaded(
    async (signal) => {
      const validate = (rows: readonly unknown[]) => overSeveral(command, targets, rows, store.get(commandContextAtom))
      const early = validate([])
      return !on || 'sentence' in early.state ? early : validate(await readRecords(on, targets.ids, signal))
    },
    [command, on, targets],
  )
  const { state, validated } = loaded.state === 'there' ? loaded.value : { state: null, validated: null }
  const together = useMemo(
    () =>
      validated && {
        rows: validated.eligible,
        targets: { ...targets, filter: null },
        above: <LeftOut command={command} validated={validated} />,
      },
    [command, targets, validated],
  )
  if (together) return <SingleForm command={command} page={page} together={together} />
  return (
    <>
      <PageHead id="form-title" chip={chipOf(command, targets)} title={command.title} />
      {loaded.state === 'failed' ? (
        <NotLoaded what="The rows could not be loaded." again={loaded.again} />
      ) : state && 'sentence' in state ? (
        <PageLines>
          <Line tone="plain" icon="info" alert>
            {reasonOf(state)}
          </Line>
        </PageLines>
      ) : (
        <Loading what="Checking each row" />
      )}
    </>
  )
}

/** The records left out, each with the reason. */
function LeftOut({ command: { on }, validated: { blocked } }: { command: Command; validated: DryRun }) {
  const named = blocked.map(({ row, sentence }) => `${on?.title(row)}: ${sentence}`)
  return (
    blocked.length > 0 && (
      <Line tone="wait" icon="info" alert detail={fewOf(named)}>
        {pluralize(blocked.length, on)} left out
      </Line>
    )
  )
}
