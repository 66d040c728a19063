import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build, preview } from 'vite'

/** The bench pages, which need no server: the palette over generated records, and a list over generated rows. */
export interface BenchPages {
  palette: (records: number) => string
  grid: (rows: number) => string
  stop: () => Promise<void>
}

/** Builds both bench pages from the current sources and serves them. */
export async function serveBenchPages(): Promise<BenchPages> {
  const folder = mkdtempSync(join(tmpdir(), 'admin-portal-pages-'))
  const serve = async (name: 'palette' | 'grid') => {
    const outDir = join(folder, name)
    const config = { configFile: join(import.meta.dirname, '../bench', name, 'vite.config.ts'), logLevel: 'error' as const }
    await build({ ...config, build: { outDir } })
    const server = await preview({ ...config, build: { outDir }, preview: { host: '127.0.0.1', port: 0 } })
    return { server, origin: new URL(server.resolvedUrls?.local[0] ?? '').origin }
  }
  const [palette, grid] = [await serve('palette'), await serve('grid')]
  return {
    palette: (records) => `${palette.origin}/?n=${records}`,
    grid: (rows) => `${grid.origin}/page.html?n=${rows}`,
    stop: async () => {
      await Promise.all([palette.server.close(), grid.server.close()])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
