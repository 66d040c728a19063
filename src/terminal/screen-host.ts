import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { atId } from '#contract/define.ts'
import { getRun, retryRun, stopRun, undoRun } from '#contract/runs.ts'
import type { Command } from '#kernel/command.ts'
import type { CommandHost } from '#kernel/command-host.ts'
import { nameOf } from '#kernel/entity.ts'
import type { Download } from '#terminal/client.ts'
import { type Connection, loadRecord } from '#terminal/connection.ts'
import type { Flags } from '#terminal/invocation.ts'
import { undoLast } from '#terminal/last-change.ts'
import { narrowedBy, printList } from '#terminal/list.ts'
import { entities, entityByName, listOf } from '#terminal/registry.ts'
import { signOutAt } from '#terminal/sign-in.ts'
import { type Exit, Stop, stopBy } from '#terminal/stop.ts'
import type { Streams } from '#terminal/streams.ts'
import { allColumns, printFacts } from '#terminal/table.ts'

interface HostOptions {
  connection: Connection
  streams: Streams
  flags: Flags
}

/** Prints the facts of a record, or its row as the API has it. */
export async function printRecord(entityName: string, id: string, { connection, streams, flags }: HostOptions): Promise<Exit> {
  const entity = entityByName(entityName)
  const row = await loadRecord(connection, entity, id)
  if (flags.json) streams.print(JSON.stringify(row, null, 2))
  else {
    streams.heading(nameOf(entity, row))
    printFacts(allColumns(entity, await listOf(entity), row), row, streams)
  }
  return 'done'
}

/** Writes a downloaded file; an existing one is not overwritten unless it is named. */
function writeDownload({ name, content }: Download, { flags, streams }: HostOptions): void {
  if (flags.output === '-') return void process.stdout.write(content)
  const path = resolve(flags.output ?? name.replace(/[/\\]/g, '_'))
  try {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content, { flag: flags.output === undefined ? 'wx' : 'w' })
  } catch (error) {
    const isThere = (error as NodeJS.ErrnoException).code === 'EEXIST'
    throw new Stop(
      'usage',
      isThere ? `${path} is already there.` : `${path} could not be written.`,
      isThere ? 'Name a file with --output.' : (error as Error).message,
    )
  }
  streams.print(path)
}

/** What commands that change only the portal do in a terminal: lists and records are printed, downloads are files. */
export function hostOf(command: Command, options: HostOptions): { host: CommandHost; finished: () => Promise<Exit> } {
  const { connection, streams, flags } = options
  const { client, session, context } = connection
  let work: Promise<Exit> = Promise.resolve('done')
  const does = (next: () => Promise<Exit>): void => {
    work = work.then(next)
  }
  const ofScreen = (): never => {
    throw new Stop('ofScreen', `${command.title} belongs to the screen.`)
  }
  /** A list or a record is printed; of any other page, where it is. */
  const open = (path: string): void =>
    does(async () => {
      const { pathname, searchParams, hash } = new URL(path, 'http://portal')
      const [, list = '', id, ...more] = pathname.split('/')
      const entity = entities.find((each) => each.pane && each.path === `/${list}`)
      const isElsewhere = !entity || more.length > 0 || hash || searchParams.has('tab') || searchParams.has('entity_id')
      if (isElsewhere) throw new Stop('ofScreen', `${command.title} belongs to the screen.`, `${session.address}${path}`)
      return id
        ? printRecord(entity.name, decodeURIComponent(id), options)
        : printList(entity, narrowedBy(entity, searchParams, context), options)
    })
  type RunCall = typeof stopRun | typeof retryRun | typeof undoRun | typeof getRun
  const callRun = async (endpoint: RunCall, run: string | undefined): Promise<Exit> => {
    if (!run) throw new Stop('usage', 'Which run?', 'Give it with --run.')
    const at = atId(endpoint, run)
    const answer = await (endpoint.method === 'GET'
      ? client.read(endpoint, at)
      : client.post(endpoint, at, {}, { key: crypto.randomUUID(), command: command.id })
    ).catch((error: unknown) => {
      throw stopBy(error)
    })
    const { state, total, done, failed, blocked } = getRun.answer.parse(answer)
    if (flags.json) streams.print(JSON.stringify(answer, null, 2))
    else streams.print(`${state}: ${done} of ${total} done, ${failed} failed, ${blocked} blocked`)
    return 'done'
  }
  const ofRun = (endpoint: RunCall, run: string | undefined): void => does(() => callRun(endpoint, run))
  const here: Partial<CommandHost> = {
    open,
    filter: (name, id, setting) =>
      does(() =>
        printList(entityByName(name), { set: setting ? [{ id, ...setting }] : [], q: '', sort: null, order: null }, options),
      ),
    copyAnswer: async (endpoint, at, textOf) =>
      does(async () => {
        const answer = await client.read(endpoint, at).catch((error: unknown) => {
          throw stopBy(error)
        })
        streams.print(textOf(answer))
        return 'done'
      }),
    save: async (endpoint, at, query) =>
      does(async () => {
        const file = (await client.request(endpoint, at, { query, file: true }).catch((error: unknown) => {
          throw stopBy(error)
        })) as Download
        writeDownload(file, options)
        return 'done'
      }),
    showRun: (run) => ofRun(getRun, run),
    stopRun: (run) => ofRun(stopRun, run),
    retryRun: (run) => ofRun(retryRun, run),
    undo: (what) => (what?.run ? ofRun(undoRun, what.run) : does(() => undoLast(options, (run) => callRun(undoRun, run)))),
    signOut: async () =>
      does(async () => {
        await signOutAt(session.address, streams)
        return 'done'
      }),
    address: () => session.address,
  }
  // Everything else belongs to the screen.
  const host = new Proxy(here, { get: (known, name) => known[name as keyof CommandHost] ?? ofScreen }) as CommandHost
  return { host, finished: () => work }
}
