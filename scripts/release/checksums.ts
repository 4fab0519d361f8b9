import { createHash } from 'node:crypto'
import { lstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'

const CHECKSUM_FILE = 'SHA256SUMS'
/** Files that belong to an installation or a checkout, never to a release. */
const FOREIGN_FILES = /(?:^|\/)(?:secret\.key|\.env(?:\.\w+)?|\.git|id_(?:rsa|ed25519)|postgres\/access\.json)$|^data\//

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .toSorted()
}

const hashFile = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex')

/** Writes the list of a release's files with their checksums, in the format of `sha256sum -c`. */
export function writeChecksums(folder: string): void {
  const files = listFiles(folder).filter((file) => file !== CHECKSUM_FILE)
  writeFileSync(join(folder, CHECKSUM_FILE), files.map((file) => `${hashFile(join(folder, file))}  ${file}\n`).join(''))
}

/** Finds differences between a folder and the release as built: files that are missing, changed, foreign or not on its list. */
export function findReleaseProblems(folder: string): string[] {
  const listed = new Map(
    readFileSync(join(folder, CHECKSUM_FILE), 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line): [string, string] => [line.slice(66), line.slice(0, 64)]),
  )
  const there = listFiles(folder).filter((file) => file !== CHECKSUM_FILE)
  return [
    ...there.filter((file) => !listed.has(file)).map((file) => `${file} is not part of the release`),
    ...there.filter((file) => FOREIGN_FILES.test(file)).map((file) => `${file} belongs to an installation`),
    ...there.filter((file) => lstatSync(join(folder, file)).isSymbolicLink()).map((file) => `${file} is a link`),
    ...[...listed].flatMap(([file, sum]) => {
      if (!there.includes(file)) return [`${file} is missing`]
      return hashFile(join(folder, file)) === sum ? [] : [`${file} was changed`]
    }),
  ]
}
