import { createHash } from 'node:crypto'
import { lstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'

const SUMS = 'SHA256SUMS'
/** Files that belong to an installation or a checkout, never to a release. */
const FOREIGN = /(?:^|\/)(?:secret\.key|\.env(?:\.\w+)?|\.git|id_(?:rsa|ed25519)|postgres\/access\.json)$|^data\//

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .toSorted()
}

const sumOf = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex')

/** Writes the list of a release's files with their sums, as `sha256sum -c` reads it. */
export function writeSums(folder: string): void {
  const files = filesIn(folder).filter((file) => file !== SUMS)
  writeFileSync(join(folder, SUMS), files.map((file) => `${sumOf(join(folder, file))}  ${file}\n`).join(''))
}

/** Problems of a folder that should be a release, as it was built: files that are missing, changed, foreign or not on its list. */
export function problemsIn(folder: string): string[] {
  const listed = new Map(
    readFileSync(join(folder, SUMS), 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line): [string, string] => [line.slice(66), line.slice(0, 64)]),
  )
  const there = filesIn(folder).filter((file) => file !== SUMS)
  return [
    ...there.filter((file) => !listed.has(file)).map((file) => `${file} is not part of the release`),
    ...there.filter((file) => FOREIGN.test(file)).map((file) => `${file} belongs to an installation`),
    ...there.filter((file) => lstatSync(join(folder, file)).isSymbolicLink()).map((file) => `${file} is a link`),
    ...[...listed].flatMap(([file, sum]) => {
      if (!there.includes(file)) return [`${file} is missing`]
      return sumOf(join(folder, file)) === sum ? [] : [`${file} was changed`]
    }),
  ]
}
