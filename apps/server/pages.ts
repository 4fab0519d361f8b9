import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Deps, Feature } from '#platform/server/feature.ts'
import type { Pages } from '#platform/server/http.ts'
import { openApi, openApiPage } from '#platform/server/openapi.ts'

const root = join(import.meta.dirname, '../..')
const dist = join(root, 'dist/web')
const SOURCES = ['apps/web', 'ui', 'platform/web', 'platform/shared', 'features', 'vite.config.ts', 'package-lock.json']

/** Builds the pages when their sources changed since the last build; returns their folder. */
export async function buildPages(scratch: string): Promise<string> {
  const print = fingerprint()
  const stamp = join(dist, '.fingerprint')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === print) return dist
  const fresh = join(scratch, `pages-${process.pid}`)
  await run(process.execPath, [join(root, 'node_modules/vite/bin/vite.js'), 'build', '--outDir', fresh, '--emptyOutDir', '--logLevel', 'warn'])
  await compressAll(fresh)
  writeFileSync(join(fresh, '.fingerprint'), print)
  mkdirSync(join(root, 'dist'), { recursive: true })
  const old = `${dist}-old-${process.pid}`
  if (existsSync(dist)) renameSync(dist, old)
  moveFolder(fresh, dist)
  rmSync(old, { recursive: true, force: true })
  return dist
}

function fingerprint(): string {
  const hash = createHash('sha256')
  const visit = (path: string) => {
    const info = statSync(path, { throwIfNoEntry: false })
    if (!info) return
    if (!info.isDirectory()) {
      hash.update(`${path}:${info.mtimeMs}:${info.size}\n`)
      return
    }
    for (const name of readdirSync(path).sort()) if (name !== 'server' && name !== 'node_modules') visit(join(path, name))
  }
  for (const source of SOURCES) visit(join(root, source))
  return hash.digest('hex')
}

/** Text files once as Brotli and once as gzip, so that serving costs no CPU. */
async function compressAll(folder: string): Promise<void> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(js|css|html|svg|json|txt|xml)$/.test(name))
  await Promise.all(
    files.map(async (name) => {
      const bytes = readFileSync(join(folder, name))
      if (bytes.length < 1024) return
      writeFileSync(join(folder, `${name}.gz`), await promisify(gzip)(bytes, { level: 9 }))
      writeFileSync(join(folder, `${name}.br`), await promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }))
    }),
  )
}

function moveFolder(from: string, to: string): void {
  try {
    renameSync(from, to)
  } catch {
    // another file system
    mkdirSync(to, { recursive: true })
    for (const name of readdirSync(from, { recursive: true, encoding: 'utf8' })) {
      const source = join(from, name)
      if (statSync(source).isDirectory()) mkdirSync(join(to, name), { recursive: true })
      else writeFileSync(join(to, name), readFileSync(source))
    }
    rmSync(from, { recursive: true, force: true })
  }
}

function run(command: string, args: string[]): Promise<void> {
  return new Promise((done, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, NODE_ENV: 'production', NO_COLOR: '1' } })
    let output = ''
    child.stdout.on('data', (text) => {
      output += text
    })
    child.stderr.on('data', (text) => {
      output += text
    })
    child.on('error', reject)
    child.on('exit', (code) => {
      if (code === 0) done()
      else reject(new Error(`the pages did not build:\n${output.slice(-3000)}`))
    })
  })
}

/** What a page may load: only this origin, data URLs for QR codes and icons; a payment channel's form may post to its own. */
const POLICY = [
  `default-src 'self'`,
  `script-src 'self'`,
  `style-src 'self' 'unsafe-inline'`,
  `img-src 'self' data: blob:`,
  `font-src 'self'`,
  `connect-src 'self'`,
  `frame-src 'self' https:`,
  `object-src 'none'`,
  `base-uri 'self'`,
  `form-action 'self' https:`,
  `frame-ancestors 'none'`,
].join('; ')

/** WeChat's cashier checks the Referer of the page that opens it, hence no stricter referrer policy. */
const HEADERS = {
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'x-frame-options': 'DENY',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
  'cross-origin-opener-policy': 'same-origin',
}

/** Serves the pages: assets for ever, the document never from cache, every page path that asks for HTML. */
export async function mountPages(app: FastifyInstance, folder: string, deps: Deps, features: readonly Feature[], pages: Pages): Promise<void> {
  await app.register(fastifyStatic, {
    root: folder,
    index: false,
    wildcard: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) => {
      for (const [name, value] of Object.entries(HEADERS)) reply.header(name, value)
      reply.header('cache-control', path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
  const description = openApi(features, { title: `${deps.config.BRAND_NAME} API`, version: '1' })
  app.get('/docs/openapi.json', async () => description)
  app.get('/docs/openapi', async (_request, reply) => reply.type('text/html; charset=utf-8').headers(HEADERS).send(openApiPage(description)))
  pages.document = await readDocument(folder, deps)
}

/** The document with the operator's names in it, compressed once. */
async function readDocument(folder: string, deps: Deps): Promise<(request: FastifyRequest, reply: FastifyReply) => FastifyReply> {
  const { BRAND_NAME, BRAND_NAME_ZH, COMPANY, SUPPORT_EMAIL, STAGE } = deps.config
  const site = JSON.stringify({ brand: BRAND_NAME, brandZh: BRAND_NAME_ZH, company: COMPANY, supportEmail: SUPPORT_EMAIL, stage: STAGE }).replaceAll(
    '<',
    '\\u003c',
  )
  const text = readFileSync(join(folder, 'index.html'), 'utf8').replace('id="site"></script>', () => `id="site">${site}</script>`)
  const [br, gz] = await Promise.all([promisify(brotliCompress)(text), promisify(gzip)(text)])
  return (request, reply) => {
    const accepted = String(request.headers['accept-encoding'] ?? '')
    const [encoding, body] = /\bbr\b/.test(accepted)
      ? (['br', br] as const)
      : /\bgzip\b/.test(accepted)
        ? (['gzip', gz] as const)
        : ([undefined, text] as const)
    if (encoding) reply.header('content-encoding', encoding)
    return reply
      .headers({ ...HEADERS, 'cache-control': 'no-cache', 'vary': 'accept-encoding' })
      .type('text/html; charset=utf-8')
      .send(body)
  }
}
