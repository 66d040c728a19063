import type { Need } from '#domain/permissions.ts'
import { permissionWords } from '#domain/permission-groups.ts'
import { needsOf } from '#kernel/command.ts'
import type { AnyEntity } from '#kernel/entity.ts'
import { fold } from '#kernel/fold.ts'
import { tier } from '#kernel/match.ts'
import { entityOf, wholeLists } from '#kernel/sentence/lists.ts'
import type { ListReading, ParsedQuery, Vocabulary } from '#kernel/sentence/reading.ts'

/** `who can approve write-offs`, `which admins may pause an employee`: the list that is asked for, if any, and what may be done. */
const asksWhoMay =
  /^(?:who |(?:which |list |show )?(.+?) (?:who |that )?)(?:can|may|(?:is|are) allowed to|(?:has|have|with) (?:the )?(?:right|permission)s? to) (.+)$/i

/** The permission that a need is about: of several that are all required, the one to change something, `write:unpause`. */
function neededBy(need: Need<unknown>): readonly string[] {
  if (!('names' in need)) return []
  const changing = need.names.filter((name) => !name.startsWith('read:'))
  return need.kind === 'all' ? [changing.at(-1) ?? need.names[0] ?? ''] : need.names
}

/** The text with every noun in singular and without articles, as in the titles of commands. */
const asInTitles = (text: string, entities: readonly AnyEntity[]): string =>
  entities
    .reduce((said, { one, many }) => said.replace(` ${fold(many)} `, ` ${fold(one)} `), ` ${fold(text)} `)
    .replace(/ (?:an?|the)(?= )/g, '')
    .trim()

/**
 * The staff who have the permission of a command, `who can approve write-offs`, or a permission by its own name, `who can see
 * billing`, as lists with that filter. Null for any other text, and if the person may read no such list.
 */
export function readWhoMay(typed: ParsedQuery, { commands, entities, find, used }: Vocabulary): ParsedQuery | null {
  const [, of = '', what = ''] = asksWhoMay.exec(typed.text) ?? []
  if (!what) return null
  const [found] = find(asInTitles(what, entities), used, 1)
  const ofCommand = found && found.tier <= tier.prefix ? needsOf(found.item.of).flatMap(neededBy) : []
  const labels = ofCommand.length ? [...new Set(ofCommand)].map(permissionWords) : [what]
  const asked = fold(of)
  const readings = wholeLists(commands).flatMap((command): ListReading[] => {
    const entity = entityOf(command, entities)
    const options = entity?.filters.find(({ id }) => id === 'permission')?.field.options ?? []
    const isAsked = ['', 'staff', fold(entity?.many ?? '')].includes(asked)
    const isKnown = labels.every((label) => options.some((option) => fold(option.label) === fold(label)))
    return isAsked && isKnown ? [{ kind: 'list', command, q: labels.join(' or '), every: 'word' }] : []
  })
  return readings.length ? { ...typed, readings } : null
}
