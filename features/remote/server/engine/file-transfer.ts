import type { RemotePageMessage } from '../../wire.ts'
import type { Cdp } from './cdp.ts'
import { FileRefusal, sanitizeFileName } from './files.ts'
import { sendPageRefusal } from './state.ts'
import type { BrowserState } from './state.ts'

interface DownloadStart {
  readonly guid: string
  readonly suggestedFilename: string
}
interface DownloadProgress {
  readonly guid: string
  readonly totalBytes: number
  readonly receivedBytes: number
  readonly state: 'inProgress' | 'completed' | 'canceled'
}
interface FileChooserEvent {
  readonly mode: 'selectSingle' | 'selectMultiple'
  /** Absent if a script requests files without an input field. */
  readonly backendNodeId?: number
}
type FileAction = Extract<RemotePageMessage, { do: 'put' | 'choose' | 'get' }>

const NOTIFY_INTERVAL_MS = 500
/** Ids under which Chromium stores downloads. */
const GUID = /^[\w-]{8,64}$/

/** Configures downloads of the browser and tracks their progress. */
export async function startFileTransfer(s: BrowserState): Promise<void> {
  const { cdp, files } = s
  const isOn = files.limits.files > 0
  await cdp.send('Browser.setDownloadBehavior', {
    ...(isOn ? { behavior: 'allowAndName', downloadPath: files.out } : { behavior: 'deny' }),
    eventsEnabled: true,
  })
  cdp.on<DownloadStart>('Browser.downloadWillBegin', ({ guid, suggestedFilename }) => {
    if (!isOn) return sendPageRefusal(s, 'download')
    if (!GUID.test(guid) || !files.take()) return cancelDownload(s, guid, 'tooMany')
    s.downloads.set(guid, { id: guid, name: sanitizeFileName(suggestedFilename), size: 0, got: 0, isWhole: false })
    sendDownloads(s)
  })
  cdp.on<DownloadProgress>('Browser.downloadProgress', (progress) => updateDownload(s, progress))
  cdp.on<FileChooserEvent>('Page.fileChooserOpened', ({ mode, backendNodeId }, sessionId) => {
    if (!isOn || backendNodeId === undefined || sessionId === undefined) return sendPageRefusal(s, 'upload')
    s.chooser = { sessionId, backendNodeId, isMany: mode === 'selectMultiple' }
    sendFileChooser(s)
  })
}

function cancelDownload(s: BrowserState, guid: string, what: 'tooMany' | 'tooLarge'): void {
  s.downloads.delete(guid)
  s.cdp.tell('Browser.cancelDownload', { guid })
  sendPageRefusal(s, what)
}

function updateDownload(s: BrowserState, { guid, totalBytes, receivedBytes, state }: DownloadProgress): void {
  const known = s.downloads.get(guid)
  if (!known || known.isWhole) return
  if (Math.max(totalBytes, receivedBytes) > s.files.limits.bytes) {
    cancelDownload(s, guid, 'tooLarge')
    return sendDownloads(s)
  }
  if (state === 'canceled') s.downloads.delete(guid)
  else s.downloads.set(guid, { ...known, size: state === 'completed' ? receivedBytes : totalBytes, got: receivedBytes, isWhole: state === 'completed' })
  if (state !== 'inProgress' || Date.now() - s.downloadsToldAt > NOTIFY_INTERVAL_MS) sendDownloads(s)
}

export function sendDownloads(s: BrowserState): void {
  s.downloadsToldAt = Date.now()
  s.viewer?.tell({ tell: 'downloads', files: [...s.downloads.values()] })
}

export function sendFileChooser(s: BrowserState): void {
  s.viewer?.tell({ tell: 'chooser', isOpen: s.chooser !== undefined, isMany: s.chooser?.isMany ?? false })
}

/** Drops the file chooser of a page that closed. */
export function dropFileChooser(s: BrowserState, sessionId: string): void {
  if (s.chooser?.sessionId !== sessionId) return
  s.chooser = undefined
  sendFileChooser(s)
}

/** Handles an uploaded piece, the files chosen for a page, or a request for a downloaded piece. */
export async function handleFileAction(s: BrowserState, wish: FileAction): Promise<void> {
  try {
    if (wish.do === 'put') {
      const bytes = Buffer.from(wish.data, 'base64')
      const at = await s.files.put(wish.file, { name: wish.name, size: wish.size, at: wish.at, bytes })
      s.viewer?.tell({ tell: 'put', file: wish.file, at })
    } else if (wish.do === 'choose') await chooseFiles(s, s.cdp, wish.files)
    else if (s.downloads.get(wish.file)?.isWhole) {
      const piece = await s.files.get(wish.file, wish.at)
      s.viewer?.tell({ tell: 'piece', file: wish.file, at: wish.at, data: piece.toString('base64') })
    }
  } catch (error) {
    const what = error instanceof FileRefusal ? error.what : wish.do === 'get' ? 'download' : 'upload'
    s.viewer?.tell({ tell: 'refused', what, ...(wish.do === 'choose' ? {} : { file: wish.file }) })
  }
}

async function chooseFiles(s: BrowserState, cdp: Cdp, wanted: readonly string[]): Promise<void> {
  const { chooser } = s
  if (!chooser) return
  s.chooser = undefined
  sendFileChooser(s)
  const paths = wanted.map((file) => s.files.given(file))
  if (!paths.length) return
  if (paths.includes(undefined) || (paths.length > 1 && !chooser.isMany)) throw new FileRefusal('upload')
  await cdp.send('DOM.setFileInputFiles', { files: paths, backendNodeId: chooser.backendNodeId }, chooser.sessionId)
}
