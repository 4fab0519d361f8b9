import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openBook } from './book.ts'
import { NOTHING } from '../read/ask.ts'

let folder: string
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'sandbox-book-'))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const start = (requestId: string, callId: string) => ({
  requestId,
  callId,
  dialect: 'openai-chat' as const,
  model: 'm',
  stream: true,
  fault: undefined,
  startedAt: 5,
})
const billed = { ...NOTHING, input: 10, output: 3 }

test('entries are there after a restart; a call that was running is closed unbilled', () => {
  const path = join(folder, 'book.jsonl')
  const before = openBook(path)
  before.start(start('r1', 'c1'))
  before.end('r1', { status: 'finished', httpStatus: 200, generated: billed, billed })
  before.end('r1', { status: 'aborted', httpStatus: 200, generated: NOTHING, billed: NOTHING })
  before.start(start('r2', 'c2'))
  appendFileSync(path, '{"torn":')
  const after = openBook(path)
  expect(after.find('c1')).toMatchObject([{ status: 'finished', billed }])
  expect(after.find('c2')).toMatchObject([{ status: 'failed', billed: NOTHING }])
  expect(after.list(5).map((entry) => entry.requestId)).toEqual(['r1', 'r2'])
  expect(after.list(6)).toEqual([])
})

test('a torn line does not swallow the next one', () => {
  const path = join(folder, 'book.jsonl')
  appendFileSync(path, '{"torn":')
  const book = openBook(path)
  book.start(start('r1', 'c1'))
  expect(openBook(path).find('c1')).toHaveLength(1)
})

test('a retried call has several entries', () => {
  const book = openBook()
  for (const id of ['r1', 'r2']) book.start(start(id, 'c1'))
  expect(book.find('c1').map((entry) => entry.requestId)).toEqual(['r1', 'r2'])
})

test('kill -9 loses no finished call', async () => {
  const path = join(folder, 'book.jsonl')
  const child = spawn(process.execPath, [join(import.meta.dirname, '../serve.ts'), '0', path], { stdio: ['ignore', 'pipe', 'inherit'] })
  const gone = once(child, 'exit')
  const [said] = await Promise.race([once(child.stdout, 'data'), gone.then(() => [''])])
  const [address] = /http:\/\/[\d.:]+/.exec(String(said)) ?? []
  const ask = (content: string, id: string) =>
    fetch(`${address}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'authorization': 'Bearer sandbox', 'x-mingxi-call-id': id },
      body: JSON.stringify({ model: 'm', stream: true, messages: [{ role: 'user', content }] }),
    })
  await (await ask('Hi', 'done')).text()
  const open = await ask('Hi [[sandbox:chunk=1000]]', 'open')
  child.kill('SIGKILL')
  await gone
  await open.text().catch(() => undefined)
  const book = openBook(path)
  expect(book.find('done')).toMatchObject([{ status: 'finished' }])
  expect(book.find('open')).toMatchObject([{ status: 'failed', billed: { input: 0, output: 0 } }])
})
