import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseAuditOutput } from '../audit.ts'
import { computeSecretMark, findSecrets, checkSecrets } from './secrets.ts'

const SMALL = 'abcdefghijklmnopqrstuvwxyz'
const ALPHABET = `${SMALL}${SMALL.toUpperCase()}0123456789`
/** Random, so that this file itself holds no secret. */
const letters = (length: number, from = ALPHABET) => [...randomBytes(length)].map((byte) => from[byte % from.length]).join('')
/** Each letter at most once: random repetition in `letters` could look like words. */
const distinct = (length: number) =>
  [...ALPHABET]
    .map((letter) => [randomBytes(4).readUInt32LE(), letter] as const)
    .toSorted(([a], [b]) => a - b)
    .map(([, letter]) => letter)
    .slice(0, length)
    .join('')
const PLANTED: Readonly<Record<string, () => string>> = {
  'OpenAI or Mingxi key': () => `const key = '${['sk', letters(48)].join('-')}'`,
  'Anthropic key': () => `x-api-key: ${['sk', 'ant', 'api03', letters(80)].join('-')}`,
  'Google key': () => `?key=${['AIza', letters(35)].join('')}`,
  'AWS key id': () => ['AK', 'IA', letters(16, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567')].join(''),
  'Stripe key': () => `STRIPE=${['sk', 'live', letters(24)].join('_')}`,
  'webhook secret': () => `"${['whsec', letters(43)].join('_')}"`,
  'GitHub token': () => `https://x-access-token@github.com ${['ghp', letters(36)].join('_')}`,
  'npm token': () => `//registry/:_authToken=${['npm', letters(36)].join('_')}`,
  'JSON web token': () => [`ey${'J'}${letters(20)}`, `ey${'J'}${letters(60)}`, letters(43)].join('.'),
  'private key': () => `-----BEGIN ${'PRIVATE'} KEY-----\n${letters(64)}\n${letters(64)}\n`,
  'password in a URL': () => `postgres${'://'}app:${letters(16)}@db.internal/mingxi`,
  'value of a secret': () => `SECRET_KEY=${distinct(28)}aB3`,
  'random text': () => `const pepper = decode('${distinct(60)}xY7')`,
}

test.each(Object.entries(PLANTED))('finds a planted %s, and shows too little of it to be used', (what, plant) => {
  for (let turn = 0; turn < 50; turn++) {
    const text = `first line\n${plant()}\n`
    const found = findSecrets(text)
    expect([text, found.map((one) => one.what)]).toEqual([text, expect.arrayContaining([what === 'random text' ? expect.any(String) : what])])
    expect(found.every((one) => one.line >= 2 && one.shown.length <= 9)).toBe(true)
  }
})

test('does not take code, paths and checksums for secrets', () => {
  const text = `import { requireWithdrawalAccountOfThisUser } from '#features/payments/server/withdrawals/verbs/request.ts'
  const token = sessionTokenOfTheCurrentUserOrUndefined
  "integrity": "sha512-${letters(86)}==",
  password: passwordSchemaOfSettings.optional(), apiKey: 'the key of your account page',
  https://docs.example.com/a/rather/long/path/that/goes/on/and/on/with-words-and-dashes
  SECRET_KEY: \${SECRET_KEY:-/run/secrets/secret_key}`
  expect(findSecrets(text)).toEqual([])
})

test('the list allows a value by its mark, a folder what is guessed, and says when it needs no entry', () => {
  const value = letters(60) + 'aB3'
  const key = PLANTED['Stripe key']!()
  const list = [
    { path: 'a/*', marks: [computeSecretMark(value)], why: '' },
    { path: 'b/*', marks: 'guessed', why: '' },
  ] as const
  expect(
    checkSecrets(
      [
        ['a/x.ts', value],
        ['b/y.ts', value],
      ],
      list,
    ),
  ).toEqual([])
  expect(
    checkSecrets(
      [
        ['a/x.ts', value],
        ['b/y.ts', `${value}\n${key}`],
      ],
      list,
    ),
  ).toEqual([expect.stringMatching(/^b\/y\.ts:2: Stripe key/)])
  expect(checkSecrets([['c/x.ts', value]], list)).toEqual([
    expect.stringMatching(/^c\/x\.ts:1: /),
    expect.stringContaining('nothing needs a/*'),
    expect.stringContaining('nothing needs b/*'),
  ])
})

test('the command reads tracked files, and untracked ones that git does not ignore', () => {
  const folder = mkdtempSync(join(tmpdir(), 'secrets-'))
  try {
    execFileSync('git', ['init', '-q'], { cwd: folder })
    mkdirSync(join(folder, 'scripts/check'), { recursive: true })
    writeFileSync(join(folder, 'scripts/check/secrets-allowed.json'), '[]')
    writeFileSync(join(folder, '.gitignore'), 'ignored.env\n')
    writeFileSync(join(folder, 'ignored.env'), PLANTED['Stripe key']!())
    const run = () => spawnSync(process.execPath, [join(import.meta.dirname, 'secrets.ts')], { cwd: folder, encoding: 'utf8' })
    expect(run().status).toBe(0)
    writeFileSync(join(folder, 'new.env'), PLANTED['Stripe key']!())
    const { status, stderr } = run()
    expect([status, stderr]).toEqual([1, expect.stringContaining('new.env:1: Stripe key')])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('the audit tells vulnerabilities from a registry without an answer', () => {
  expect(parseAuditOutput('{"vulnerabilities":{}}')).toEqual({ holes: [] })
  expect(parseAuditOutput('{"vulnerabilities":{"x":{"severity":"high","range":"<2","via":[{"title":"Lets in"},"y"]}}}')).toEqual({
    holes: ['high: x <2: Lets in; by y'],
  })
  expect(parseAuditOutput('{"message":"405 Method Not Allowed","error":{}}')).toEqual({ unanswered: '405 Method Not Allowed' })
  expect(parseAuditOutput('npm error network')).toEqual({ unanswered: 'npm error network' })
})
