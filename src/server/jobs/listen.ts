import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool, PoolClient } from 'pg'
import { workChannel } from '#server/jobs/queue.ts'

const retryAfter = 1_000

/** Listens for notifications about queued work, and reconnects; calls `heard` whenever there may be some. */
export function listenForWork(pool: Pool, heard: () => void): () => Promise<void> {
  const stopping = new AbortController()
  const { signal } = stopping
  const listen = async (): Promise<void> => {
    while (!signal.aborted) {
      try {
        const client = await pool.connect()
        try {
          await listenOnce(client, heard, signal)
        } finally {
          // A listening connection must not return to the pool.
          client.release(true)
        }
      } catch {
        // Missed notifications are covered by polling.
      }
      await sleep(retryAfter, undefined, { signal, ref: false }).catch(() => undefined)
    }
  }
  const listening = listen()
  return async () => {
    stopping.abort()
    await listening
  }
}

/** Listens until the connection ends or `signal` is aborted. */
async function listenOnce(client: PoolClient, heard: () => void, signal: AbortSignal): Promise<void> {
  const ended = new Promise<void>((resolve) => {
    client.once('end', resolve)
    client.once('error', () => resolve())
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
  client.on('notification', heard)
  await client.query(`listen ${workChannel}`)
  heard()
  await ended
}
