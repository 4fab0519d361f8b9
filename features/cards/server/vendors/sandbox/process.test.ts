import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { waitForValue } from '#platform/testing/patience.ts'
import { aSupplierTools } from '#platform/testing/http.ts'
import type { IssuerConfig, IssuerTools } from '../port.ts'
import { sandbox } from './index.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'issuer-process-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

interface Line {
  readonly port?: number
  readonly pid?: number
}
function toolsWith(lines: Line[]): IssuerTools {
  const keep = (line: Line) => {
    lines.push(line)
  }
  return {
    ...aSupplierTools(),
    log: { info: keep, warn: keep, error: keep } as unknown as IssuerTools['log'],
    noticeUrl: () => 'http://127.0.0.1:9/notify/card/sandbox',
    secrets: () => [Buffer.alloc(32, 3)],
  }
}
const isUp = (port: number) =>
  fetch(`http://127.0.0.1:${port}/healthz`).then(
    ({ ok }) => ok,
    () => false,
  )

test('runs beside the platform, in a folder of its own; a crash is followed by a start on the same port and store', async () => {
  const config: IssuerConfig = { DATA_DIR: join(folder, 'data'), HOST: '127.0.0.1', PORT: 0 }
  const lines: Line[] = []
  const tools = toolsWith(lines)
  const stop = await sandbox.outside!.start(config, tools)
  const issuer = sandbox.connect(config, tools)!
  const { holderRef } = await issuer.createHolder({
    key: 'holder',
    firstName: 'A',
    lastName: 'B',
    email: 'a@example.com',
    birthDate: '1990-01-01',
    address: { line1: '1', city: 'C', state: 'OR', postalCode: '97204', country: 'US' },
  })
  const card = await issuer.createCard({ key: 'card', holderRef, type: 'standard', months: 12, monthlyCeiling: 100n })
  expect(readdirSync(folder)).toEqual(['data-issuer'])
  const shop = await sandbox.outside!.shop(config, 'http://localhost:3000')
  expect(await (await fetch(shop.replace('localhost', '127.0.0.1'))).text()).toContain('TEST MERCHANT')
  const sources = await sandbox.pages!(config)
  expect(sources['frame-src']).toEqual([`http://*:${new URL(shop).port}`])
  expect(await sandbox.outside!.panel(config, tools)).toMatchObject({ title: '卡 Cards', rows: [expect.anything(), expect.anything()] })

  const first = lines.find(({ pid }) => pid)!
  process.kill(first.pid!, 'SIGKILL')
  const second = await waitForValue(() => lines.find(({ pid }) => pid && pid !== first.pid), 'a second start')
  expect(second.port).toBe(first.port)
  expect(await issuer.card(card.cardRef)).toEqual(card)
  await stop()
  expect(await isUp(first.port!)).toBe(false)
  const panel = await sandbox.outside!.panel(config, tools)
  expect(panel.rows[0]![0]).toContain('does not answer')
})

test('ends with the process that started it, however that ends', async () => {
  const script = `import { sandbox } from ${JSON.stringify(join(import.meta.dirname, 'index.ts'))}
const keep = (line) => line.port && console.log(line.port)
await sandbox.outside.start({ DATA_DIR: ${JSON.stringify(join(folder, 'data'))}, HOST: '127.0.0.1', PORT: 0 }, { log: { info: keep, warn: keep, error: keep }, secrets: () => [Buffer.alloc(32)] })
setInterval(() => {}, 1000)`
  const parent = spawn(process.execPath, ['--input-type=module', '-e', script], { cwd: import.meta.dirname, stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  parent.stdout.on('data', (text: Buffer) => {
    said += text.toString()
  })
  const port = Number(await waitForValue(() => /^\d+\n/.exec(said)?.[0], 'its port'))
  expect(await isUp(port)).toBe(true)
  parent.kill('SIGKILL')
  await waitForValue(async () => ((await isUp(port)) ? undefined : true), 'the end of the child')
})

test('no process is started where the address of a running one is set', async () => {
  const lines: Line[] = []
  const stop = await sandbox.outside!.start({ DATA_DIR: join(folder, 'data'), SANDBOX_ISSUER_URL: 'https://issuer.example' }, toolsWith(lines))
  expect(lines).toEqual([])
  expect(readdirSync(folder)).toEqual([])
  expect(await sandbox.outside!.shop({ SANDBOX_ISSUER_URL: 'https://issuer.example/' }, 'https://x.example')).toBe('https://issuer.example/shop')
  await stop()
})
