import { type PermissionName, rightTo } from '#domain/permissions.ts'
import { capitalize } from '#domain/text.ts'
import { bulkOf, changes, type Command, isIrreversible, needsOf, undoable } from '#kernel/command.ts'
import type { CommandContext } from '#kernel/command-context.ts'
import { bulkable } from '#kernel/dry-run.ts'
import type { AnyEntity } from '#kernel/entity.ts'
import { type Field, fieldsOf, formOf } from '#kernel/form.ts'
import { hintOf, optionOf } from '#terminal/field-values.ts'
import { commands, listOf, pageFormOf } from '#terminal/registry.ts'
import type { Streams } from '#terminal/streams.ts'

/** Nobody in particular: help is the same for everybody. */
const nobody: CommandContext = {
  signedIn: false,
  held: new Set(),
  supports: () => true,
  selection: null,
  pane: null,
  open: null,
  online: true,
}

const usage = `Usage: npm run portal -- COMMAND [RECORD ...] [--OPTION VALUE ...]

  employee.pause 100467 --reason fraud    a command by its id, or the beginnings of its parts
  "pause 100467 fraud"                    a sentence, as in the palette
  employee 100467                         the facts of a record
  invoices overdue                        a list, with a view, filters or a search
  employee.pause - --reason fraud         on the ids from standard input
  "approve write-offs under 50"           on a part of a list, once its count is confirmed
  undo                                    takes back the last change

  sign-in [ADDRESS]   sign in by password and code
  sign-out            end the session
  addresses           the addresses that were signed in at
  completion SHELL    a completion script for bash or zsh

Options of every command:
  --json              the API's values: cents, ISO dates
  --dry-run           what would be sent, and its preview; changes nothing
  --confirm WORD      the name or the count that confirms
  --at ADDRESS        another address than the last one signed in at
  --wait SECONDS      how long to wait for an answer to a change (30)
  --output PATH       the file of a download; - for standard output
  --help              this, or the help of a noun or a command

Options of lists:
  --limit N, --all    number of rows (50)
  --columns A,B       other columns
  --sort ID, --order asc|desc
  --ids               the ids alone, one a line

Environment: PORTAL_ADDRESS, and for scripts PORTAL_EMAIL, PORTAL_PASSWORD, PORTAL_CODE.
Exit codes: 0 done, 1 refused, 2 wrong usage or values, 3 not signed in, 4 no permission, 5 no answer,
6 outcome unknown, 7 done in part, 8 belongs to the screen, 130 interrupted before anything was sent.`

/** The fields of a form as far as they are known without a record. */
export function knownFields(command: Command): readonly Field[] {
  try {
    const schema = formOf(command, nobody)
    return schema ? fieldsOf(schema) : []
  } catch {
    return []
  }
}

/** The permissions of a command in words; null if it needs none. */
function permissionText(command: Command): string | null {
  const names = needsOf(command).flatMap((need): readonly PermissionName[] => ('names' in need ? need.names : []))
  return names.length ? `${rightTo([...new Set(names)])} (${[...new Set(names)].join(', ')})` : null
}

const lineOf = ({ id, title }: Pick<Command, 'id' | 'title'>): string => `  ${id.padEnd(38)} ${title}`

/** Commands that can be typed: filters of lists are words behind the noun. */
const isListed = ({ id }: Command): boolean => !/^(filter|history|link|open)\./.test(id)

/** Help of everything. */
export function printHelp({ print }: Streams): void {
  print(usage)
  print('\nCommands:')
  for (const command of commands.filter(isListed)) print(lineOf(command))
}

/** Help of a noun: its commands, filters, columns and orders. */
export async function printNounHelp(entity: AnyEntity, { print }: Streams): Promise<void> {
  const pane = await listOf(entity)
  print(`${capitalize(entity.many)}\n`)
  for (const command of commands.filter(({ on, id }) => on === entity && isListed({ id } as Command))) print(lineOf(command))
  if (!pane) return
  print('\nFilters:')
  for (const { title, field } of entity.filters)
    print(`  ${title}${field.options?.length ? `: ${field.options.map(({ label }) => label).join(', ')}` : ''}`)
  if (pane.named?.length) print(`\nViews: ${pane.named.map(({ title }) => title).join(', ')}`)
  print(`\nColumns: ${pane.columns.map(({ id }) => id).join(', ')}`)
  if (pane.sorts.length) print(`\nOrders: ${pane.sorts.map(({ id }) => id).join(', ')}`)
}

const fieldLine = (field: Field): string =>
  [
    `  --${optionOf(field).padEnd(28)} ${field.title}${field.optional || field.when ? '' : ', required'}: ${hintOf(field)}`,
    ...(field.help ? [`${' '.repeat(33)}${field.help}`] : []),
  ].join('\n')

/** Help of a command, from its schema. */
export async function printCommandHelp(command: Command, { print }: Streams): Promise<void> {
  const { id, title, aliases = [], keys = [], on } = command
  const page = await pageFormOf(command)
  const fields = page ? fieldsOf(page.form) : knownFields(command)
  print(`${title}\n`)
  print(
    `  npm run portal -- ${id}${on ? ` ${on.one.toUpperCase().replaceAll(' ', '-')}${changes(command) && (bulkable(command) || bulkOf(command)) ? ' ...' : ''}` : ''}${fields.length ? ' [--OPTION VALUE ...]' : ''}`,
  )
  if (fields.length) print('\nOptions:')
  for (const field of fields) print(fieldLine(field))
  const facts = [
    aliases.length ? `Also called: ${aliases.join(', ')}` : null,
    keys.length ? `Keys in the portal: ${keys.map(({ chord }) => chord).join(', ')}` : null,
    permissionText(command) ? `It needs ${permissionText(command)}.` : null,
    !changes(command)
      ? null
      : isIrreversible(command)
        ? 'It is confirmed by --confirm, and cannot be undone.'
        : undoable(command)
          ? 'It can be undone in the portal for 10 minutes.'
          : 'It cannot be undone.',
  ].filter((fact) => fact !== null)
  if (facts.length) print(`\n${facts.join('\n')}`)
}
