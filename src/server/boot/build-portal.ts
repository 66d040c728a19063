import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { CannotStart } from '#server/cannot-start.ts'

const script = (name: string): string => fileURLToPath(new URL(`../../../scripts/${name}.mjs`, import.meta.url))

/** Builds the portal if it is stale, in a separate process while the server starts; throws CannotStart. */
export const buildPortal = (stop: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const failed = () => reject(new CannotStart('The portal could not be built. Read what is said above.'))
    spawn(process.execPath, [script('build'), '--awaited'], { stdio: ['ignore', 'inherit', 'inherit'], signal: stop })
      .on('error', failed)
      .on('exit', (code) => (code === 0 ? resolve() : failed()))
  })

/**
 * Compresses the build at the lowest priority; until then it is served uncompressed. An interrupted run continues at the next
 * start.
 */
export const compressPortal = (stop: AbortSignal): void =>
  void spawn(process.execPath, [script('compress')], { stdio: 'ignore', signal: stop }).on('error', () => undefined)
