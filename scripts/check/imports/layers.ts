import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import { isTest, walk } from '../walk.ts'

/** Folders that may still import each other in cycles, each with its reason. */
const TOLERATED_CIRCLES: Readonly<Record<string, string>> = {
  'stand-ins/models': 'readers, writers and sockets become folders of the companies',
}

/** One import of another folder. Paths are relative to the root. */
export interface FolderImport {
  readonly file: string
  readonly target: string
}

const IMPORT = /(?:\bfrom\s+|\bimport\s*\(?\s*|new URL\(\s*)(['"])(\.\.?\/[^'"?]+|#(?:apps|features|platform|stand-ins|ui)\/[^'"?]+)[^'"]*\1/g

/** Lists a file's imports of sibling folders: neither below nor above its own. */
export function listFolderImports(file: string, text: string): FolderImport[] {
  const own = dirname(file)
  return [...text.matchAll(IMPORT)]
    .map(([, , path]) => (path!.startsWith('#') ? path!.slice(1) : normalize(join(own, path!))))
    .filter((target) => isApart(own, dirname(target)))
    .map((target) => ({ file, target }))
}

const isApart = (a: string, b: string): boolean => a !== b && !`${a}/`.startsWith(`${b}/`) && !`${b}/`.startsWith(`${a}/`)

/** Finds sets of folders that import each other (strongly connected components, Tarjan). */
export function findFolderCycles(arrows: readonly FolderImport[]): string[][] {
  const next = new Map<string, Set<string>>()
  for (const { file, target } of arrows) {
    const to = next.get(dirname(file)) ?? new Set()
    next.set(dirname(file), to.add(dirname(target)))
  }
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const open: string[] = []
  const circles: string[][] = []
  const visit = (folder: string): number => {
    const at = order.size
    order.set(folder, at)
    lowest.set(folder, at)
    open.push(folder)
    for (const to of next.get(folder) ?? [])
      if (!order.has(to)) lowest.set(folder, Math.min(lowest.get(folder)!, visit(to)))
      else if (open.includes(to)) lowest.set(folder, Math.min(lowest.get(folder)!, order.get(to)!))
    if (lowest.get(folder) === at) {
      const circle = open.splice(open.indexOf(folder))
      if (circle.length > 1) circles.push(circle.sort())
    }
    return lowest.get(folder)!
  }
  for (const folder of next.keys()) if (!order.has(folder)) visit(folder)
  return circles
}

const ROOMS = /\*\*Rooms of `([^`]+)\/`, from the top down\*\*: ([^.;\n]*)(.*)/g

/**
 * Checks a README's list of rooms, `a > b, c > d. Beside them: e.`: each import leads to a later room or to one beside them, and no room is
 * missing.
 */
export function findMisplacedImports(
  readme: string,
  text: string,
  { arrows, folders }: { readonly arrows: readonly FolderImport[]; readonly folders: ReadonlySet<string> },
): string[] {
  return [...text.matchAll(ROOMS)].flatMap(([, of, listed, rest]) => {
    const base = join(dirname(readme), of!)
    const levels = listed!.split(' > ').map((level) => level.split(', '))
    const roomOf = (path: string): string | undefined => (path.startsWith(`${base}/`) ? path.slice(base.length + 1).split('/')[0] : undefined)
    const levelOf = (path: string): number => levels.findIndex((level) => level.includes(roomOf(path) ?? ''))
    const missing = [...folders].filter((folder) => dirname(folder) === base && levelOf(folder) < 0 && !new RegExp(`\\b${roomOf(folder)}\\b`).test(rest!))
    const unknown = levels.flat().filter((room) => !folders.has(join(base, room)))
    const upwards = arrows.filter(({ file, target }) => levelOf(target) >= 0 && levelOf(file) > levelOf(target))
    return [
      ...missing.map((folder) => `${readme}: ${folder} is missing in the rooms of ${of}/`),
      ...unknown.map((room) => `${readme}: there is no room ${room} in ${of}/`),
      ...upwards.map(({ file, target }) => `${file} imports ${target}, which stands above it in ${readme}`),
    ]
  })
}

/** Lists parts of features with several rooms whose README does not list them. */
export function findUnlistedRooms(folders: ReadonlySet<string>, textOf: (readme: string) => string): string[] {
  const all = [...folders]
  return all.flatMap((folder) => {
    const [, feature, part] = /^features\/([^/]+)\/(server|web|console)$/.exec(folder) ?? []
    if (feature === undefined || all.filter((other) => dirname(other) === folder).length < 2) return []
    const readme = `features/${feature}/README.md`
    return textOf(readme).includes(`**Rooms of \`${part}/\`, from the top down**`) ? [] : [`${readme} does not list the rooms of ${part}/`]
  })
}

if (import.meta.main) {
  const root = process.cwd()
  const paths = ['apps', 'features', 'platform', 'stand-ins', 'ui'].flatMap((room) => walk(join(root, room))).map((path) => relative(root, path))
  const files = paths.filter((path) => /\.tsx?$/.test(path) && !isTest(path) && !path.includes('/testing/'))
  const arrows = files.flatMap((file) => listFolderImports(file, readFileSync(join(root, file), 'utf8')))
  const folders = new Set(files.flatMap((file) => listParents(file)))
  const circles = findFolderCycles(arrows).filter(
    (circle) => !Object.keys(TOLERATED_CIRCLES).some((later) => circle.every((folder) => folder.startsWith(later))),
  )
  const readmes = paths.filter((path) => path.endsWith('README.md'))
  const problems = [
    ...circles.map((circle) => `these folders import each other: ${circle.join(', ')}`),
    ...findUnlistedRooms(folders, (readme) => (existsSync(join(root, readme)) ? readFileSync(join(root, readme), 'utf8') : '')),
    ...readmes.flatMap((readme) => findMisplacedImports(readme, readFileSync(join(root, readme), 'utf8'), { arrows, folders })),
  ]
  if (problems.length) console.error(problems.join('\n'))
  process.exitCode = problems.length ? 1 : 0
}

function listParents(file: string): string[] {
  const parents: string[] = []
  for (let at = dirname(file); at !== '.'; at = dirname(at)) parents.push(at)
  return parents
}
