import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { waitForValue } from '#platform/testing/patience.ts'
import type { RemotePageMessage, RemoteServerMessage } from '#features/remote/wire.ts'
import { openRemoteBrowser } from '#features/remote/server/engine/browser.ts'
import type { RemoteBrowser } from '#features/remote/server/engine/browser.ts'
import { launchBrowser, computeSlotUid } from '#features/remote/server/engine/launch.ts'
import type { LaunchedBrowser } from '#features/remote/server/engine/launch.ts'
import { explainMissingBrowser } from '#features/remote/server/testing/missing-browser.ts'
import { readBrowserMegabytes } from '#features/remote/server/engine/memory.ts'

// A real Chromium with its sandbox on, behind a proxy that serves one page itself and records the requests.
const asked: string[] = []
const PAGE = `<title>Shop</title><body style="margin:0;background:#fff"><input id=a autofocus style="position:absolute;left:10px;top:10px;width:200px;height:30px">
<script>localStorage.setItem('a', 'KEPT')</script><a href="/file" download style="position:absolute;left:10px;top:60px">file</a>
<input type=file style="position:absolute;left:10px;top:100px;width:200px;height:30px" onchange="this.files[0].text().then(text => { location.href = '/up?' + encodeURIComponent(this.files[0].name + ' ' + text) })">`
const proxy = createServer((request, reply) => {
  const known = request.headers['proxy-authorization'] === `Basic ${Buffer.from('me:secret').toString('base64')}`
  if (!known) return reply.writeHead(407, { 'proxy-authenticate': 'Basic realm="x"' }).end()
  asked.push(request.url ?? '')
  if (request.url?.endsWith('/file')) return reply.writeHead(200, { 'content-disposition': 'attachment; filename=x.bin' }).end('bytes')
  reply.writeHead(200, { 'content-type': 'text/html', 'set-cookie': 'a=KEPT; max-age=9999', 'cache-control': 'max-age=9999' }).end(PAGE)
})
await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', () => done()))
const base = mkdtempSync(join(tmpdir(), 'remote-'))
chmodSync(base, 0o711)
const whyNot = await explainMissingBrowser()
let launched: LaunchedBrowser
let remote: RemoteBrowser
const told: RemoteServerMessage[] = []
let pictures = 0

beforeAll(async () => {
  if (whyNot) return
  launched = await launchBrowser({
    slot: 7,
    folder: join(base, 'session'),
    size: { width: 800, height: 600 },
    proxy: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    isOwnUser: true,
    heapMegabytes: 256,
  })
  remote = await openRemoteBrowser(launched, {
    size: { width: 800, height: 600 },
    credentials: { username: 'me', password: 'secret' },
    files: { files: 3, bytes: 1_000_000 },
  })
  await remote.show({
    tell: (message) => void told.push(message),
    picture: (bytes) => {
      if (bytes.subarray(0, 2).equals(Buffer.from([0xff, 0xd8]))) pictures++
      void remote.wish({ do: 'drawn' })
    },
  })
})
afterAll(async () => {
  await launched?.end()
  expect(existsSync(join(base, 'session'))).toBe(false)
  rmSync(base, { recursive: true, force: true })
  proxy.closeAllConnections()
  proxy.close()
})
const sendInput = (one: RemotePageMessage) => remote.wish(one)
const findActiveTab = () => told.flatMap((message) => (message.tell === 'tabs' ? [message.tabs.find(({ isActive }) => isActive)] : [])).at(-1)
const last = <K extends RemoteServerMessage['tell']>(tell: K) =>
  told.findLast((message): message is Extract<RemoteServerMessage, { tell: K }> => message.tell === tell)
const listRefusals = () => told.flatMap((message) => (message.tell === 'refused' ? [message.what] : []))
/** The text of the field, copied as its user would copy it. */
async function takeFieldText(): Promise<string> {
  for (const type of ['keyDown', 'keyUp'] as const) await sendInput({ do: 'key', type, key: 'a', code: 'KeyA', keyCode: 65, text: '', modifiers: 2 })
  const before = told.length
  await sendInput({ do: 'take' })
  const taken = await waitForValue(() => told.slice(before).find((message) => message.tell === 'taken'), 'the selection')
  return taken.tell === 'taken' ? taken.text : ''
}

test.skipIf(whyNot)(
  'a session shows pages that come through its proxy alone, takes Chinese, hands files over both ways, and refuses inner addresses',
  async () => {
    await sendInput({ do: 'go', address: 'http://shop.test/' })
    await waitForValue(() => (findActiveTab()?.title === 'Shop' ? true : undefined), 'the page')
    await waitForValue(() => (pictures > 1 ? true : undefined), 'pictures')
    for (const type of ['mousePressed', 'mouseReleased'] as const)
      await sendInput({ do: 'mouse', type, x: 50, y: 25, button: 'left', buttons: 1, clickCount: 1, modifiers: 0 })
    await sendInput({ do: 'text', text: '深圳市南山区' })
    await sendInput({ do: 'key', type: 'keyDown', key: 'x', code: 'KeyX', keyCode: 88, text: 'x', modifiers: 0 })
    await sendInput({ do: 'key', type: 'keyUp', key: 'x', code: 'KeyX', keyCode: 88, text: '', modifiers: 0 })
    expect(await waitForValue(async () => ((await takeFieldText()) === '深圳市南山区x' ? 'typed' : undefined), 'the typed text')).toBe('typed')

    const press = async (x: number, y: number) => {
      for (const type of ['mousePressed', 'mouseReleased'] as const)
        await sendInput({ do: 'mouse', type, x, y, button: 'left', buttons: 1, clickCount: 1, modifiers: 0 })
    }
    // downloads a file, then uploads one
    await press(15, 70)
    const there = await waitForValue(() => last('downloads')?.files.find(({ isWhole }) => isWhole), 'the downloaded file')
    expect(there).toMatchObject({ name: 'x.bin', size: 5 })
    await sendInput({ do: 'get', file: there.id, at: 0 })
    expect(last('piece')?.data).toBe(Buffer.from('bytes').toString('base64'))
    await press(50, 115)
    await waitForValue(() => last('chooser')?.isOpen, 'the question for a file')
    await sendInput({ do: 'put', file: 'upload_1', name: '发票.txt', size: 4, at: 0, data: Buffer.from('mine').toString('base64') })
    await sendInput({ do: 'choose', files: ['upload_1'] })
    const sent = `http://shop.test/up?${encodeURIComponent('发票.txt mine')}`
    await waitForValue(() => asked.includes(sent), 'the file in the page')
    for (const address of ['file:///etc/passwd', 'chrome://version', 'view-source:http://shop.test/']) await sendInput({ do: 'go', address })
    expect(listRefusals().filter((what) => what === 'address')).toHaveLength(3)
    // requests for this machine go to the proxy too, which refuses them
    await sendInput({ do: 'go', address: 'http://127.0.0.1:8099/inner' })
    await waitForValue(() => (asked.includes('http://127.0.0.1:8099/inner') ? true : undefined), 'the inner address at the proxy')
    // the page is informed of an address that does not respond; otherwise its picture would stay white
    await sendInput({ do: 'go', address: 'https://nothing.test/' })
    await waitForValue(() => (last('tabs')?.isUnreachable ? true : undefined), 'the word that it cannot be reached')
    await sendInput({ do: 'go', address: 'http://shop.test/' })
    await waitForValue(() => (last('tabs')?.isUnreachable === false ? true : undefined), 'a page that can')
    expect(readBrowserMegabytes(launched.pid)).toBeGreaterThan(10)
    // no visited or typed content is on disk, even during the session
    const files = readdirSync(base, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    const telling = files.filter(({ parentPath, name }) => /shop\.test|KEPT|深圳市/.test(readFileSync(join(parentPath, name), 'utf8')))
    expect([existsSync(join(base, 'session')), telling.map(({ name }) => name)]).toEqual([true, []])
    if (process.getuid?.() === 0) expect(launched.uid).toBe(computeSlotUid(7))
  },
)

test.skipIf(whyNot)('tabs open and close, the window takes another size, and the last tab closed leaves a new one', async () => {
  await sendInput({ do: 'newTab' })
  await waitForValue(() => (findActiveTab()?.url === '' ? true : undefined), 'the new tab')
  await sendInput({ do: 'size', width: 640, height: 480 })
  expect(told.findLast((message) => message.tell === 'size')).toEqual({ tell: 'size', width: 640, height: 480 })
  for (let closed = 0; closed < 2; closed++) {
    const { id } = findActiveTab()!
    await sendInput({ do: 'closeTab', id })
    await waitForValue(() => (findActiveTab()?.id !== undefined && findActiveTab()!.id !== id ? true : undefined), 'another tab')
  }
  expect(findActiveTab()?.url).toBe('')
})
