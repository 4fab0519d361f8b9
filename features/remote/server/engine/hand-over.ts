import type { FromPage } from '../../wire.ts'
import type { Cdp } from './cdp.ts'
import { FileRefusal, safeName } from './files.ts'
import { tellRefusal } from './state.ts'
import type { State } from './state.ts'

interface Begun {
  readonly guid: string
  readonly suggestedFilename: string
}
interface Progress {
  readonly guid: string
  readonly totalBytes: number
  readonly receivedBytes: number
  readonly state: 'inProgress' | 'completed' | 'canceled'
}
interface Chooser {
  readonly mode: 'selectSingle' | 'selectMultiple'
  /** Absent where a script asks for files that no field of the page takes. */
  readonly backendNodeId?: number
}
type Wish = Extract<FromPage, { do: 'put' | 'choose' | 'get' }>

const TELL_MS = 500
/** Chromium names what it downloads by these. */
const GUID = /^[\w-]{8,64}$/

/** Says how the browser is to download, and listens to what comes of it. */
export async function openHandOver(s: State): Promise<void> {
  const { cdp, files } = s
  const isOn = files.limits.files > 0
  await cdp.send('Browser.setDownloadBehavior', {
    ...(isOn ? { behavior: 'allowAndName', downloadPath: files.out } : { behavior: 'deny' }),
    eventsEnabled: true,
  })
  cdp.on<Begun>('Browser.downloadWillBegin', ({ guid, suggestedFilename }) => {
    if (!isOn) return tellRefusal(s, 'download')
    if (!GUID.test(guid) || !files.take()) return refuse(s, guid, 'tooMany')
    s.downloads.set(guid, { id: guid, name: safeName(suggestedFilename), size: 0, got: 0, isWhole: false })
    tellDownloads(s)
  })
  cdp.on<Progress>('Browser.downloadProgress', (progress) => learn(s, progress))
  cdp.on<Chooser>('Page.fileChooserOpened', ({ mode, backendNodeId }, sessionId) => {
    if (!isOn || backendNodeId === undefined || sessionId === undefined) return tellRefusal(s, 'upload')
    s.chooser = { sessionId, backendNodeId, isMany: mode === 'selectMultiple' }
    tellChooser(s)
  })
}

function refuse(s: State, guid: string, what: 'tooMany' | 'tooLarge'): void {
  s.downloads.delete(guid)
  s.cdp.tell('Browser.cancelDownload', { guid })
  tellRefusal(s, what)
}

function learn(s: State, { guid, totalBytes, receivedBytes, state }: Progress): void {
  const known = s.downloads.get(guid)
  if (!known || known.isWhole) return
  if (Math.max(totalBytes, receivedBytes) > s.files.limits.bytes) {
    refuse(s, guid, 'tooLarge')
    return tellDownloads(s)
  }
  if (state === 'canceled') s.downloads.delete(guid)
  else s.downloads.set(guid, { ...known, size: state === 'completed' ? receivedBytes : totalBytes, got: receivedBytes, isWhole: state === 'completed' })
  if (state !== 'inProgress' || Date.now() - s.downloadsToldAt > TELL_MS) tellDownloads(s)
}

export function tellDownloads(s: State): void {
  s.downloadsToldAt = Date.now()
  s.viewer?.tell({ tell: 'downloads', files: [...s.downloads.values()] })
}

export function tellChooser(s: State): void {
  s.viewer?.tell({ tell: 'chooser', isOpen: s.chooser !== undefined, isMany: s.chooser?.isMany ?? false })
}

/** Drops the file chooser of a page that closed. */
export function forgetChooser(s: State, sessionId: string): void {
  if (s.chooser?.sessionId !== sessionId) return
  s.chooser = undefined
  tellChooser(s)
}

/** Handles an uploaded piece, the files chosen for a page, or a request for a downloaded piece. */
export async function handOver(s: State, wish: Wish): Promise<void> {
  try {
    if (wish.do === 'put') {
      const bytes = Buffer.from(wish.data, 'base64')
      const at = await s.files.put(wish.file, { name: wish.name, size: wish.size, at: wish.at, bytes })
      s.viewer?.tell({ tell: 'put', file: wish.file, at })
    } else if (wish.do === 'choose') await choose(s, s.cdp, wish.files)
    else if (s.downloads.get(wish.file)?.isWhole) {
      const piece = await s.files.get(wish.file, wish.at)
      s.viewer?.tell({ tell: 'piece', file: wish.file, at: wish.at, data: piece.toString('base64') })
    }
  } catch (error) {
    const what = error instanceof FileRefusal ? error.what : wish.do === 'get' ? 'download' : 'upload'
    s.viewer?.tell({ tell: 'refused', what, ...(wish.do === 'choose' ? {} : { file: wish.file }) })
  }
}

async function choose(s: State, cdp: Cdp, wanted: readonly string[]): Promise<void> {
  const { chooser } = s
  if (!chooser) return
  s.chooser = undefined
  tellChooser(s)
  const paths = wanted.map((file) => s.files.given(file))
  if (!paths.length) return
  if (paths.includes(undefined) || (paths.length > 1 && !chooser.isMany)) throw new FileRefusal('upload')
  await cdp.send('DOM.setFileInputFiles', { files: paths, backendNodeId: chooser.backendNodeId }, chooser.sessionId)
}
