import { startRun } from '#contract/runs.ts'
import type { Command } from '#kernel/command.ts'
import { isOneIntent, localLimit } from '#kernel/dry-run.ts'
import { capabilitiesAtom } from '#portal/api/capabilities.ts'
import type { Targets } from '#portal/platform/commands.ts'
import { store } from '#portal/platform/store.ts'

/** Whether the server can run a command over many rows: it has batch runs, and the command is a single intent. */
export const byServer = (command: Command): boolean => store.get(capabilitiesAtom)(startRun) && isOneIntent(command)

/**
 * True for a selection by filter or above the limit of runs in the page: it runs on the server if possible, and the user confirms
 * it by typing the count.
 */
export const areMany = ({ filter, ids }: Targets): boolean => filter !== null || ids.length > localLimit

/** Whether a run over these targets is executed by the server. */
export const runsOnServer = (command: Command, targets: Targets): boolean => byServer(command) && areMany(targets)
