/**
 * `npm run build [-- --to FOLDER]`: a release in `dist/release/mingxi-VERSION-linux-x64`, which starts without this checkout, its packages
 * and Vite, from a read-only file system. Installation: deploy/README.md; contents and reasons: docs/decisions/releases.md.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { buildConsole, buildPages } from '#apps/server/pages/pages.ts'
import { assembleRelease, readReleaseVersion } from './assemble.ts'
import { buildLicences, buildSbom, listShippedPackages } from './papers.ts'
import { REPOSITORY_ROOT } from './programs.ts'
import { findReleaseProblems, writeChecksums } from './checksums.ts'
import { warmRelease } from './warm.ts'

const { values } = parseArgs({ options: { to: { type: 'string' } } })
const version = readReleaseVersion()
const place = resolve(values.to ?? join(REPOSITORY_ROOT, 'dist/release', `mingxi-${version}-${process.platform}-${process.arch}`))
const from = performance.now()
const logProgress = (text: string): void => console.log(`${((performance.now() - from) / 1000).toFixed(1).padStart(6)} s  ${text}`)

mkdirSync(dirname(place), { recursive: true })
const folder = mkdtempSync(`${place}-`)
try {
  logProgress('pages')
  const scratch = mkdtempSync(join(dirname(place), 'pages-'))
  const built = await buildPages(scratch)
  await buildConsole(scratch)
  rmSync(scratch, { recursive: true })
  logProgress('server, packages, Node')
  const bundled = await assembleRelease(folder, { pages: built, version })
  logProgress('licences and list of parts')
  const shipped = listShippedPackages(bundled)
  writeFileSync(join(folder, 'THIRD-PARTY.txt'), buildLicences(shipped))
  writeFileSync(join(folder, 'sbom.cdx.json'), buildSbom(shipped, version))
  logProgress('a first start, whose compiled code is kept')
  await warmRelease(folder)
  // Another user than the builder runs it.
  execFileSync('chmod', ['-R', 'u=rwX,go=rX', folder])
  writeChecksums(folder)
  const problems = findReleaseProblems(folder)
  if (problems.length) throw new Error(`this is no release:\n  ${problems.join('\n  ')}`)
  rmSync(place, { recursive: true, force: true })
  renameSync(folder, place)
  logProgress(place)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
