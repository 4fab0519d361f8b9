import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import type { FieldReading } from '../../contract-papers.ts'
import { aSamplePerson, drawIdBack, drawIdFront, drawPassport, applyPictureDefect, PICTURE_DEFECTS } from '../testing/papers.ts'
import type { SamplePerson, PictureDefect } from '../testing/papers.ts'
import { readPaper } from './read-paper.ts'
import type { ReadablePicture } from './read-paper.ts'
import { asSupplierError } from '#platform/shared/suppliers/supplier-error.ts'
import { createOcrReader, READER_ERRORS } from './verbs.ts'

// Drawn papers, read by the real reader. PAPERS=66 reads all of them and prints the result of each field; a normal run reads five.
const ALL = Number(process.env['PAPERS'] ?? 0)
const reader = createOcrReader()
afterAll(() => reader.stop())

const DRAW = { idFront: drawIdFront, idBack: drawIdBack, passport: drawPassport }
const dotted = (day: string) => day.replaceAll('.', '-')
const truth = (kind: ReadablePicture, it: SamplePerson): Record<string, string> =>
  kind === 'idBack'
    ? { issuer: it.issuer, validFrom: dotted(it.from), validUntil: dotted(it.until) }
    : {
        chineseName: it.name,
        number: kind === 'passport' ? it.passport : it.number,
        birthDate: `${it.number.slice(6, 10)}-${it.number.slice(10, 12)}-${it.number.slice(12, 14)}`,
        sex: Number(it.number[16]) % 2 ? '男' : '女',
        ...(kind === 'passport'
          ? { latinName: it.latin.join(','), validUntil: dotted(it.until), country: 'CHN' }
          : { nation: '汉', address: it.address.join('') }),
      }

interface Case {
  readonly person: SamplePerson
  readonly kind: ReadablePicture
  readonly how: PictureDefect
  readonly wanted: ReadablePicture
}
const kinds = ['idFront', 'idBack', 'passport'] as const
const every: Case[] = PICTURE_DEFECTS.flatMap((how, at) =>
  kinds.flatMap((kind, k) => [0, 1].map((n) => ({ person: aSamplePerson(at * 5 + k * 2 + n * 3), kind, how, wanted: kind }))),
)
const wrong: Case[] = kinds.map((kind, at) => ({ person: aSamplePerson(at), kind, how: 'clean', wanted: kinds[(at + 1) % 3]! }))
const few: Case[] = [
  { person: aSamplePerson(0), kind: 'idFront', how: 'clean', wanted: 'idFront' },
  { person: aSamplePerson(1), kind: 'idBack', how: 'shadow', wanted: 'idBack' },
  { person: aSamplePerson(2), kind: 'passport', how: 'leaning', wanted: 'passport' },
  { person: aSamplePerson(3), kind: 'idFront', how: 'glare', wanted: 'idFront' },
  wrong[0]!,
]

const end = (field: FieldReading | undefined, right: string) =>
  !field?.value ? 'empty' : field.sure ? (field.value === right ? 'sure, right' : 'SURE, WRONG') : field.value === right ? 'unsure, right' : 'unsure, wrong'

/**
 * Measures the impact of reading on the server: polls an HTTP server in the reader's parent process, and reports its latency and the reader's
 * memory.
 */
async function besides(): Promise<() => Promise<string>> {
  const server = createServer((_req, res) => res.end('here')).listen(0)
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const answers: number[] = []
  let rss = 0
  let over = false
  const asking = (async () => {
    while (!over) {
      const from = performance.now()
      await (await fetch(url)).text()
      answers.push(performance.now() - from)
      const pid = reader.pid()
      if (pid !== undefined) rss = Math.max(rss, rssOf(pid))
      await new Promise((done) => setTimeout(done, 10))
    }
  })()
  return async () => {
    over = true
    await asking
    server.close()
    const sorted = answers.toSorted((a, b) => a - b)
    const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)]!.toFixed(1)
    return `${sorted.length} answers beside it: median ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms; the reader took up to ${rss} MB`
  }
}

const rssOf = (pid: number): number => {
  try {
    return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024)
  } catch {
    return 0
  }
}

test('drawn papers are read surely and rightly, or said to be unsure', async () => {
  const cases = ALL ? [...every, ...wrong, ...wrong].slice(0, ALL) : few
  const table = new Map<string, Record<string, number>>()
  const silent: string[] = []
  const times: number[] = []
  const beside = ALL ? await besides() : undefined
  for (const { person, kind, how, wanted } of cases) {
    const picture = await applyPictureDefect(await DRAW[kind](person), how)
    const from = performance.now()
    const read = await readPaper((jpeg) => reader.read(jpeg, 'usr_reader'), picture, wanted)
    times.push(performance.now() - from)
    if (wanted !== kind) {
      expect(read).toEqual({ outcome: 'wrong', is: kind })
      continue
    }
    if (read.outcome !== 'read') throw new Error(`${kind} ${how}: ${JSON.stringify(read)}`)
    for (const [name, right] of Object.entries(truth(kind, person))) {
      const field = read.fields.find((one) => one.name === name)
      const became = end(field, right)
      const row = (table.get(`${kind}.${name}`) ?? table.set(`${kind}.${name}`, {}).get(`${kind}.${name}`))!
      row[became] = (row[became] ?? 0) + 1
      if (became === 'SURE, WRONG') silent.push(`${kind}.${name} ${how}: ${field!.value} for ${right} (${field!.proof})`)
      if (how === 'clean') expect([kind, name, became]).toEqual([kind, name, name === 'number' ? 'sure, right' : expect.stringContaining('right')])
    }
  }
  if (beside) console.log(await beside())
  if (ALL) {
    console.table(Object.fromEntries(table))
    const sorted = times.toSorted((a, b) => a - b)
    console.log(
      `${cases.length} papers, median ${Math.round(sorted[sorted.length >> 1]!)} ms, longest ${Math.round(sorted.at(-1)!)} ms; silently wrong: ${silent.join('; ') || 'none'}`,
    )
  }
  expect(silent.filter((one) => !/chineseName|address|issuer|nation/.test(one))).toEqual([])
  if (!ALL) expect(silent).toEqual([])
})

test('the reader ends with its server, and a new one reads the picture that it was given', async () => {
  const picture = await drawIdBack(aSamplePerson(1))
  expect((await reader.read(picture, 'usr_reader')).lines.length).toBeGreaterThan(2)
  process.kill(reader.pid()!, 'SIGKILL')
  expect((await reader.read(picture, 'usr_reader')).lines.length).toBeGreaterThan(2)
  await expect(reader.read(Buffer.from('no picture'), 'usr_reader')).rejects.toMatchObject({ kind: 'retryable', reason: READER_ERRORS.FAILED })
})

test('a user who sends many pictures at once makes no other user wait for more than two of them', async () => {
  const picture = await drawIdBack(aSamplePerson(1))
  const eager = Array.from({ length: 4 }, () => reader.read(picture, 'eager').catch((error: unknown) => asSupplierError(error).reason))
  const [, , , fourth, other] = await Promise.all([...eager, reader.read(picture, 'other')])
  expect([fourth, other]).toEqual([READER_ERRORS.BUSY, expect.objectContaining({ lines: expect.any(Array) })])
})
