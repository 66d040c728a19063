// npm start: installs missing dependencies, then becomes the server, which builds the portal if it is stale.
import { isBuilt } from './build.mjs'
import { handOver } from './hand-over.mjs'
import { install, node } from './node24.mjs'

install()
handOver(node(), ['src/server/boot/main.ts', ...(isBuilt() ? [] : ['--build']), ...process.argv.slice(2)])
