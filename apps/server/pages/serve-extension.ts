import { readdirSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { strToU8, zipSync } from 'fflate'
import type { Deps } from '#platform/server/feature.ts'
import type { Origins } from '#platform/server/http/origins.ts'

const FOLDER = join(import.meta.dirname, '../../extension')
/** Download path that the page links to (features/proxy/web/extension-card.tsx). */
const EXTENSION_PATH = '/extension/mingxi-proxy.zip'
/** Fixed timestamp, so that the same sources give the same bytes. */
const FIXED_TIMESTAMP = new Date('2026-01-01T00:00:00Z')

export interface ExtensionSite {
  readonly url: string
  readonly brandZh: string
  readonly brandEn: string
}

/**
 * Builds the browser extension's files: the sources without their types, and `site.json` with the site's address. No bundler: a service
 * worker of type `module` imports files directly.
 */
export function buildExtensionFiles(site: ExtensionSite): Record<string, Uint8Array> {
  const names = readdirSync(FOLDER, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const files = names.map((entry): [string, Uint8Array] => {
    const path = join(entry.parentPath, entry.name)
    const name = path.slice(FOLDER.length + 1)
    if (!name.endsWith('.ts')) return [name, new Uint8Array(readFileSync(path))]
    const code = stripTypeScriptTypes(readFileSync(path, 'utf8')).replace(/(from '\.\/[\w-]+)\.ts'/g, "$1.js'")
    return [name.replace(/\.ts$/, '.js'), strToU8(code)]
  })
  return { ...Object.fromEntries(files.sort(([a], [b]) => (a < b ? -1 : 1))), 'site.json': strToU8(JSON.stringify(site)) }
}

/** Packed on first request, once per address. */
export function mountExtension(app: FastifyInstance, deps: Deps, origins: Origins): void {
  const packed = new Map<string, Buffer>()
  app.get(EXTENSION_PATH, async (request, reply) => {
    const url = origins.of(request)
    const known =
      packed.get(url) ??
      Buffer.from(zipSync(buildExtensionFiles({ url, brandZh: deps.config.BRAND_NAME_ZH, brandEn: deps.config.BRAND_NAME }), { mtime: FIXED_TIMESTAMP }))
    if (packed.size < 10) packed.set(url, known)
    return reply
      .type('application/zip')
      .header('content-disposition', 'attachment; filename="mingxi-proxy.zip"')
      .header('cache-control', 'no-cache')
      .send(known)
  })
}
