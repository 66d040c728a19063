import {
  countImportedPeople,
  type Import,
  type ImportedPerson,
  importedPersonFilters,
  importedPersonSorts,
  listImportedPeople,
} from '#contract/imports.ts'
import { employeeStatuses } from '#domain/employee.ts'
import { importEffects, importedFileDays } from '#domain/import.ts'
import { employee } from '#entities/employee.ts'
import { importedFile } from '#entities/import.ts'
import { orDash } from '#portal/format/cell-text.ts'
import type { Column } from '#portal/list/pane.ts'
import { plain, sortsOf, states } from '#portal/nouns/columns.tsx'
import { employeeWords } from '#portal/nouns/employees/words.ts'
import { tabList } from '#portal/record/tab-list.tsx'

/** Titles of fields that a file changes and the history does not have. */
const fieldTitles: Readonly<Record<string, string>> = { rate_amount: 'Rate', status_before_pause: 'Status after the pause' }
const undoWords = { UNDONE: 'Undone', SKIPPED: 'Changed since' } as const

/** `Eligible → Terminated`, or the initial status of somebody new. */
function statusChange({ status_before, status_after }: ImportedPerson): string {
  const [before, after] = [status_before, status_after].map((status) => (status === null ? null : employeeStatuses.label(status)))
  return before && after ? `${before} → ${after}` : orDash(after)
}

const columns: readonly Column<ImportedPerson>[] = [
  plain('name', 'Name', 150, (one) => one.name, { sort: 'name', long: true, keep: 3, width: [150, 1.2] }),
  plain('code', 'Employee code', 110, (one) => orDash(one.employee_code), { sort: 'employee_code', keep: 2 }),
  states('effect', 'What changed', 96, importEffects, (one) => one.effect, { keep: 3 }),
  plain('status', 'Status', 150, statusChange, { long: true, keep: 2 }),
  plain(
    'fields',
    'Fields',
    160,
    (one) => orDash(one.fields.map((name) => fieldTitles[name] ?? employeeWords.field(name)).join(', ') || null),
    { long: true, width: [160, 1.2] },
  ),
  plain('undo', 'Undo', 96, (one) => orDash(one.undo && undoWords[one.undo])),
]

/** Why the list is empty. */
function whyNobody({ kind, status, lists_people, created, changed }: Import): string {
  if (kind !== 'EMPLOYEE') return 'Only files of employees create, change and end people.'
  if (status === 'PENDING' || status === 'PAUSED') return 'The file is not imported yet.'
  return lists_people && created + changed > 0
    ? `The people of an import are listed for ${importedFileDays} days.`
    : 'This import changed nobody.'
}

/** The tab People of an import: whom it created, changed and terminated. */
export const ImportPeople = tabList<Import>({
  of: importedFile,
  tab: 'people',
  rows: { name: 'imported-person', id: (one: ImportedPerson) => String(one.id), version: () => 0 },
  list: (one) => ({
    title: 'People of the import',
    many: 'people',
    columns,
    filters: importedPersonFilters,
    sorts: sortsOf(importedPersonSorts, columns),
    searched: true,
    none: whyNobody(one),
    source: {
      endpoint: listImportedPeople,
      at: () => ({ id: importedFile.id(one) }),
      rows: (answer: { people: ImportedPerson[] }) => answer.people,
      count: countImportedPeople,
    },
    leadsTo: (row: ImportedPerson) => ({ entity: employee, id: String(row.id) }),
    standsFor: employee,
  }),
})
