import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { signWebhook } from '#platform/server/sealing/sign-webhook.ts'
import { reserveFreePort } from '#platform/testing/launch.ts'
import { SAMPLES_FOLDER } from '#features/site/help/read.ts'

// The receivers that the article shows, as a reader would run them, called with payloads that the product signs.
const SECRET = 'whsec_example'
const code = (file: string) => readFileSync(join(SAMPLES_FOLDER, file), 'utf8')
const [head, shownBody] = code('webhook-request.http.txt').trimEnd().split('\n\n') as [string, string]
const shown = /x-mingxi-signature: (t=(\d+),v1=\w+)/.exec(head)!

test('the request that the article shows bears the signature that its secret gives', () => {
  expect(shown[1]).toBe(signWebhook(SECRET, shownBody, Number(shown[2])))
  const { id, type } = JSON.parse(shownBody) as { id: string; type: string }
  expect(head).toContain(`x-mingxi-delivery: ${id}\n`)
  expect(head).toContain(`x-mingxi-event: ${type}\n`)
})

let running: { readonly child: ChildProcess; readonly folder: string } | undefined
afterEach(async () => {
  if (!running) return
  const { child, folder } = running
  running = undefined
  const ended = new Promise((done) => child.once('exit', done))
  if (child.exitCode === null && child.kill('SIGKILL')) await ended
  rmSync(folder, { recursive: true, force: true })
})

/** Starts the receiver; resolves when it responds. */
async function start(file: string, command: string, name: string): Promise<{ url: string; out: () => string }> {
  const folder = mkdtempSync(join(tmpdir(), 'webhook-'))
  writeFileSync(join(folder, name), code(file))
  const port = await reserveFreePort()
  const child = spawn(command, [name], { cwd: folder, env: { PATH: process.env['PATH'], MINGXI_WEBHOOK_SECRET: SECRET, PORT: String(port) } })
  running = { child, folder }
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (said += data.toString()))
  const url = `http://127.0.0.1:${port}/`
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the receiver ended: ${said}`)
    if (
      await fetch(url, { method: 'POST' }).then(
        () => true,
        () => false,
      )
    )
      break
    await new Promise((done) => {
      setTimeout(done, 50)
    })
  }
  return { url, out: () => said }
}

describe.each([
  ['webhook.node.txt', process.execPath, 'receive.mjs'],
  ['webhook.python.txt', 'python3', 'receive.py'],
])('%s', (file, command, name) => {
  test('takes what we signed, and nothing else', async () => {
    const { url, out } = await start(file, command, name)
    const now = () => Math.floor(Date.now() / 1000)
    const send = (body: string, signature: string | undefined) =>
      fetch(url, { method: 'POST', body, headers: signature === undefined ? {} : { 'x-mingxi-signature': signature } }).then((reply) => reply.status)
    const body = JSON.stringify({ id: 'evt_1', type: 'key.budget', data: { key_name: '生产', threshold: 80 } })
    expect(await send(body, signWebhook(SECRET, body, now()))).toBe(200)
    expect(await send(`${body} `, signWebhook(SECRET, body, now()))).toBe(400)
    expect(await send(body, signWebhook('whsec_other', body, now()))).toBe(400)
    expect(await send(body, signWebhook(SECRET, body, now() - 301))).toBe(400)
    expect(await send(body, `t=${now()},v1=${createHmac('sha256', SECRET).update(body).digest('hex')}`)).toBe(400)
    expect(await send(body, undefined)).toBe(400)
    expect(out().match(/key\.budget/g)).toHaveLength(1)
    expect(out()).toContain('生产')
  })
})
