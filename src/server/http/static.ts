import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Settings } from '#server/boot/settings.ts'
import { notFound } from '#server/http-error.ts'

const builtPortal = fileURLToPath(new URL('../../../dist', import.meta.url))

/** Content security policy of the portal: only what this origin serves. */
export function contentSecurityPolicy(apiBase: string): string {
  const api = /^https?:/.test(apiBase) ? ` ${new URL(apiBase).origin}` : ''
  return [
    "default-src 'none'",
    "script-src 'self'",
    "worker-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src 'self'${api}`,
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types own-worker',
  ].join('; ')
}

/** Build output that is not public: source maps, the manifest, the stamp. */
const privateFiles = /\/\.|\.map(\.(br|gz))?$/

const isAsset = (path: string) => path.startsWith('/assets/')

/** Serves the built portal; returns the handler that sends its single page for every page URL. */
export async function portal(
  app: FastifyInstance,
  settings: Pick<Settings, 'apiBase' | 'environment' | 'publicApplicationKey'> & { portalFolder?: string },
): Promise<(request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>> {
  const folder = settings.portalFolder ?? builtPortal
  const policy = contentSecurityPolicy(settings.apiBase)
  const guarded = (reply: FastifyReply): FastifyReply =>
    reply
      .header('content-security-policy', policy)
      .header('referrer-policy', 'no-referrer')
      .header('permissions-policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=()')
      .header('cross-origin-opener-policy', 'same-origin')
      .header('cross-origin-resource-policy', 'same-origin')

  app.get('/config.json', async (_request, reply) =>
    guarded(reply)
      .header('cache-control', 'no-cache')
      .send({
        environment: settings.environment,
        api: settings.apiBase,
        application_key: settings.publicApplicationKey,
        version: await versionIn(folder),
      }),
  )
  await app.register(fastifyStatic, {
    root: folder,
    serve: false,
    preCompressed: true,
    cacheControl: false,
    suppressWarning: true,
  })

  return async (request, reply) => {
    guarded(reply)
    if (!existsSync(join(folder, 'index.html')))
      return reply
        .code(503)
        .type('text/plain; charset=utf-8')
        .send('The portal is not built yet: run npm start, or npm run dev.\n')
    // The router has refused an address that cannot be decoded.
    const path = decodeURIComponent(request.url.split('?', 1)[0] as string)
    if (!/\.[A-Za-z0-9]+$/.test(path)) return reply.header('cache-control', 'no-cache').sendFile('index.html')
    if (privateFiles.test(path) || path.includes('..') || path.includes('\0') || !existsSync(join(folder, path))) throw notFound()
    return reply
      .header('cache-control', isAsset(path) ? 'public, max-age=31536000, immutable' : 'no-cache')
      .sendFile(path.slice(1))
  }
}

/** The version of the build served now: the build may be replaced while the server runs. */
async function versionIn(folder: string): Promise<string> {
  try {
    return (JSON.parse(await readFile(join(folder, 'version.json'), 'utf8')) as { version: string }).version
  } catch {
    return 'not built'
  }
}
