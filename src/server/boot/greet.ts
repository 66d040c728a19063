import { demoPassword, demoPeople } from '#server/auth/demo-people.ts'
import type { RunningServer } from '#server/boot/start.ts'

/** Prints the address of the server, and who may sign in to the demo. */
export function greet({ address, demo, indexing, past, pastless }: RunningServer, say: (line: string) => void): void {
  say(`Admin Portal is ready: ${address}`)
  if (indexing) say('Indexes are still being made: for some seconds searching and sorting take longer.')
  if (past) say('Past pay periods and transactions of the demo company are still being made.')
  if (pastless)
    say(
      'This demo company was made by a version without transactions and has none. For one with them, start with another DATA_DIR.',
    )
  if (!demo) return
  say(`Demo accounts (password ${demoPassword}):`)
  for (const person of demoPeople) say(`  ${person.email.padEnd(26)} ${person.role}`)
  say('The sign-in screen shows their codes; npm run demo:code prints one.')
}
