import { demoPassword, demoPeople } from '#server/auth/demo-people.ts'
import type { RunningServer } from '#server/boot/start.ts'

/** Prints the address of the server, and who may sign in to the demo. */
export function greet(
  { address, metrics, demo, indexing, upgrading, unfinished, past, pastless }: RunningServer,
  print: (line: string) => void,
): void {
  print(`Admin Portal is ready: ${address}`)
  if (metrics) print(`Metrics: ${metrics}`)
  if (unfinished)
    print(
      'Later steps of the upgrade remain, and no role of this server owns the database: unless another server takes them, run `npm run migrate -- --finish` with MIGRATION_DATABASE_URL.',
    )
  else if (upgrading) print('The upgrade is still being completed in the background (docs/operations.md, Upgrade).')
  else if (indexing) print('Indexes are still being made: for some seconds searching and sorting take longer.')
  if (past) print('Past pay periods and transactions of the demo company are still being made.')
  if (pastless)
    print(
      'This demo company was made by a version without transactions and has none. For one with them, start with another DATA_DIR.',
    )
  if (!demo) return
  print(`Demo accounts (password ${demoPassword}):`)
  for (const person of demoPeople) print(`  ${person.email.padEnd(26)} ${person.role}`)
  print('The sign-in screen shows their codes; npm run demo:code prints one.')
}
