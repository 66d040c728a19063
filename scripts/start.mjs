// npm start: installs and builds what is missing or stale, then becomes the server.
import { build } from './build.mjs'
import { handOver } from './hand-over.mjs'
import { install, node } from './node24.mjs'

install()
build()
handOver(node(), ['src/server/boot/main.ts', ...process.argv.slice(2)])
