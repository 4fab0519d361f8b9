import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const root = join(import.meta.dirname, '../../..')
/** The only import that pages make from server code. */
const SHOWN_FILES = 'features/*/server/vendors/*/shown.ts'
const COMMON_SOURCES = ['ui', 'platform/web', 'platform/shared', 'features', 'package-lock.json']
const SOURCES = [...COMMON_SOURCES, 'apps/web', 'vite.config.ts', 'vite.ssr.config.ts']
const CONSOLE_SOURCES = [...COMMON_SOURCES, 'apps/console', 'vite.console.config.ts']

/** Folders of the built pages: files for browsers, and the bundle that renders public pages in this process. */
export interface BuiltPages {
  readonly web: string
  readonly prerender: string
  /** The operators' app. */
  readonly console: string
}
const dist = locateBuiltPages(join(root, 'dist'))

export function locateBuiltPages(folder: string): BuiltPages {
  return { web: join(folder, 'web'), prerender: join(folder, 'prerender'), console: join(folder, 'console') }
}

/** Builds the pages when their sources changed since the last build; returns their folders. */
export async function buildPages(scratch: string): Promise<BuiltPages> {
  const print = fingerprint(SOURCES)
  const stamp = join(dist.web, '.fingerprint')
  if (existsSync(stamp) && existsSync(dist.prerender) && readFileSync(stamp, 'utf8') === print) return dist
  const fresh = join(scratch, `pages-${process.pid}`)
  const drawing = join(scratch, `prerender-${process.pid}`)
  await Promise.all([build(fresh, 'vite.config.ts'), build(drawing, 'vite.ssr.config.ts')])
  await compressAll(fresh)
  writeFileSync(join(fresh, '.fingerprint'), print)
  mkdirSync(join(root, 'dist'), { recursive: true })
  replaceFolder(drawing, dist.prerender)
  replaceFolder(fresh, dist.web)
  return dist
}

/** Builds the operators' app, which has a separate bundle; returns its folder. */
export async function buildConsole(scratch: string): Promise<string> {
  const print = fingerprint(CONSOLE_SOURCES)
  const stamp = join(dist.console, '.fingerprint')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === print) return dist.console
  const fresh = join(scratch, `console-${process.pid}`)
  await build(fresh, 'vite.console.config.ts')
  await compressAll(fresh)
  writeFileSync(join(fresh, '.fingerprint'), print)
  mkdirSync(join(root, 'dist'), { recursive: true })
  replaceFolder(fresh, dist.console)
  return dist.console
}

function build(folder: string, config: string): Promise<void> {
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  return run(process.execPath, [vite, 'build', '--config', config, '--outDir', folder, '--emptyOutDir', '--logLevel', 'warn'])
}

function replaceFolder(fresh: string, place: string): void {
  const old = `${place}-old-${process.pid}`
  if (existsSync(place)) renameSync(place, old)
  moveFolder(fresh, place)
  rmSync(old, { recursive: true, force: true })
}

function fingerprint(sources: readonly string[]): string {
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
  for (const source of sources) visit(join(root, source))
  for (const shown of globSync(SHOWN_FILES, { cwd: root }).sort()) visit(join(root, shown))
  return hash.digest('hex')
}

/** Compresses text files once with Brotli and once with gzip, so that serving costs no CPU. */
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
    // Another file system.
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
