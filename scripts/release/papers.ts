import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { closureOf, packagesIn } from './packages.ts'
import type { Shipped } from './packages.ts'
import { ROOT, SERVER_SOURCES } from './programs.ts'

const PAGE_SOURCES = [
  'apps/{web,console}/**/*.{ts,tsx,css}',
  'ui/**/*.{ts,tsx,css}',
  'platform/web/**/*.{ts,tsx}',
  'features/*/{web,console,help}/**/*.{ts,tsx}',
]
const BARE = /(?:from|import|@import|loadPackage<[^(]*>)\s*\(?\s*['"]((?:@[\w.-]+\/)?[a-z][\w.-]*)(?:\/[^'"]*)?['"]/g

/** Packages whose code is in the release: those that server and pages import, and what these need. */
export function shippedPackages(root = ROOT): Shipped[] {
  const files = globSync([...SERVER_SOURCES, ...PAGE_SOURCES], { cwd: root }).filter(
    (file) => !/\.test\.tsx?$|\.bench\.ts$|\/testing\/|\/builders\.ts$/.test(file),
  )
  const named = new Set(files.flatMap((file) => [...readFileSync(join(root, file), 'utf8').matchAll(BARE)].map((match) => match[1]!)))
  const { dependencies = {}, devDependencies = {} } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<string, Record<string, string>>
  const listed = new Set([...Object.keys(dependencies), ...Object.keys(devDependencies)])
  return packagesIn(closureOf([...named].filter((name) => listed.has(name)).toSorted(), root), root)
}

interface Bom {
  components: { readonly 'bom-ref': string; readonly 'name': string; readonly 'version': string; readonly 'group'?: string }[]
  dependencies: { readonly ref: string; readonly dependsOn?: readonly string[] }[]
  serialNumber?: string
  metadata: { timestamp?: string }
}

/** CycloneDX: what npm knows of every package, without those that do not ship. The same sources give the same file. */
export function sbomOf(shipped: readonly Shipped[], version: string): string {
  const told = execFileSync('npm', ['sbom', '--package-lock-only', '--sbom-format=cyclonedx'], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 1e9,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const bom = JSON.parse(told) as Bom
  const kept = new Set(
    [...shipped, { name: `node-${process.platform}-${process.arch}`, version: process.version.slice(1) }].map(({ name, version: one }) => `${name}@${one}`),
  )
  const nameOf = ({ group, name }: Bom['components'][number]): string =>
    group && !name.startsWith('@') ? `${group.startsWith('@') ? group : `@${group}`}/${name}` : name
  bom.components = bom.components.filter((one) => kept.has(`${nameOf(one)}@${one.version}`))
  const refs = new Set(bom.components.map((one) => one['bom-ref']))
  bom.dependencies = bom.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((one) => refs.has(one)) }))
  const hash = createHash('sha256').update(version).update(JSON.stringify(bom.components)).digest('hex')
  bom.serialNumber = `urn:uuid:${hash.slice(0, 8)}-${hash.slice(8, 12)}-4${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`
  delete bom.metadata.timestamp
  return `${JSON.stringify(bom, undefined, 1)}\n`
}

/** The licences of others, each with the packages that it covers. */
export function licencesOf(shipped: readonly Shipped[]): string {
  const texts = new Map<string, string[]>()
  for (const { folder, name, version } of shipped) {
    const files = readdirSync(join(ROOT, folder)).filter((file) => /^(?:licen[cs]e|notice|copying)/i.test(file) && !/\.[cm]?[jt]s$/.test(file))
    const { license = 'see its home page' } = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')) as { license?: string }
    const text =
      files.map((file) => readFileSync(join(ROOT, folder, file), 'utf8').trim()).join('\n\n') ||
      `Licence: ${typeof license === 'string' ? license : JSON.stringify(license)}`
    texts.set(text, [...(texts.get(text) ?? []), `${name} ${version}`])
  }
  const parts = [...texts].map(([text, names]) => `${names.join('\n')}\n\n${text}\n`)
  return ['Mingxi contains the packages below, each under the licence that follows its name.\n', ...parts].join(`\n${'-'.repeat(80)}\n\n`)
}
