import { CannotStart } from '#server/cannot-start.ts'
import { demoPassword, demoPeople } from '#server/auth/demo-people.ts'
import { settingsFrom } from '#server/settings.ts'
import { type Running, start } from '#server/start.ts'

const say = (line: string): void => void process.stdout.write(`${line}\n`)

try {
  const running = await start(settingsFrom(process.env), say)
  greet(running)
  let leaving = 0
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      // A terminal's Ctrl+C also comes forwarded by npm: the twin of a signal is not a person's second thought.
      if (leaving && Date.now() - leaving < 1000) return
      if (leaving) process.exit(130)
      leaving = Date.now()
      running.close().then(
        () => process.exit(0),
        (error: unknown) => {
          console.error(error)
          process.exit(1)
        },
      )
    })
  }
} catch (error) {
  if (!(error instanceof CannotStart)) throw error
  console.error(error.message)
  process.exit(1)
}

function greet({ address, demo }: Running): void {
  say(`Admin Portal is ready: ${address}`)
  if (!demo) return
  say(`Demo accounts (password ${demoPassword}):`)
  for (const person of demoPeople) say(`  ${person.email.padEnd(26)} ${person.role}`)
  say('The sign-in screen shows their codes; npm run demo:code prints one.')
}
