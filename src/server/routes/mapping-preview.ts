import type { z } from 'zod'
import { previewMapping } from '#contract/mapping-preview.ts'
import { configurationsMissing } from '#domain/mapping.ts'
import { all, may } from '#domain/permissions.ts'
import { type Context, route } from '#server/http/route.ts'
import { existing, Refused } from '#server/http-error.ts'
import { oneEmployer } from '#server/tables/employers.ts'
import { termsOfFiles } from '#server/tables/imports.ts'
import { byEmployer, comparedWith, countStaff, hasConfiguration, unlikelyLines } from '#server/tables/mapping-preview.ts'

type PreviewContext = Context<typeof previewMapping> & { body: z.output<(typeof previewMapping)['body']> }

async function preview({
  tx,
  actor,
  body: { employer_id: employer, kind, by, statuses = [], lines, named = [] },
}: PreviewContext) {
  const one = existing(await oneEmployer(tx, actor, employer))
  if (!(await hasConfiguration(tx, employer))) throw new Refused(409, 'configurations-missing', configurationsMissing)
  const { organization_id } = one
  const terms =
    kind === 'EMPLOYEE' || kind === 'TIMEKEEPING'
      ? await termsOfFiles(tx, { organization_id, employer_id: employer, kind })
      : null
  // Comparing rates reveals the pay type as well.
  const wages = may(actor.held, all('read:wages', 'read:compensations')) === 'yes'
  const personal = may(actor.held, all('read:personal-details')) === 'yes'
  // Statuses count only in files of employees.
  const { own, others, no_employer } = await byEmployer(tx, actor, one, lines)
  const ownLines = kind === 'EMPLOYEE' ? own : own.map(({ status: _, ...line }) => line)
  const { similar, doubtful } = await unlikelyLines(tx, employer, { kind, by }, ownLines)
  const rejected = new Set([...similar.map(({ identifier }) => identifier), ...doubtful])
  const validated = ownLines.filter(({ identifier }) => !rejected.has(identifier))
  const compared = await comparedWith(tx, employer, by, validated, {
    wages,
    personal,
    terminated: terms?.terminated_values ?? [],
    statuses,
  })
  const present = compared.present + (await countStaff(tx, employer, by, named))
  return { ...compared, present, others, no_employer, similar, doubtful, incremental: terms?.incremental ?? false }
}

// A replay compares again: the call changes nothing, and its answer depends on access and permissions.
export const routes = [route(previewMapping, preview, { again: preview })]
