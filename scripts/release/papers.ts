import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { listDependencyClosure, readPackages, listUnbundledPackages } from './packages.ts'
import type { ShippedPackage } from './packages.ts'
import { REPOSITORY_ROOT } from './programs.ts'

const PAGE_SOURCES = [
  'apps/{web,console}/**/*.{ts,tsx,css}',
  'ui/**/*.{ts,tsx,css}',
  'platform/web/**/*.{ts,tsx}',
  'features/*/{web,console,help}/**/*.{ts,tsx}',
]
const BARE = /(?:from|import|@import)\s*\(?\s*['"]((?:@[\w.-]+\/)?[a-z][\w.-]*)(?:\/[^'"]*)?['"]/g

/** Packages whose code is in the release: in the server's bundle, copied whole with their dependencies, or imported by pages. */
export function listShippedPackages(bundled: ReadonlySet<string>, root = REPOSITORY_ROOT): ShippedPackage[] {
  const files = globSync(PAGE_SOURCES, { cwd: root }).filter((file) => !/\.test\.tsx?$|\/testing\/|\/vite\.ts$|snippets\.ts$/.test(file))
  const named = new Set(files.flatMap((file) => [...readFileSync(join(root, file), 'utf8').matchAll(BARE)].map((match) => match[1]!)))
  const { dependencies = {}, devDependencies = {} } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<string, Record<string, string>>
  const ofPages = Object.keys({ ...dependencies, ...devDependencies }).filter((name) => named.has(name))
  return readPackages([...new Set([...bundled, ...listDependencyClosure([...listUnbundledPackages(), ...ofPages], root)])].toSorted(), root)
}

interface Component {
  readonly 'bom-ref': string
  readonly 'name': string
  readonly 'version': string
  readonly 'group'?: string
  readonly [more: string]: unknown
}
interface Bom {
  components: Component[]
  dependencies: { readonly ref: string; readonly dependsOn?: readonly string[] }[]
  serialNumber?: string
  metadata: { timestamp?: string }
}

interface Lock {
  readonly packages: Readonly<Record<string, { readonly integrity?: string; readonly license?: string }>>
}

/** For npm, packages of pages are development packages and left out, so their components are built from the lock file and the package. */
function buildComponent({ name, version, folder }: ShippedPackage, packages: Lock['packages']): Component {
  const { integrity, license } = packages[folder] ?? {}
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
  const hash = integrity && { alg: 'SHA-512', content: Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex') }
  return {
    'bom-ref': purl,
    'type': 'library',
    name,
    version,
    purl,
    ...(hash ? { hashes: [hash] } : {}),
    ...(license ? { licenses: [{ license: { name: license } }] } : {}),
  }
}

/** Builds the CycloneDX list: npm's data on the packages that ship, and those of the pages. The same sources give the same file. */
export function buildSbom(shipped: readonly ShippedPackage[], version: string): string {
  const told = execFileSync('npm', ['sbom', '--package-lock-only', '--omit=dev', '--include=optional', '--sbom-format=cyclonedx'], {
    cwd: REPOSITORY_ROOT,
    encoding: 'utf8',
    maxBuffer: 1e9,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const bom = JSON.parse(told) as Bom
  const kept = new Set(
    [...shipped, { name: `node-${process.platform}-${process.arch}`, version: process.version.slice(1) }].map(({ name, version: one }) => `${name}@${one}`),
  )
  const nameOf = ({ group, name }: Component): string => (group && !name.startsWith('@') ? `${group.startsWith('@') ? group : `@${group}`}/${name}` : name)
  bom.components = bom.components.filter((one) => kept.has(`${nameOf(one)}@${one.version}`))
  const listed = new Set(bom.components.map((one) => `${nameOf(one)}@${one.version}`))
  const { packages } = JSON.parse(readFileSync(join(REPOSITORY_ROOT, 'package-lock.json'), 'utf8')) as Lock
  bom.components.push(...shipped.filter(({ name, version: one }) => !listed.has(`${name}@${one}`)).map((one) => buildComponent(one, packages)))
  const refs = new Set(bom.components.map((one) => one['bom-ref']))
  bom.dependencies = bom.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((one) => refs.has(one)) }))
  const hash = createHash('sha256').update(version).update(JSON.stringify(bom.components)).digest('hex')
  bom.serialNumber = `urn:uuid:${hash.slice(0, 8)}-${hash.slice(8, 12)}-4${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`
  delete bom.metadata.timestamp
  return `${JSON.stringify(bom, undefined, 1)}\n`
}

/** Third-party licences, each with the packages that it covers. */
export function buildLicences(shipped: readonly ShippedPackage[]): string {
  const texts = new Map<string, string[]>()
  for (const { folder, name, version } of shipped) {
    const files = readdirSync(join(REPOSITORY_ROOT, folder)).filter((file) => /^(?:licen[cs]e|notice|copying)/i.test(file) && !/\.[cm]?[jt]s$/.test(file))
    const { license = 'see its home page' } = JSON.parse(readFileSync(join(REPOSITORY_ROOT, folder, 'package.json'), 'utf8')) as { license?: string }
    const text =
      files.map((file) => readFileSync(join(REPOSITORY_ROOT, folder, file), 'utf8').trim()).join('\n\n') ||
      `Licence: ${typeof license === 'string' ? license : JSON.stringify(license)}`
    texts.set(text, [...(texts.get(text) ?? []), `${name} ${version}`])
  }
  const parts = [...texts].map(([text, names]) => `${names.join('\n')}\n\n${text}\n`)
  return ['Mingxi contains the packages below, each under the licence that follows its name.\n', ...parts].join(`\n${'-'.repeat(80)}\n\n`)
}
