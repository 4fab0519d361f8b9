import { createHash } from 'node:crypto'
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

const ROOT = join(import.meta.dirname, '../..')
const CACHE = join(ROOT, 'node_modules/.cache/oracles')

/** Types of a vendor's SDK to compare with: `modules` by a name of ours, `types` as expressions over those names. */
export interface SdkTypes {
  /** The SDK's package, whose version names the cached schemas. */
  readonly package: string
  /** Module of the SDK by the name that `types` use: `{ Cards: 'lithic/resources/cards/cards' }`. */
  readonly modules: Readonly<Record<string, string>>
  /** TypeScript type by schema name: `{ Card: 'Cards.Card' }`; another of them is named with an X before it: `{ Cards: 'XCard[]' }`. */
  readonly types: Readonly<Record<string, string>>
}
/** JSON schemas by the names of `SdkTypes.types`. */
export type SchemasByName = Readonly<Record<string, object>>

/**
 * JSON schemas of the SDK's types; unknown fields are refused in all of them. Made in a process of its own, which takes seconds and up to half a
 * gigabyte, once for each version of the SDK and list of types.
 */
export function readSdkSchemas(wanted: SdkTypes): Promise<SchemasByName> {
  const key = JSON.stringify(wanted)
  const found = loaded.get(key) ?? loadSdkSchemas(wanted)
  loaded.set(key, found)
  return found
}
/** Schemas loaded by this process. */
const loaded = new Map<string, Promise<SchemasByName>>()

async function loadSdkSchemas(wanted: SdkTypes): Promise<SchemasByName> {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'node_modules', wanted.package, 'package.json'), 'utf8')) as { version: string }
  const made = readFileSync(join(import.meta.dirname, 'write-sdk-schemas.ts'))
  const hash = createHash('sha256')
    .update(made)
    .update(JSON.stringify([version, wanted]))
    .digest('hex')
    .slice(0, 16)
  const name = wanted.package.replace(/^@/, '').replaceAll(/\W+/g, '-')
  const file = join(CACHE, `${name}-${hash}.json`)
  if (!existsSync(file) && !(await isMadeElsewhere(file))) await makeSchemas(wanted, file)
  return JSON.parse(readFileSync(file, 'utf8')) as SchemasByName
}

async function makeSchemas(wanted: SdkTypes, file: string): Promise<void> {
  const own = `${file}.${process.pid}`
  try {
    writeFileSync(`${own}.wanted`, JSON.stringify(wanted))
    await promisify(execFile)(process.execPath, [join(import.meta.dirname, 'write-sdk-schemas.ts'), `${own}.wanted`, own], { cwd: ROOT, maxBuffer: 16e6 })
    renameSync(own, file)
  } finally {
    rmSync(`${file}.lock`, { recursive: true, force: true })
  }
}

const POLL_MS = 200
/** Of a process that was killed while it made schemas. */
const STALE_LOCK_MS = 120_000

/** Waits while another process makes the same schemas, so that a run makes each once; false if this process is to make them. */
async function isMadeElsewhere(file: string): Promise<boolean> {
  mkdirSync(CACHE, { recursive: true })
  for (let waited = 0; waited < STALE_LOCK_MS; waited += POLL_MS) {
    if (existsSync(file)) return true
    try {
      mkdirSync(`${file}.lock`)
      return false
    } catch {
      await sleep(POLL_MS)
    }
  }
  return false
}
