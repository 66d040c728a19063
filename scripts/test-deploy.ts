// npm run test:deploy: tests with the programs that stand in front of servers and databases, Debian's packages.
import { installPackage, isProgram, onPath } from './installed-program.ts'
import { run } from './steps.ts'

/** Packages whose program has the same name. */
const packages = ['pgbouncer']

const missing = packages.filter((name) => !onPath([name]).some(isProgram) && !installPackage(name))
if (missing.length > 0) {
  console.log(`There is no ${missing.join(' and no ')}: install it, then run npm run test:deploy again.`)
  process.exit(1)
}
process.exitCode = (await run('node_modules/vitest/vitest.mjs', ['run', '--project', 'deploy'])) ?? 1
