import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openRemoteBrowser } from './browser.ts'
import type { Cdp, CdpParams } from './cdp.ts'
import { createFileFolders } from './files.ts'
import type { RemoteServerMessage } from '../../wire.ts'

const base = mkdtempSync(join(tmpdir(), 'remote-browser-'))
afterAll(() => rmSync(base, { recursive: true, force: true }))

/** A fake Chromium that accepts every command; its page hangs on request. */
function aFake() {
  const listeners = new Map<string, (params: never, sessionId: string | undefined) => void>()
  const sent: string[] = []
  let hangs = false
  const say = (method: string, params: object, sessionId?: string) => listeners.get(method)?.(params as never, sessionId)
  const attach = (n: number, url = 'about:blank') => {
    const targetInfo = { targetId: `t${n}`, type: 'page', title: '', url }
    say('Target.attachedToTarget', { sessionId: `s${n}`, targetInfo })
  }
  const cdp: Cdp = {
    send: async <T>(method: string, params: CdpParams = {}, sessionId?: string) => {
      sent.push(`${method} ${JSON.stringify(params)}`)
      if (method === 'Target.setAutoAttach') attach(1)
      if (hangs && (sessionId ?? 's1') === 's1' && method.startsWith('Input.')) return new Promise<T>(() => {})
      return { data: '' } as T
    },
    tell: (method, params = {}) => void sent.push(`${method} ${JSON.stringify(params)}`),
    on: (method, listener) => void listeners.set(method, listener as never),
    end: () => {},
  }
  return { cdp, sent, say, attach, hang: () => (hangs = true) }
}

async function aBrowser() {
  const fake = aFake()
  const room = createFileFolders(mkdtempSync(join(base, 'session-')), undefined)
  const told: RemoteServerMessage[] = []
  const browser = await openRemoteBrowser(
    { cdp: fake.cdp, room },
    { size: { width: 800, height: 600 }, credentials: { username: 'me', password: 'secret' }, files: { files: 2, bytes: 100_000 } },
  )
  await browser.show({ tell: (message) => void told.push(message), picture: () => undefined })
  const last = (tell: RemoteServerMessage['tell']) => told.findLast((message) => message.tell === tell)
  return { ...fake, room, told, last, browser }
}

test('input for a hanging page is queued up to a limit', async () => {
  const { browser, sent, hang } = await aBrowser()
  hang()
  for (let n = 0; n < 5_000; n++) void browser.wish({ do: 'wheel', x: 1, y: 1, dx: 0, dy: 1, modifiers: 0 })
  expect(sent.filter((one) => one.startsWith('Input.')).length).toBeLessThan(1_000)
})

test('the user of a hanging page learns that input is dropped, and can still reload it, close it and use another tab', async () => {
  const { browser, sent, told, hang, attach } = await aBrowser()
  const type = async () => browser.wish({ do: 'text', text: 'a' })
  const count = (what: string) => sent.filter((one) => one.startsWith(what)).length
  hang()
  for (let n = 0; n < 300; n++) void type()
  expect(told.filter(({ tell }) => tell === 'refused')).toEqual([])
  for (let n = 0; n < 5; n++) void type()
  expect([count('Input.'), told.filter(({ tell }) => tell === 'refused')]).toEqual([300, [{ tell: 'refused', what: 'input' }]])
  await browser.wish({ do: 'ping', at: 7 })
  expect(told.at(-1)).toEqual({ tell: 'pong', at: 7 })
  await browser.wish({ do: 'reload' })
  attach(2)
  await browser.wish({ do: 'tab', id: 't2' })
  await browser.wish({ do: 'closeTab', id: 't1' })
  expect([count('Page.reload'), count('Target.closeTarget')]).toEqual([1, 1])
  await type()
  expect(count('Input.')).toBe(301)
})

test('a page is limited in its tabs, and in the length of its title and URL', async () => {
  const { attach, say, sent, told } = await aBrowser()
  for (let n = 2; n < 20; n++) attach(n)
  expect(sent.filter((one) => one.startsWith('Target.closeTarget')).length).toBe(11)
  say('Target.targetInfoChanged', { targetInfo: { targetId: 't1', type: 'page', title: 'x'.repeat(100_000), url: `data:text/html,${'y'.repeat(2_000_000)}` } })
  expect(JSON.stringify(told.at(-1)).length).toBeLessThan(10_000)
})

const put = (file: string, text: string) => ({ do: 'put', file, name: 'a.txt', size: text.length, at: 0, data: Buffer.from(text).toString('base64') }) as const

test('a page that asks for files gets only those that its user uploaded', async () => {
  const { browser, say, sent, last, room } = await aBrowser()
  const ask = (mode: string, backendNodeId?: number) => say('Page.fileChooserOpened', { mode, ...(backendNodeId ? { backendNodeId } : {}) }, 's1')
  ask('selectSingle')
  expect(last('refused')).toEqual({ tell: 'refused', what: 'upload' })
  ask('selectSingle', 5)
  expect(last('chooser')).toEqual({ tell: 'chooser', isOpen: true, isMany: false })
  await browser.wish(put('file_001', 'mine'))
  expect(last('put')).toEqual({ tell: 'put', file: 'file_001', at: 4 })
  await browser.wish({ do: 'choose', files: ['file_001'] })
  expect(last('chooser')).toMatchObject({ isOpen: false })
  const given = sent.find((one) => one.startsWith('DOM.setFileInputFiles'))!
  expect(JSON.parse(given.slice(given.indexOf('{')))).toEqual({ files: [expect.stringMatching(`^${room.in}/[0-9a-f]{24}/a.txt$`)], backendNodeId: 5 })
  // A file that was never uploaded is not passed on, and navigating away closes the chooser
  ask('selectMultiple', 6)
  await browser.wish({ do: 'choose', files: ['file_002'] })
  ask('selectMultiple', 7)
  say('Page.frameNavigated', { frame: {} }, 's1')
  expect(last('chooser')).toMatchObject({ isOpen: false })
  await browser.wish({ do: 'choose', files: ['file_001'] })
  expect(sent.filter((one) => one.startsWith('DOM.setFileInputFiles'))).toHaveLength(1)
})

test('a download is offered when it is complete; one too large or too many is cancelled', async () => {
  const { browser, say, sent, last, room } = await aBrowser()
  const begin = (guid: string) => say('Browser.downloadWillBegin', { guid, suggestedFilename: '../bill.pdf' })
  const progress = (
    guid: string,
    receivedBytes: number,
    { state = 'inProgress', totalBytes = 4 }: { readonly state?: string; readonly totalBytes?: number } = {},
  ) => say('Browser.downloadProgress', { guid, receivedBytes, totalBytes, state })
  begin('guid-one')
  progress('guid-one', 2)
  await browser.wish({ do: 'get', file: 'guid-one', at: 0 })
  expect(last('piece')).toBeUndefined()
  writeFileSync(join(room.out, 'guid-one'), 'bill')
  progress('guid-one', 4, { state: 'completed' })
  expect(last('downloads')).toEqual({ tell: 'downloads', files: [{ id: 'guid-one', name: '_bill.pdf', size: 4, got: 4, isWhole: true }] })
  await browser.wish({ do: 'get', file: 'guid-one', at: 0 })
  expect(last('piece')).toEqual({ tell: 'piece', file: 'guid-one', at: 0, data: Buffer.from('bill').toString('base64') })
  begin('guid-two')
  progress('guid-two', 200_000, { state: 'inProgress', totalBytes: 0 })
  expect(last('refused')).toEqual({ tell: 'refused', what: 'tooLarge' })
  begin('guid-three')
  expect(last('refused')).toEqual({ tell: 'refused', what: 'tooMany' })
  expect(sent.filter((one) => one.startsWith('Browser.cancelDownload'))).toHaveLength(2)
  expect(last('downloads')).toMatchObject({ files: [{ id: 'guid-one' }] })
  // A page that shows the session later also sees it
  const other: RemoteServerMessage[] = []
  await browser.show({ tell: (message) => void other.push(message), picture: () => undefined })
  expect(other.find(({ tell }) => tell === 'downloads')).toMatchObject({ files: [{ id: 'guid-one' }] })
})

test('an unreachable address is reported until the next one, and frames inside a page do not count', async () => {
  const { say, last } = await aBrowser()
  const navigated = (frame: object) => say('Page.frameNavigated', { frame }, 's1')
  navigated({ id: 'f1', unreachableUrl: 'https://nothing.test/' })
  expect(last('tabs')).toMatchObject({ isUnreachable: true })
  navigated({ id: 'f2', parentId: 'f1' })
  expect(last('tabs')).toMatchObject({ isUnreachable: true })
  navigated({ id: 'f1', url: 'https://example.com/' })
  expect(last('tabs')).toMatchObject({ isUnreachable: false })
})
