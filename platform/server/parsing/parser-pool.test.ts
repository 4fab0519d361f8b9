import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { PATIENCE_MS, waitForValue } from '#platform/testing/patience.ts'
import { findPrlimit } from './limited-command.ts'
import { createParserPool } from './parser-pool.ts'
import type { ParserPoolOptions } from './parser-pool.ts'

const stops: (() => void)[] = []
afterAll(() => stops.forEach((stop) => stop()))

function aPool(options: Partial<ParserPoolOptions> = {}) {
  const pool = createParserPool({
    name: 'hostile',
    entry: join(import.meta.dirname, '../../testing/parsing/hostile-child.ts'),
    limits: { dataBytes: 1_000_000_000, cpuSeconds: 1, heapMb: 128 },
    fileMs: PATIENCE_MS,
    outputBytes: 20_000_000,
    processes: 1,
    waiting: { all: 8, each: 4 },
    ...options,
  })
  stops.push(pool.stop)
  const parse = (kind: string, head: Readonly<Record<string, unknown>> = {}, file: Uint8Array = Buffer.from('file'), owner = 'a') =>
    pool.parse({ kind, head, file, owner })
  return { ...pool, parse }
}

test('a file goes to the parser and its result comes back as facts and bytes', async () => {
  const { parse, pids } = aPool()
  const file = Buffer.alloc(9_000_000, 7)
  const first = await parse('echo', { text: '验证码' }, file)
  expect(first).toMatchObject({ outcome: 'parsed', value: { text: '验证码', pid: expect.any(Number) } })
  expect(first.outcome === 'parsed' && first.parts.every((part) => part.equals(file)) && first.parts.length).toBe(2)
  const [pid] = pids()
  expect(await parse('length')).toEqual({ outcome: 'parsed', value: 4, parts: [] })
  expect(await parse('console')).toMatchObject({ value: 'quiet' })
  // One process is reused: a start costs more than most files.
  expect(pids()).toEqual([pid])
  expect(await parse('throws')).toEqual({ outcome: 'refused', why: 'no such format' })
  expect(await parse('unknown')).toMatchObject({ outcome: 'refused' })
})

test.runIf(findPrlimit()).each(['loop', 'heap', 'buffers', 'wasm'])('the operating system ends a parser that takes too much: %s', async (kind) => {
  const { parse } = aPool()
  // A failed allocation may reach the parser as an error.
  expect(['exceeded', 'refused']).toContain((await parse(kind)).outcome)
  expect(await parse('length')).toMatchObject({ outcome: 'parsed', value: 4 })
})

test.each(['flood', 'noise'])('a parser that writes more than it may, or nonsense, is ended: %s', async (kind) => {
  const { parse } = aPool()
  expect(await parse(kind)).toEqual({ outcome: 'exceeded' })
  expect(await parse('length')).toMatchObject({ value: 4 })
})

test('a file that takes too long is ended, and the next one is read', async () => {
  const { parse } = aPool({ fileMs: 100, limits: { dataBytes: 1_000_000_000, cpuSeconds: 60, heapMb: 128 } })
  // A process that got no processor time for that long counts as busy.
  await waitForValue(async () => (await parse('loop')).outcome === 'exceeded' || undefined, 'the parser is ended')
  expect(await parse('length')).toMatchObject({ value: 4 })
})

test.runIf(findPrlimit())('a parser that gets no processor time is no fault of the file', async () => {
  const { parse } = aPool({ fileMs: 50 })
  expect(await parse('never')).toEqual({ outcome: 'busy' })
})

test('a parser reads no other file, reaches no network and inherits no environment', async () => {
  const { parse } = aPool()
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((done) => server.once('listening', done))
  const denied = { outcome: 'refused', why: expect.stringMatching(/restricted|denied|permission/i) }
  expect(await parse('file', { path: '/etc/passwd' })).toMatchObject(denied)
  expect(await parse('file', { path: join(import.meta.dirname, '../../../data/postgres') })).toMatchObject(denied)
  expect(await parse('network', { port: (server.address() as AddressInfo).port })).toMatchObject(denied)
  const { value } = (await parse('environment')) as { value: string[] }
  expect(value).toEqual([])
  server.close()
})

test('one file of each owner is read at a time and few wait, so that others get their turn', async () => {
  const { parse, stop } = aPool({ processes: 2, waiting: { all: 5, each: 2 } })
  const hostile = [1, 2, 3, 4].map(() => parse('never', {}, Buffer.from('x'), 'attacker'))
  expect(await hostile[3]).toEqual({ outcome: 'busy' })
  expect(await parse('length', {}, Buffer.from('four'), 'customer')).toMatchObject({ value: 4 })
  stop()
  expect((await Promise.all(hostile)).map(({ outcome }) => outcome)).toEqual(['busy', 'busy', 'busy', 'busy'])
})

test('a file whose process was killed from outside is read again', async () => {
  const { parse, pids } = aPool()
  await parse('length')
  const [pid] = pids()
  const reading = parse('echo', { text: 'again' }, Buffer.alloc(9_000_000))
  process.kill(pid!, 'SIGKILL')
  expect(await reading).toMatchObject({ outcome: 'parsed', value: { text: 'again' } })
})

test('a program that does not start is no fault of the file', async () => {
  const { parse } = aPool({ entry: join(import.meta.dirname, 'absent-child.ts') })
  expect(await parse('length')).toEqual({ outcome: 'busy' })
})

test('a process is replaced before its processor time is used up by the files before', async () => {
  const { parse, pids } = aPool()
  await parse('length')
  expect(pids()).toHaveLength(1)
  expect(await parse('burn', { ms: 600 })).toMatchObject({ outcome: 'parsed' })
  expect(pids()).toEqual([])
})
