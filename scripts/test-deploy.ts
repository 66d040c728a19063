// npm run test:deploy: tests with the programs that stand in front of servers and databases, Debian's packages.
import { existsSync } from 'node:fs'
import { installPackage, onPath } from './installed-program.ts'
import { run } from './steps.ts'

/** Programs, and the packages that they come with. */
const packages = {
  pgbouncer: 'pgbouncer',
  haproxy: 'haproxy',
  nginx: 'nginx-light',
  openssl: 'openssl',
  'systemd-analyze': 'systemd',
}

const isThere = (name: string): boolean => onPath([name]).some((file) => existsSync(file))
const missing = Object.entries(packages).flatMap(([name, from]) => (isThere(name) || installPackage(from) ? [] : [name]))
if (missing.length > 0) {
  console.log(`There is no ${missing.join(' and no ')}: install it, then run npm run test:deploy again.`)
  process.exit(1)
}
process.exitCode = (await run('node_modules/vitest/vitest.mjs', ['run', '--project', 'deploy'])) ?? 1
