import { createHash } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createGenerator, DefinitionType } from 'ts-json-schema-generator'
import type { SdkTypes } from './sdk-schemas.ts'

// Two types of one name stop the generator ("has multiple definitions"): the second one is named by its identity.
const ownName = DefinitionType.prototype.getName
const firstOf = new Map<string, string>()
DefinitionType.prototype.getName = function getUniqueName(this: DefinitionType): string {
  const name = ownName.call(this)
  const id = this.getType().getId()
  const first = firstOf.get(name) ?? id
  firstOf.set(name, first)
  return first === id ? name : `${name}-${createHash('sha256').update(id).digest('hex').slice(0, 8)}`
}

/** Writes the schemas of the types that the first file names to the second. */
function writeSdkSchemas([wantedFile, outFile]: readonly string[]): void {
  const { modules, types } = JSON.parse(readFileSync(wantedFile!, 'utf8')) as SdkTypes
  const source = `${outFile}.ts`
  const imports = Object.entries(modules).map(([name, from]) => `import type * as ${name} from '${from}'`)
  // Apart from the SDK's own names: the generator refuses an alias of the same name.
  const aliases = Object.entries(types).map(([name, type]) => `export type X${name} = ${type}`)
  writeFileSync(source, `${[...imports, ...aliases].join('\n')}\n`)
  try {
    const generator = createGenerator({
      path: source,
      tsconfig: join(import.meta.dirname, '../../tsconfig.base.json'),
      skipTypeCheck: true,
      additionalProperties: false,
      expose: 'all',
      topRef: true,
      jsDoc: 'none',
      functions: 'hide',
    })
    writeFileSync(outFile!, JSON.stringify(Object.fromEntries(Object.keys(types).map((name) => [name, generator.createSchema(`X${name}`)]))))
  } finally {
    rmSync(source, { force: true })
    rmSync(wantedFile!, { force: true })
  }
}

writeSdkSchemas(process.argv.slice(2))
