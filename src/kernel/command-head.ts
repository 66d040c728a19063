import type { CallHead } from '#contract/define.ts'
import type { Need } from '#domain/permissions.ts'
import { changes, type Command, undoable } from '#kernel/command.ts'
import type { AnyEntity } from '#kernel/entity.ts'
import { formOf } from '#kernel/form.ts'
import type { CommandContext } from '#kernel/command-context.ts'

/** The data of a command that is available before its schemas and plans are loaded: how it is found, its keys, and its permissions. */
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
  /** Name of the noun it acts on. */
  on?: string
  also?: Need<unknown>
  does?: readonly { id: string; needs: Need<unknown>; undoNeeds?: Need | undefined; endpoint: CallHead }[]
  reads?: CallHead
  irreversible?: boolean
  /** Whether it shows a form and whether it can be undone, unless that depends on the target. */
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

/** A form that depends on its target counts as one. */
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

/** The head of a command, as JSON data. */
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

/** A head as a command that is still loading: it can be found and its permissions checked. To run it, load the rest first. */
export const comingCommand = ({ on, ...head }: CommandHead, entityByName: (name: string) => AnyEntity): Command =>
  // The missing properties are not read while a command is loading.
  ({ kind: 'command', ...head, ...(on === undefined ? {} : { on: entityByName(on) }) }) as unknown as Command
