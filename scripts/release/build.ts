/**
 * `npm run build [-- --to FOLDER]`: a release in `dist/release/mingxi-VERSION-linux-x64`, which starts without this checkout, its packages and
 * Vite, from a read-only file system. How it is installed: deploy/README.md; what is in it and why: docs/decisions/releases.md.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { buildConsole, buildPages } from '#apps/server/pages/pages.ts'
import { assemble, versionOf } from './assemble.ts'
import { licencesOf, sbomOf, shippedPackages } from './papers.ts'
import { ROOT } from './programs.ts'
import { problemsIn, writeSums } from './sums.ts'
import { warm } from './warm.ts'

const { values } = parseArgs({ options: { to: { type: 'string' } } })
const version = versionOf()
const place = resolve(values.to ?? join(ROOT, 'dist/release', `mingxi-${version}-${process.platform}-${process.arch}`))
const from = performance.now()
const say = (text: string): void => console.log(`${((performance.now() - from) / 1000).toFixed(1).padStart(6)} s  ${text}`)

mkdirSync(dirname(place), { recursive: true })
const folder = mkdtempSync(`${place}-`)
try {
  say('pages')
  const scratch = mkdtempSync(join(dirname(place), 'pages-'))
  const built = await buildPages(scratch)
  await buildConsole(scratch)
  rmSync(scratch, { recursive: true })
  say('server, packages, Node')
  const bundled = await assemble(folder, { pages: built, version })
  say('licences and list of parts')
  const shipped = shippedPackages(bundled)
  writeFileSync(join(folder, 'THIRD-PARTY.txt'), licencesOf(shipped))
  writeFileSync(join(folder, 'sbom.cdx.json'), sbomOf(shipped, version))
  say('a first start, whose compiled code is kept')
  await warm(folder)
  // another user runs it than the one who built it
  execFileSync('chmod', ['-R', 'u=rwX,go=rX', folder])
  writeSums(folder)
  const problems = problemsIn(folder)
  if (problems.length) throw new Error(`this is no release:\n  ${problems.join('\n  ')}`)
  rmSync(place, { recursive: true, force: true })
  renameSync(folder, place)
  say(place)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
