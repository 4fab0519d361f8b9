import { readFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { isTest, walk } from '../walk.ts'

/** Standard files of the tree, which all export the same few names. */
const STANDARD = new Set(['data.ts', 'index.ts', 'index.tsx', 'settings.ts'])
/** Names that a tool looks for in a file, each with its reason. */
const ASKED_FOR: Readonly<Record<string, string>> = {
  setup: 'global setup of Vitest',
  teardown: 'global setup of Vitest',
  shown: 'pages load it from each vendor by its place (docs/decisions/layers.md)',
}
/** Simulated vendors will be removed from the product. */
const LATER = /\/sandbox\//

const EXPORTED = /^export (?:default )?(?:async )?(?:abstract )?(?:function\*?|const|let|class|interface|type) (\w+)/gm

/** Lists names that a file declares and exports. A value and a type of the same name count once. */
export function parseExports(source: string): Set<string> {
  return new Set([...source.matchAll(EXPORTED)].map(([, name]) => name!))
}

/** Finds names that more than one file exports. */
export function findCollisions(sources: ReadonlyMap<string, string>): string[] {
  const files = new Map<string, string[]>()
  for (const [path, source] of sources) for (const name of parseExports(source)) files.set(name, [...(files.get(name) ?? []), path])
  return [...files]
    .filter(([name, paths]) => paths.length > 1 && !(name in ASKED_FOR))
    .map(([name, paths]) => `${name} is exported by ${paths.sort().join(', ')}: name its subject`)
}

if (import.meta.main) {
  const root = process.cwd()
  const paths = ['apps', 'bench', 'e2e', 'features', 'platform', 'scripts', 'stand-ins', 'ui']
    .flatMap((room) => walk(join(root, room)))
    .filter((path) => /\.tsx?$/.test(path) && !path.endsWith('.d.ts') && !isTest(path) && !STANDARD.has(basename(path)))
    .map((path) => relative(root, path))
    .filter((path) => !LATER.test(path))
  // Stand-ins share no code with the product, so neither can mistake a name of the other.
  const [ours, standIns] = [false, true].map((isStandIn) => paths.filter((path) => path.startsWith('stand-ins/') === isStandIn))
  const problems = [ours!, standIns!].flatMap((group) => findCollisions(new Map(group.map((path) => [path, readFileSync(join(root, path), 'utf8')]))))
  if (problems.length) console.error(problems.join('\n'))
  process.exitCode = problems.length ? 1 : 0
}
