import { parseArgs } from 'node:util'
import { availability } from '#kernel/availability.ts'
import { changes, type Command } from '#kernel/command.ts'
import type { AnyEntity } from '#kernel/entity.ts'
import { outcomeText } from '#kernel/interruption.ts'
import { readPasted } from '#kernel/pasted-ids.ts'
import { searchParameter } from '#kernel/capabilities.ts'
import { mayBeName } from '#kernel/sentence/lists.ts'
import { leadsToName } from '#kernel/sentence/words.ts'
import { completions, completionScript } from '#terminal/complete.ts'
import { type Connection, connect, contextOn, loadRecord } from '#terminal/connection.ts'
import { paramsOf, typedForm } from '#terminal/fill-form.ts'
import { type Asked, type AskedCommand, commandNamed, nounNamed, onlyOne, whatIsAsked } from '#terminal/find-command.ts'
import { printCommandHelp, printHelp, printNounHelp } from '#terminal/help.ts'
import type { Flags, Invocation } from '#terminal/invocation.ts'
import { undoCommand } from '#terminal/last-change.ts'
import { idsIn, printList } from '#terminal/list.ts'
import { printAnswer, questionIn } from '#terminal/question.ts'
import { runGoesOn, runOnSeveral } from '#terminal/run-many.ts'
import { underWay } from '#terminal/pending.ts'
import { runChange } from '#terminal/run-one.ts'
import { hostOf, printRecord } from '#terminal/screen-host.ts'
import { printAddresses, signInAt, signOutAt } from '#terminal/sign-in.ts'
import { type Exit, exits, Stop, stopBy, stopByState } from '#terminal/stop.ts'
import { processStreams, type Streams } from '#terminal/streams.ts'
import { actionOnSet, isJoint } from '#terminal/words.ts'

const flagOptions = {
  at: { type: 'string' },
  json: { type: 'boolean' },
  'dry-run': { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  confirm: { type: 'string' },
  output: { type: 'string' },
  wait: { type: 'string' },
  limit: { type: 'string' },
  all: { type: 'boolean' },
  ids: { type: 'boolean' },
  columns: { type: 'string' },
  sort: { type: 'string' },
  order: { type: 'string' },
} as const

interface ParsedArguments {
  words: string[]
  options: ReadonlyMap<string, string>
  flags: Flags
}

const whole = (text: string, name: string): number => {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new Stop('usage', `--${name} is a whole number from 1.`)
  return Number(text)
}

/** Joins a negative value to its option: `--amount -50` would be read as an option of its own. */
const withNegatives = (args: readonly string[]): string[] =>
  args.flatMap((arg, at) => {
    const isValue = (text: string | undefined, before: string | undefined) =>
      /^-[\d$.]/.test(text ?? '') && /^--[^=]+$/.test(before ?? '')
    if (isValue(arg, args[at - 1])) return []
    return isValue(args[at + 1], arg) ? [`${arg}=${args[at + 1]}`] : [arg]
  })

/** Options of every command, options of fields, and the words between them. An option that is not known here has a value. */
function parse(args: readonly string[]): ParsedArguments {
  const { tokens } = parseArgs({
    args: withNegatives(args),
    options: flagOptions,
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const words: string[] = []
  const options = new Map<string, string>()
  const given = new Map<string, string | true>()
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]
    if (token?.kind === 'positional') words.push(token.value)
    if (token?.kind !== 'option') continue
    const { name } = token
    const known = flagOptions[name as keyof typeof flagOptions]
    const next = tokens[at + 1]
    if (!known && token.value === undefined && next?.kind === 'positional') {
      options.set(name, next.value)
      at++
    } else if (known?.type === 'string' && token.value === undefined) throw new Stop('usage', `--${name} needs a value.`)
    else if (known) given.set(name, token.value ?? true)
    else options.set(name, token.value ?? 'yes')
  }
  const text = (name: string) => {
    const value = given.get(name)
    return typeof value === 'string' ? value : undefined
  }
  const order = text('order')
  if (order !== undefined && order !== 'asc' && order !== 'desc') throw new Stop('usage', '--order is asc or desc.')
  const limit = text('limit')
  return {
    words,
    options,
    flags: {
      ...{
        at: text('at'),
        confirm: text('confirm'),
        output: text('output'),
        columns: text('columns'),
        sort: text('sort'),
        order,
      },
      ...{
        json: given.has('json'),
        dryRun: given.has('dry-run'),
        help: given.has('help'),
        all: given.has('all'),
        ids: given.has('ids'),
      },
      wait: whole(text('wait') ?? '30', 'wait'),
      limit: limit === undefined ? undefined : whole(limit, 'limit'),
    },
  }
}

/** Maximum number of words in a name before the values of a sentence. */
const maxNameWords = 3

/** The record that the first words name, most words first, and the words behind the name. Stops if there is none, or several. */
async function namedBy(
  words: readonly string[],
  on: AnyEntity,
  connection: Connection,
): Promise<{ id: string; rest: readonly string[] }> {
  const { client, context } = connection
  const search = searchParameter(context.supports, on.list)
  const [lead = '', ...others] = words
  // `pause for nadia` is nobody called Ford.
  if (others.length > 0 && leadsToName.test(lead)) return namedBy(others, on, connection)
  const first = lead
  if (search === null) throw new Stop('usage', `${first} is no id.`)
  // `pause all but sadia`: the words say whom not to pause.
  if (!mayBeName(first)) throw new Stop('usage', `Not understood: ${words.join(' ')}`)
  for (let length = Math.min(maxNameWords, words.length); length > 0; length--) {
    if (words.slice(0, length).some((word) => leadsToName.test(word) || isJoint(word))) continue
    const name = words.slice(0, length).join(' ').replaceAll('"', '')
    const answer = await client.read(on.list, {}, { ...on.query, [search]: name, limit: '6' }).catch((error: unknown) => {
      throw stopBy(error)
    })
    const rows = on.rows(answer as never)
    if (rows.length === 1) return { id: on.id(rows[0]), rest: words.slice(length) }
    if (!rows.length) continue
    const some = rows.slice(0, 5).map((row) => `${on.id(row)}  ${on.title(row)}`)
    throw new Stop('usage', `${name} names several ${on.many}.`, [...some, ...(rows.length > 5 ? ['and more'] : [])].join('\n'))
  }
  throw new Stop('refused', `No ${on.one} ${first}, or you have no access.`)
}

/** The ids on standard input. Each line without one is reported. */
async function pipedIds(on: AnyEntity, streams: Streams): Promise<string[]> {
  const { ids, left } = readPasted(await streams.readAll(), on)
  for (const { line, text, reason } of left) streams.note(`Line ${line}: ${text}: ${reason}`)
  if (!ids.size) throw new Stop('usage', `There are no ids of ${on.many} on standard input.`)
  return [...ids.keys()]
}

/** The ids that a command is run on: those typed, those on standard input, or that of the record that the first words name. */
async function targetsOf(on: AnyEntity, typed: Invocation, connection: Connection, streams: Streams) {
  const { targets, words } = typed
  if (targets === null) return { ids: await pipedIds(on, streams), words }
  const ids = targets.flatMap((each) => on.ids.read(each) ?? [])
  if (ids.length || !words.length) return { ids: [...new Set(ids)], words }
  const { id, rest } = await namedBy(words, on, connection)
  return { ids: [id], words: rest }
}

async function runCommand(command: Command, typed: Invocation, streams: Streams): Promise<Exit> {
  const connection = await connect(typed.flags.at, streams)
  const { context } = connection
  const { on } = command
  const general = availability(command, context)
  // Why it is not possible at all comes before what is missing.
  if (general.state === 'locked') throw stopByState(general)
  const { ids, words } = on ? await targetsOf(on, typed, connection, streams) : { ids: [], words: typed.words }
  const invocation = { ...typed, words }
  if (on && !ids.length)
    throw new Stop('usage', `${command.title}: which ${on.one}?`, `See: npm run portal -- ${command.id} --help`)
  const options = { connection, streams, invocation }
  if (on && changes(command) && (ids.length > 1 || invocation.targets === null))
    return runOnSeveral({ ...command, on }, { ...options, ids })
  if (ids.length > 1) throw new Stop('usage', `Select a single ${on?.one}.`)
  const target = on ? await loadRecord(connection, on, ids[0] ?? '') : undefined
  if (changes(command)) return runChange(command, { ...options, target })
  const around = on && target !== undefined ? contextOn(connection, on, target) : context
  const state = availability(command, around, target)
  // What is not possible without an open list belongs to the screen.
  if (state.state === 'off' && !on) throw new Stop('ofScreen', `${command.title} belongs to the screen.`, state.sentence)
  if ('sentence' in state) throw stopByState(state)
  const given = { connection, context: around, today: connection.me.business_date, streams, target }
  const params = await paramsOf(command, await typedForm(command, invocation, given), given)
  if (invocation.flags.dryRun && command.id !== undoCommand) {
    streams.print(command.title)
    return 'done'
  }
  const { host, finished } = hostOf(command, { connection, streams, flags: invocation.flags })
  if ('act' in command) await command.act(host, target, params)
  return finished()
}

/** A command on every record in a part of a list, after a dry run whose count is confirmed. */
async function runOnSet(text: string, typed: Pick<Invocation, 'options' | 'flags'>, streams: Streams): Promise<Exit> {
  const connection = await connect(typed.flags.at, streams)
  const set = actionOnSet(text, connection.me.business_date)
  if (!set) throw new Stop('usage', `Not understood: ${text}`)
  const { command, entity, address } = set
  const general = availability(command, connection.context)
  if (general.state === 'locked') throw stopByState(general)
  if (!changes(command)) throw new Stop('usage', `${command.title} is done to one ${entity.one} at a time.`)
  const { searchParams } = new URL(address, 'http://portal')
  const ids = await idsIn(entity, searchParams, { connection, streams, flags: typed.flags })
  const invocation = { ...typed, targets: null, words: [] }
  return runOnSeveral({ ...command, on: entity }, { connection, streams, invocation, ids })
}

async function printHelpOf(words: readonly string[], streams: Streams): Promise<void> {
  const [first] = words
  const noun = first && !first.includes('.') ? nounNamed(words.join(' ')) : undefined
  if (noun) return printNounHelp(noun, streams)
  const command = first ? commandNamed(first) : null
  if (first && !command) throw new Stop('usage', `There is no command ${first}.`)
  return command ? printCommandHelp(command, streams) : printHelp(streams)
}

async function dispatch(args: readonly string[], streams: Streams, program: string): Promise<Exit> {
  // Completed words may be unfinished options.
  if (args[0] === 'complete') {
    for (const each of completions(args.slice(args[1] === '--' ? 2 : 1))) streams.print(each)
    return 'done'
  }
  const { words, options, flags } = parse(args)
  const [first, ...rest] = words
  if (flags.help || first === undefined || first === 'help') await printHelpOf(first === 'help' ? rest : words, streams)
  else if (first === 'sign-in') await signInAt(rest[0] ?? flags.at, streams)
  else if (first === 'sign-out') await signOutAt(flags.at, streams)
  else if (first === 'addresses') printAddresses(streams, flags.json)
  else if (first === 'completion') streams.print(completionScript(rest[0], program))
  // A file is undone by its own command; alone, the word is about the last change.
  else return run(first === 'undo' && rest.length === 0 ? [undoCommand] : words, { options, flags }, streams)
  return 'done'
}

/** The command of the only noun that has a record of the first id. Stops with all of them if several nouns or none have one. */
async function chosenBy(choices: readonly AskedCommand[], flags: Flags, streams: Streams): Promise<AskedCommand> {
  const connection = await connect(flags.at, streams)
  const exists = await Promise.all(
    choices.map(({ command: { on }, targets }) =>
      on && targets?.[0]
        ? loadRecord(connection, on, targets[0]).then(
            () => true,
            (error: unknown) => noRecord(error),
          )
        : false,
    ),
  )
  const found = choices.filter((_, at) => exists[at])
  const [one = choices[0] as AskedCommand] = found
  onlyOne((found.length ? found : choices).map(({ command }) => command))
  return one
}

/** False for a record that does not exist or may not be read; any other failure is thrown. */
function noRecord(error: unknown): false {
  if (error instanceof Stop && ['refused', 'locked'].includes(error.exit)) return false
  throw error
}

/** Options of lists alone, and of commands alone; `--sort` and `--order` are also fields of a command. */
const ofLists = ['limit', 'all', 'ids', 'columns'] as const
const ofCommands = ['confirm', 'output', 'dryRun'] as const

/** Stops if an option was given that would be ignored. */
function refuseIgnored(flags: Flags, kind: Asked['kind'] | 'question'): void {
  const isList = kind === 'list' || kind === 'staff'
  const isShown = isList || kind === 'record' || kind === 'question'
  const ignored = [...(isList ? [] : ofLists), ...(isShown ? ofCommands : [])].find((name) => flags[name])
  if (!ignored) return
  const use = ofLists.some((name) => name === ignored) ? 'lists' : 'commands'
  throw new Stop('usage', `--${ignored === 'dryRun' ? 'dry-run' : ignored} is an option of ${use}.`)
}

async function run(
  words: readonly string[],
  { options, flags }: Pick<Invocation, 'options' | 'flags'>,
  streams: Streams,
): Promise<Exit> {
  const asked = (await questionIn(words.join(' '))) ?? whatIsAsked(words)
  refuseIgnored(flags, asked.kind)
  if (asked.kind === 'set') return runOnSet(asked.text, { options, flags }, streams)
  if (asked.kind === 'command' || asked.kind === 'choice') {
    const { command, targets, words: rest } = asked.kind === 'command' ? asked : await chosenBy(asked.choices, flags, streams)
    return runCommand(command, { targets, words: rest, options, flags }, streams)
  }
  const [unknown] = options.keys()
  if (unknown) throw new Stop('usage', `There is no option --${unknown}.`, 'See: npm run portal -- --help')
  const shown = { connection: await connect(flags.at, streams), streams, flags }
  if (asked.kind === 'question') return printAnswer(asked.query, shown)
  if (asked.kind === 'staff') {
    for (const { entity, words: filter } of asked.lists) await printList(entity, filter, shown)
    return 'done'
  }
  return asked.kind === 'record' ? printRecord(asked.entity.name, asked.id, shown) : printList(asked.entity, asked.words, shown)
}

/** Reports why the program ends; as a result, too, for programs that read it. */
function report({ message, detail, exit, code }: Stop, args: readonly string[], streams: Streams): void {
  streams.note(message)
  if (detail) streams.note(detail)
  if (args.includes('--json')) streams.print(JSON.stringify({ state: exit, sentence: message, detail, code }, null, 2))
}

/** Says what is unknown when the program is interrupted, and ends it. */
function interrupted(streams: Streams): void {
  const title = underWay.sender?.unanswered()
  const { run } = underWay
  if (run) streams.note(runGoesOn(run))
  else if (title) {
    streams.note(outcomeText.unknown(title))
    streams.note('Run the same command again to find out: it happens once.')
  } else streams.note('Nothing was sent.')
  process.exit(title || run ? exits.unknown : exits.interrupted)
}

/** Runs one command line with these streams; returns its exit code. `program` is how it was started, for completion scripts. */
export async function runTerminal(args: readonly string[], streams: Streams, program = 'portal'): Promise<number> {
  try {
    return exits[await dispatch(args, streams, program)]
  } catch (error) {
    const stop = stopBy(error)
    report(stop, args, streams)
    return exits[stop.exit]
  }
}

/** The same for this process. */
export function main(args: readonly string[], program: string): Promise<number> {
  const streams = processStreams()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interrupted(streams))
  return runTerminal(args, streams, program)
}
