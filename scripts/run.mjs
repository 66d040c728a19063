// Runs one TypeScript file of the project: node scripts/run.mjs scripts/demo-code.ts [...]
import { handOver } from './hand-over.mjs'
import { install, node } from './node24.mjs'

install()
handOver(node(), process.argv.slice(2))
