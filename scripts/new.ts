import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { buildFeatureFiles, listFeatureSteps, buildPortFiles, buildVendorFiles, listVendorSteps, buildVerbFiles, listVerbSteps } from './new/templates.ts'
import type { TemplateFiles, PortKind } from './new/templates.ts'

const USAGE = `npm run new feature <name>            a room: contract, server half, page, texts
npm run new verb <feature> [<room>/]<name>   a verb and its test, in server/<room> (server/verbs)
npm run new vendor <feature> <name>   a vendor of the feature's port
npm run db:new <name>                 the next migration`

/** Files to write, by path from the root, and the remaining manual steps. */
export interface FilePlan {
  readonly files: TemplateFiles
  readonly steps: readonly string[]
}

/** Throws an error for the user: only the message is printed. */
const refuse = (message: string): never => {
  throw new Error(message)
}

function kebab(name: string | undefined): string {
  return name && /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name) ? name : refuse(`"${name ?? ''}" is not a kebab-case name, such as freeze-card\n\n${USAGE}`)
}

const within = (folder: string, files: TemplateFiles): TemplateFiles =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [join(folder, path), text]))

function room(root: string, name: string | undefined): string {
  const feature = kebab(name)
  return existsSync(join(root, 'features', feature)) ? feature : refuse(`there is no features/${feature}; npm run new feature ${feature}`)
}

/** The interface that a port's vendors implement: the one called ...Vendor or ...Channel, else the last. */
function portType(text: string): string {
  const names = [...text.matchAll(/export interface (\w+)/g)].map((match) => match[1]!)
  return names.filter((name) => /(Vendor|Channel|Supplier|Issuer)$/.test(name)).at(-1) ?? names.at(-1) ?? 'Vendor'
}

const NEW_KIND: PortKind = { type: 'Vendor', named: 'name', flagsSandbox: true }

function portKind(text: string, shownColor: number | undefined): PortKind {
  const registered = /export (?:type (\w+) = |interface (\w+) extends )SupplierVendor</.exec(text)
  if (registered) return { type: registered[1] ?? registered[2]!, named: 'name', flagsSandbox: true }
  const type = portType(text)
  const body = new RegExp(`export interface ${type}\\b[^]*?\\n}`).exec(text)?.[0] ?? ''
  const has = (member: string) => new RegExp(`^  readonly ${member}\\??:`, 'm').test(body)
  return { type, named: has('name') && !has('id') ? 'name' : 'id', flagsSandbox: has('sandbox'), shownColor }
}

/** The first of the charts' seven colours that no vendor of the folder uses. */
function freeColor(vendors: string): number {
  const files = readdirSync(vendors).map((name) => join(vendors, name, 'shown.ts'))
  const taken = files.filter((file) => existsSync(file)).map((file) => Number(/color: (\d)/.exec(readFileSync(file, 'utf8'))?.[1]))
  return [1, 2, 3, 4, 5, 6, 7].find((color) => !taken.includes(color)) ?? refuse('all seven colours of the charts are taken (docs/decisions/layers.md)')
}

/** Numbers a migration by its place in the common order. */
export function buildMigrationPath(existing: readonly string[], name: string | undefined): string {
  const words = (name ?? '').replaceAll('-', '_')
  if (!/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(words)) refuse(`"${name ?? ''}" is not a name, such as card_limits\n\n${USAGE}`)
  const last = Math.max(0, ...existing.map((file) => Number(/^\d{4}/.exec(file)?.[0] ?? 0)))
  return `apps/server/migrations/${String(last + 1).padStart(4, '0')}_${words}.sql`
}

export function planFiles(root: string, [kind, first, second]: readonly string[]): FilePlan {
  if (kind === 'feature') {
    const name = kebab(first)
    return { files: within(`features/${name}`, buildFeatureFiles(name)), steps: listFeatureSteps(name) }
  }
  if (kind === 'verb') {
    const feature = room(root, first)
    const parts = (second ?? '').split('/').map(kebab)
    const verb = parts.at(-1)!
    const folder = parts.slice(0, -1).join('/') || 'verbs'
    return { files: within(`features/${feature}`, buildVerbFiles(feature, verb, folder)), steps: listVerbSteps(feature, verb, folder) }
  }
  if (kind === 'vendor') {
    const feature = room(root, first)
    const vendor = kebab(second)
    const port = join(root, 'features', feature, 'server/vendors/port.ts')
    const isNewKind = !existsSync(port)
    const text = isNewKind ? '' : readFileSync(port, 'utf8')
    const asked = isNewKind ? NEW_KIND : portKind(text, text.includes('ShownVendor') ? freeColor(dirname(port)) : undefined)
    return {
      files: within(`features/${feature}`, { ...(isNewKind ? buildPortFiles(feature) : {}), ...buildVendorFiles(vendor, asked) }),
      steps: listVendorSteps(feature, vendor, { isModelVendor: asked.shownColor !== undefined }),
    }
  }
  if (kind === 'migration') {
    const path = buildMigrationPath(readdirSync(join(root, 'apps/server/migrations')), first)
    return {
      files: { [path]: `-- What it adds and why. Plain SQL, forward only, one transaction; applied once and never edited after that.\n` },
      steps: ['a migration never rides with a feature: commit it alone'],
    }
  }
  return refuse(USAGE)
}

/** Writes a plan; if any of its files exists, nothing is written. */
export function writePlan(root: string, { files }: FilePlan): void {
  const taken = Object.keys(files).filter((path) => existsSync(join(root, path)))
  if (taken.length) refuse(`already there: ${taken.join(', ')}`)
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const code = Object.keys(files).filter((path) => /\.(tsx?|json)$/.test(path))
  if (code.length) spawnSync(process.execPath, [join(root, 'node_modules/oxfmt/bin/oxfmt'), ...code], { cwd: root })
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..')
  try {
    const words = process.argv.slice(2)
    const made = planFiles(root, words.includes('--help') ? [] : words)
    writePlan(root, made)
    console.log(
      `made\n${Object.keys(made.files)
        .map((path) => `  ${path}`)
        .join('\n')}\n\nby hand\n${made.steps.map((step) => `  ${step}`).join('\n')}`,
    )
  } catch (error) {
    console.error((error as Error).message)
    process.exitCode = 2
  }
}
