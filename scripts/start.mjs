// npm start: installs missing dependencies, then becomes the server, which builds the portal if it is stale.
import { join } from 'node:path'
import { isBuilt } from './build.mjs'
import { handOver } from './hand-over.mjs'
import { install, node, root } from './node24.mjs'

install()
// The compiled code is kept for the next start.
process.env.NODE_COMPILE_CACHE ??= join(root, '.cache', 'compiled')
handOver(node(), ['src/server/boot/main.ts', ...(isBuilt() ? [] : ['--build']), ...process.argv.slice(2)])
