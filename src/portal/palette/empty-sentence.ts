import { checkTargets } from '#contract/runs.ts'
import { parseDollars } from '#domain/money.ts'
import type { Command } from '#kernel/command.ts'
import { fold } from '#kernel/fold.ts'
import { capitalize, withArticle } from '#domain/text.ts'
import type { CommandContext } from '#kernel/command-context.ts'
import { commandRow } from '#portal/palette/command-rows.ts'
import { quoted } from '#portal/palette/filter-rows.ts'
import { ofStatus, wholeLists } from '#kernel/sentence/lists.ts'
import { excludes } from '#kernel/sentence/meaning-words.ts'
import { holdsIds, type ParsedQuery } from '#kernel/sentence/reading.ts'

interface EmptyInput {
  typed: ParsedQuery
  context: CommandContext
  commands: readonly Command[]
  waiting: boolean
}

/** The status in a command that filters a list; not `open`, which is more often a verb. */
function statusIn({ id, title }: Command): string {
  const [, , noun = ''] = id.split('.')
  const status = fold(title).split(' ').slice(1, -noun.split('-').length).join(' ')
  return status === 'open' ? '' : status
}

/** Why the list that the words name, directly, by a status, or by an amount, is not accessible to the user; null if one is. */
function whyNoList({ commands, context }: EmptyInput, words: string): string | null {
  const has = (name: string) => name !== '' && ` ${fold(words)} `.includes(` ${name} `)
  const whole = wholeLists(commands).filter(({ title }) => has(fold(title).slice('show all '.length)))
  const named = whole.length ? whole : ofStatus(commands).filter((command) => has(statusIn(command)))
  const rows = named.map((command) => commandRow(command, context, null))
  return rows.every(({ usable }) => !usable) ? (rows[0]?.note ?? null) : null
}

/** Where the noun or the tab that words name is, if no search finds it: `expired rewards`; null if they name none. */
function whereIsIt(commands: readonly Command[], words: string): string | null {
  const said = ` ${fold(words)} `
  const has = (name: string) => said.includes(` ${fold(name)} `)
  const lists = wholeLists(commands).map(({ title }) => fold(title).slice('show all '.length))
  for (const { id, title, aliases = [], on } of commands) {
    if (!on) continue
    if (on.foundIn && (has(on.one) || has(on.many))) return `${capitalize(on.many)} are found in ${on.foundIn}.`
    const tab = /^Show (.+) of /.exec(title)?.[1] ?? ''
    if (id.startsWith('link.tab.') && !lists.includes(fold(tab)) && [tab, ...aliases].some(has))
      return `${tab} is a tab of ${withArticle(on.one)}: type a name with it.`
  }
  return null
}

/**
 * The sentence of a palette without rows: what to type, that a search is running, why a list is not accessible, or that nothing
 * matches.
 */
export function emptySentence(input: EmptyInput): string {
  const { typed, context, waiting } = input
  if (waiting) return 'Searching…'
  if (typed.mode === 'filters' && !context.pane) return 'Open a list first; then / has its filters.'
  if (typed.text === '')
    return typed.mode === 'ids'
      ? 'Type an id.'
      : typed.mode === 'people'
        ? 'Type a name, e-mail or phone number.'
        : 'Type a command, a name or an id.'
  const whole = typed.said
  if (typed.mode === 'all' && holdsIds(whole) && context.supports(checkTargets)) return 'Press Enter to look up these ids.'
  const dollars = typed.mode === 'all' && /[$.]/.test(whole) ? Math.floor((parseDollars(whole) ?? 0) / 100) : 0
  const why = whyNoList(input, dollars > 0 ? 'invoices' : whole)
  if (why) return `Nothing is found by “${quoted(whole)}”. ${why}`
  if (typed.mode === 'all' && excludes(typed.text))
    return `“${quoted(whole)}” is not understood. Only the value of a filter can be excluded, as in “employees not paused”.`
  const where = typed.mode === 'all' ? whereIsIt(input.commands, whole) : null
  if (where) return `Nothing is found by “${quoted(whole)}”. ${where}`
  if (dollars > 0)
    return `Nothing is found by “${quoted(whole)}” alone. Type the amount with a list: “invoices ${dollars} to ${dollars + 1}”.`
  if (/^([a-z]{2,8}-)?\d{3,}$/i.test(typed.text)) return `No such record “${quoted(typed.text)}”, or you have no access.`
  return `Nothing matches “${quoted(whole)}”. ${typed.mode === 'all' ? 'Check the spelling, or press Esc to start again.' : 'Delete the first character to search everything.'}`
}
