import type { CallHead } from '#contract/define.ts'
import type { Need } from '#domain/permissions.ts'
import { changes, type Command, undoable } from '#kernel/command.ts'
import type { AnyEntity } from '#kernel/entity.ts'
import { formOf } from '#kernel/form.ts'
import type { CommandContext } from '#kernel/command-context.ts'

/** What is told of a command as data, before its schemas and plans are there: how it is found, its keys, and who may. */
export interface CommandHead
  extends Pick<
    Command,
    | 'id'
    | 'title'
    | 'aliases'
    | 'icon'
    | 'keys'
    | 'group'
    | 'ofPane'
    | 'inAccountMenu'
    | 'filter'
    | 'readsSelection'
    | 'suggestedFilter'
    | 'alters'
  > {
  /** The name of the noun that it is done to. */
  on?: string
  also?: Need<unknown>
  does?: readonly { id: string; needs: Need<unknown>; undoNeeds?: Need | undefined; endpoint: CallHead }[]
  reads?: CallHead
  irreversible?: boolean
  /** Whether it shows a form, and whether it can be undone, as far as no target says otherwise. */
  coming: NonNullable<Command['coming']>
}

const nowhere: CommandContext = {
  signedIn: true,
  held: new Set(),
  supports: () => true,
  selection: null,
  pane: null,
  open: null,
  online: true,
}

/** A form that depends on its target is one. */
function asks(command: Command): boolean {
  try {
    return formOf(command, nowhere) !== null
  } catch {
    return true
  }
}

const callHead = ({ method, path, needs, extension, specified }: CallHead): CallHead => ({
  method,
  path,
  needs,
  extension,
  ...(specified ? { specified } : {}),
})

/** The head of a command; what it holds goes through JSON. */
export function headOf(command: Command): CommandHead {
  const {
    id,
    title,
    aliases,
    icon,
    keys,
    group,
    ofPane,
    inAccountMenu,
    filter,
    readsSelection,
    suggestedFilter,
    alters,
    on,
    also,
  } = command
  return {
    ...{ id, title, aliases, icon, keys, group, ofPane, inAccountMenu, filter, readsSelection, suggestedFilter, alters, also },
    on: on?.name,
    ...(changes(command)
      ? {
          does: command.does.map(({ id, needs, undoNeeds, endpoint }) => ({
            id,
            needs,
            undoNeeds,
            endpoint: callHead(endpoint),
          })),
          irreversible: command.irreversible,
        }
      : { reads: 'reads' in command ? callHead(command.reads) : undefined }),
    coming: { asks: asks(command), undoable: undoable(command) },
  }
}

/** A head as a command that is on its way: it can be found and its rights can be told; who runs it fetches the rest first. */
export const comingCommand = ({ on, ...head }: CommandHead, entityByName: (name: string) => AnyEntity): Command =>
  // What it lacks is what nobody asks of a command that is on its way.
  ({ kind: 'command', ...head, ...(on === undefined ? {} : { on: entityByName(on) }) }) as unknown as Command
