import { type AuditEvent, auditSorts } from '#contract/audit-events.ts'
import { eventWords } from '#domain/employee-event.ts'
import { auditEvent, auditedRecord } from '#entities/audit-event.ts'
import { orDash } from '#portal/format/cell-text.ts'
import { dateAndTime } from '#portal/format/dates.ts'
import { type Column, definePane } from '#portal/list/pane.ts'
import { CommandWords } from '#portal/nouns/audit-events/command-words.tsx'
import { commandWords } from '#portal/nouns/audit-events/words.ts'
import { changeWords } from '#portal/nouns/change-words.ts'
import { plain, sortsOf, subline, times, twoLines } from '#portal/nouns/columns.tsx'
import { companyFields } from '#portal/nouns/employers/words.ts'
import { later } from '#portal/ui/later.tsx'

const words = changeWords({ ...companyFields, email: 'e-mail', kyc_status: 'Identity check' })

const columns: readonly Column<AuditEvent>[] = [
  {
    id: 'event',
    title: 'Event, record',
    width: [150, 1.5],
    keep: 3,
    long: true,
    text: (one) => `${eventWords(one.status, one.category)}, ${auditedRecord(one)}`,
    draw: (one) => twoLines(eventWords(one.status, one.category), auditedRecord(one)),
  },
  plain('actor', 'Person', 110, (one) => one.actor.name, { long: true, keep: 3 }),
  times('at', 'When', (one) => one.at, { sort: 'at', keep: 2 }),
  plain('command', 'Command', 120, (one) => commandWords(one), {
    draw: (one) => <CommandWords one={one} />,
    long: true,
    keep: 1,
  }),
  plain('fields', 'Changed', 110, (one) => orDash(one.changes.map(({ field }) => words.field(field)).join(', ')), { long: true }),
  plain('text', 'Text', 180, (one) => orDash(one.text), { long: true }),
]

/** Who did what, when, by which command. */
export default definePane<AuditEvent>({
  entity: auditEvent,
  title: 'Audit',
  columns,
  shown: ['event', 'actor', 'at', 'command', 'fields'],
  sorts: sortsOf(auditSorts, columns),
  newestFirst: true,
  sub: (one) => subline(one.actor.name, dateAndTime(one.at)),
  tabs: {
    general: later(async () => (await import('#portal/nouns/audit-events/general.tsx')).AuditGeneral),
  },
  words,
})
