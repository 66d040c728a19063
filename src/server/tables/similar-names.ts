import { type RawBuilder, sql } from 'kysely'
import type { SearchKind } from '#contract/search.ts'
import { editDistance, maxTypingErrors } from '#domain/edit-distance.ts'
import type { Actor } from '#server/access/actor.ts'
import { openTo, organizationOpenTo } from '#server/access/scope.ts'
import type { Tx } from '#server/tables/database.ts'
import { searchWords } from '#server/tables/employee-search.ts'
import { accountManagerOpenTo, adminOpenTo } from '#server/tables/staff.ts'
import { selectAll } from '#server/postgres/select.ts'

const wordsOf = (names: RawBuilder<unknown>) =>
  sql`(select word, char_length(word) as length from (select string_to_table(name, ' ') as word from (${names}) named(name)) split)`

const staffWords = (kind: 'ADMIN' | 'ACCOUNT_MANAGER', open: RawBuilder<boolean>) =>
  wordsOf(sql`select fold(name) from people e where kind = ${kind} and status <> 'DELETED' and ${open}`)

/**
 * Admins use the table of all words of names; the words of an account manager's employers are few enough to be read from the
 * rows.
 */
const peopleWords = (actor: Actor, table: 'employees' | 'users') =>
  actor.kind === 'ADMIN'
    ? sql`name_words`
    : wordsOf(sql`select e.name_key from ${sql.table(table)} e where ${openTo(actor, sql.ref('e.employer_id'))}`)

/**
 * The words of names by kind, as rows of `word` and `length`: only of records that the person may see, so that the name of
 * another employer does not displace one of theirs.
 */
const dictionaries: { readonly [Kind in SearchKind]?: (actor: Actor) => RawBuilder<unknown> } = {
  employees: (actor) => peopleWords(actor, 'employees'),
  users: (actor) => peopleWords(actor, 'users'),
  employers: (actor) => wordsOf(sql`select name_key from employers e where ${openTo(actor, sql.ref('e.id'))}`),
  organizations: (actor) =>
    wordsOf(sql`select name_key from organizations e where ${organizationOpenTo(actor, sql.ref('e.id'))}`),
  'account-managers': (actor) => staffWords('ACCOUNT_MANAGER', accountManagerOpenTo(actor)),
  admins: (actor) => staffWords('ADMIN', adminOpenTo(actor)),
}

/** Whether records of a kind have names that can be misspelled. */
export const hasNames = (kind: SearchKind): boolean => dictionaries[kind] !== undefined

const maxWords = 6
/** Maximum number of near words read from the database for one word, and of spellings tried. */
const maxCandidates = 200
const maxSpellings = 8
const maxTexts = 12

interface Spelling {
  word: string
  errors: number
}

/**
 * A search text with its misspelled words corrected: up to 12 alternative texts, fewest corrections first; none if no known name
 * is near. Words shorter than 4 letters, and those with digits or an `@`, are not corrected.
 */
export async function correctedTexts(tx: Tx, actor: Actor, kind: SearchKind, q: string): Promise<string[]> {
  const dictionary = dictionaries[kind]?.(actor)
  const words = searchWords(q)
  if (!dictionary || words.length > maxWords) return []
  let texts: { words: string[]; errors: number }[] = [{ words: [], errors: 0 }]
  for (const word of words) {
    const spellings = [{ word, errors: 0 }, ...(await spellingsOf(tx, dictionary, word))]
    texts = texts
      .flatMap((text) => spellings.map((each) => ({ words: [...text.words, each.word], errors: text.errors + each.errors })))
      .sort((one, other) => one.errors - other.errors)
      // The original text is among them.
      .slice(0, maxTexts + 1)
  }
  return texts.filter(({ errors }) => errors > 0).map((text) => text.words.join(' '))
}

/** Known words within the typing errors allowed for one word, nearest first. */
async function spellingsOf(tx: Tx, dictionary: RawBuilder<unknown>, word: string): Promise<Spelling[]> {
  const max = /^\p{L}+$/u.test(word) ? maxTypingErrors(word.length) : 0
  if (max === 0) return []
  // The database counts transposed letters as two changes.
  const distance = sql`levenshtein_less_equal(known.word, ${word}, ${max + 1})`
  const known = await selectAll<{ word: string }>(tx)`
    select known.word from ${dictionary} known
    where known.length between ${word.length - max} and ${word.length + max} and ${distance} <= ${max + 1}
    group by known.word order by ${distance}, similarity(known.word, ${word}) desc, known.word limit ${maxCandidates}`
  return known
    .map((row) => ({ word: row.word, errors: editDistance(row.word, word) }))
    .filter(({ errors }) => errors > 0 && errors <= max)
    .sort((one, other) => one.errors - other.errors)
    .slice(0, maxSpellings)
}
