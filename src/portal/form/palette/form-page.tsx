import { changes } from '#kernel/command.ts'
import { PageHead } from '#portal/form/page-lines.tsx'
import { BulkForm } from '#portal/form/deferred.tsx'
import { Line } from '#portal/form/line.tsx'
import { RecordForm } from '#portal/form/palette/record-form.tsx'
import type { Page } from '#portal/commands/palette-state.ts'
import { commandById } from '#portal/platform/registry.ts'

/** Fields, preview, warning and confirmation of a command in one page of the palette. */
export default function FormPage({ page }: { page: Extract<Page, { kind: 'form' }> }) {
  const command = commandById(page.command)
  if (!command)
    return (
      <>
        <PageHead chip={null} title="Unknown command" />
        <div className="p-4">
          <Line tone="bad" icon="alert">
            There is no such command in this version of the portal.
          </Line>
        </div>
      </>
    )
  const several = changes(command) && command.on !== undefined && (page.targets.filter !== null || page.targets.ids.length !== 1)
  // A new command or target remounts the form.
  const key = JSON.stringify([page.command, page.targets])
  return several ? <BulkForm key={key} command={command} page={page} /> : <RecordForm key={key} command={command} page={page} />
}
