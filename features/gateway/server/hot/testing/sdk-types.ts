import { createRequire } from 'node:module'
import type * as TypeScript from 'typescript'

const ts = createRequire(import.meta.url)('typescript') as typeof TypeScript

/** Names that a vendor's SDK declares for a type: its members, at any depth by path, or the `type` of each part of a union. */
export interface SdkShape {
  /** Type as written in TypeScript, with the packages as `OpenAI`, `Anthropic` and `Google`. */
  readonly type: string
  readonly as: 'members' | 'paths' | 'tags'
}

const IMPORTS = `import type OpenAI from 'openai'
import type Anthropic from '@anthropic-ai/sdk'
import type * as Google from '@google/genai'
`

/** Names by type, read from the packages in `folder`'s node_modules. A type that no longer exists yields none. */
export function readSdkShapes(folder: string, shapes: readonly SdkShape[]): readonly (readonly string[])[] {
  const file = `${folder}/sdk-shapes.ts`
  const text = IMPORTS + shapes.map(({ type }, at) => `export type T${at} = ${type}\n`).join('')
  const options: TypeScript.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    types: [],
  }
  const host = ts.createCompilerHost(options)
  const { getSourceFile, fileExists, readFile } = host
  host.getSourceFile = (name, ...rest) => (name === file ? ts.createSourceFile(name, text, ts.ScriptTarget.ESNext) : getSourceFile.call(host, name, ...rest))
  host.fileExists = (name) => name === file || fileExists.call(host, name)
  host.readFile = (name) => (name === file ? text : readFile.call(host, name))
  const program = ts.createProgram([file], options, host)
  const checker = program.getTypeChecker()
  const exported = checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(file)!)!)
  return shapes.map(({ as }, at) => {
    const type = checker.getDeclaredTypeOfSymbol(exported.find(({ name }) => name === `T${at}`)!)
    const names = new Set<string>()
    if (as === 'tags') tagsOf(checker, type, names)
    else membersOf(checker, type, as === 'paths', '', names)
    return [...names].sort()
  })
}

const partsOf = (type: TypeScript.Type): readonly TypeScript.Type[] => (type.isUnion() ? type.types : [type])

function membersOf(checker: TypeScript.TypeChecker, type: TypeScript.Type, deep: boolean, at: string, into: Set<string>): void {
  for (const part of partsOf(type))
    for (const member of checker.getPropertiesOfType(part)) {
      const path = `${at}${member.name}`
      const inner = checker.getNonNullableType(checker.getTypeOfSymbol(member))
      if (deep && partsOf(inner).every(isObject)) addNestedMembers(checker, inner, path, into)
      else if (!deep || partsOf(inner).some(isNumber)) into.add(path)
    }
}

const isObject = (type: TypeScript.Type): boolean => (type.flags & ts.TypeFlags.Object) !== 0
const isNumber = (type: TypeScript.Type): boolean => (type.flags & ts.TypeFlags.NumberLike) !== 0

function addNestedMembers(checker: TypeScript.TypeChecker, type: TypeScript.Type, path: string, into: Set<string>): void {
  for (const part of partsOf(type)) {
    const element = checker.isArrayType(part) ? checker.getTypeArguments(part as TypeScript.TypeReference)[0] : undefined
    if (element === undefined) membersOf(checker, part, true, `${path}.`, into)
    else if (partsOf(element).every(isObject)) membersOf(checker, element, true, `${path}[].`, into)
    else if (partsOf(element).some(isNumber)) into.add(`${path}[]`)
  }
}

/** The literals that `type` may have in any part of a union; a union of strings yields its members. */
function tagsOf(checker: TypeScript.TypeChecker, type: TypeScript.Type, into: Set<string>): void {
  for (const part of partsOf(type)) {
    if (part.isStringLiteral()) into.add(part.value)
    else if (isObject(part)) {
      const tag = checker.getPropertyOfType(part, 'type')
      for (const one of tag === undefined ? [] : partsOf(checker.getTypeOfSymbol(tag))) if (one.isStringLiteral()) into.add(one.value)
    }
  }
}
