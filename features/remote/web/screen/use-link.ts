import { useCallback, useEffect, useRef, useState } from 'react'
import type { RefObject } from 'react'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { toast } from '#ui/layers/toast.ts'
import { REMOTE_SOCKET_PROTOCOL, REMOTE_SOCKET_PATH } from '../../wire.ts'
import type { RemotePageMessage, RemoteDownload, OverReason, RemoteRefusal, RemoteTab, RemoteServerMessage } from '../../wire.ts'
import { remoteTexts } from '../../texts.ts'
import { remoteApi } from '../use-remote.ts'
import { createFileTransfers } from './transfer.ts'
import type { FileTransfers } from './transfer.ts'
import type { ScreenSize } from './input.ts'

/** State of the session as the page shows it. */
interface LinkState {
  readonly phase: 'connecting' | 'live' | 'lost' | 'over'
  readonly reason?: OverReason | undefined
  readonly tabs: readonly RemoteTab[]
  readonly isLoading: boolean
  readonly isUnreachable: boolean
  readonly size: ScreenSize
  /** End of the paid time; undefined before the first picture. */
  readonly until?: number | undefined
  /** Pictures in the last second. */
  readonly fps: number
  /** Round-trip time in milliseconds. */
  readonly delay?: number | undefined
  /** Maximum frames per second while the network is slow. */
  readonly pace?: number | undefined
  readonly taken?: { readonly text: string; readonly at: number } | undefined
  /** Set while the remote page requests files. */
  readonly chooser?: { readonly isMany: boolean } | undefined
  readonly downloads: readonly RemoteDownload[]
}

const INITIAL_LINK_STATE: LinkState = {
  phase: 'connecting',
  tabs: [],
  isLoading: false,
  isUnreachable: false,
  size: { width: 1280, height: 800 },
  fps: 0,
  downloads: [],
}

interface LinkHandlers {
  /** Fetches the socket's address and a fresh ticket; undefined if no session is live. Throws if the request fails. */
  readonly open: () => Promise<{ readonly url: string; readonly ticket: string } | undefined>
  readonly change: (part: Partial<LinkState>) => void
  readonly refused: (what: RemoteRefusal) => void
  readonly draw: (picture: ImageBitmap) => void
}

interface RemoteLink {
  send(wish: RemotePageMessage): void
  readonly transfers: FileTransfers
  /** Takes the session back from another page. */
  again(): void
  close(): void
}

const SECOND = 1000
const PING_MS = 2_000
const RECONNECT_DELAYS_MS = [300, 1_000, 2_000, 4_000] as const

/** Connects and reconnects until the session is over. */
function openRemoteLink(ends: LinkHandlers): RemoteLink {
  let socket: WebSocket | undefined
  let isClosed = false
  let tries = 0
  let retry: ReturnType<typeof setTimeout> | undefined
  let delay: number | undefined
  let pictures = 0
  const send = (wish: RemotePageMessage) => {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(wish))
  }
  const transfers = createFileTransfers(send)
  const over = (reason: OverReason) => {
    isClosed = true
    transfers.fail()
    ends.change({ phase: 'over', reason, fps: 0 })
  }
  const hear = (message: RemoteServerMessage) => {
    if (message.tell === 'over') return over(message.reason)
    if (message.tell === 'pong') delay = Math.round(performance.now() - message.at)
    applyServerMessage(message, ends, transfers)
  }
  const show = async (bytes: ArrayBuffer) => {
    const picture = await createImageBitmap(new Blob([bytes], { type: 'image/jpeg' })).catch(() => undefined)
    if (picture) {
      ends.draw(picture)
      picture.close()
      pictures++
    }
    send({ do: 'drawn', ...(delay === undefined ? {} : { rtt: Math.min(delay, 60_000) }) })
  }
  const connect = async () => {
    try {
      const to = await ends.open()
      if (isClosed) return
      if (!to) return over('gone')
      const own = `${location.origin.replace(/^http/, 'ws')}${REMOTE_SOCKET_PATH}`
      const opened = new WebSocket(to.url || own, [REMOTE_SOCKET_PROTOCOL, to.ticket])
      socket = opened
      opened.binaryType = 'arraybuffer'
      opened.onopen = () => {
        tries = 0
        ends.change({ phase: 'live' })
      }
      opened.onmessage = ({ data }) => void (data instanceof ArrayBuffer ? show(data) : hear(JSON.parse(String(data)) as RemoteServerMessage))
      opened.onclose = lost
    } catch {
      lost()
    }
  }
  const lost = () => {
    transfers.fail()
    if (isClosed) return
    ends.change({ phase: 'lost', fps: 0 })
    retry = setTimeout(() => void connect(), RECONNECT_DELAYS_MS[Math.min(tries++, RECONNECT_DELAYS_MS.length - 1)])
  }
  const count = setInterval(() => {
    ends.change({ fps: pictures })
    pictures = 0
  }, SECOND)
  const ping = setInterval(() => send({ do: 'ping', at: performance.now() }), PING_MS)
  void connect()
  return {
    send,
    transfers,
    again: () => {
      isClosed = false
      ends.change({ ...INITIAL_LINK_STATE })
      void connect()
    },
    close: () => {
      isClosed = true
      clearInterval(count)
      clearInterval(ping)
      clearTimeout(retry)
      transfers.fail()
      socket?.close()
    },
  }
}

/** Applies a message from the server, except for the end of the session. */
function applyServerMessage(message: Exclude<RemoteServerMessage, { tell: 'over' }>, { change, refused }: LinkHandlers, transfers: FileTransfers): void {
  switch (message.tell) {
    case 'tabs':
      return change({ tabs: message.tabs, isLoading: message.isLoading, isUnreachable: message.isUnreachable })
    case 'size':
      return change({ size: { width: message.width, height: message.height } })
    case 'taken':
      return change({ taken: { text: message.text, at: Date.now() } })
    case 'until':
      return change({ until: Date.parse(message.at) })
    case 'pace':
      return change({ pace: message.fps < 30 ? message.fps : undefined })
    case 'pong':
      return change({ delay: Math.round(performance.now() - message.at) })
    case 'chooser':
      return change({ chooser: message.isOpen ? { isMany: message.isMany } : undefined })
    case 'downloads':
      return change({ downloads: message.files })
    case 'put':
    case 'piece':
      return transfers.hear(message)
    case 'refused': {
      const { what, file } = message
      if (file !== undefined) transfers.fail(file)
      // The sender of a piece reports its failure itself
      if (file === undefined || what === 'tooLarge' || what === 'tooMany') refused(what)
    }
  }
}

export interface RemoteLinkView {
  readonly state: LinkState
  readonly send: (wish: RemotePageMessage) => void
  readonly again: () => void
  readonly transfers: () => FileTransfers | undefined
}

const REFUSAL_TEXT = {
  download: 'screenDownload',
  upload: 'screenUpload',
  tooLarge: 'screenTooLarge',
  tooMany: 'screenTooMany',
  dialog: 'screenDialog',
  address: 'screenBadAddress',
  input: 'screenStuck',
} as const

/** Shows the session on the canvas while the component is mounted. */
export function useRemoteLink(canvas: RefObject<HTMLCanvasElement | null>): RemoteLinkView {
  const t = useTexts(remoteTexts)
  const [state, setState] = useState<LinkState>(INITIAL_LINK_STATE)
  const link = useRef<RemoteLink>(undefined)
  const words = useRef(t)
  useEffect(() => {
    words.current = t
  })
  useEffect(() => {
    const opened = openRemoteLink({
      open: async () => {
        try {
          const { engine, url, ticket } = await remoteApi.kasmOpen({})
          return engine === 'canvas' ? { url, ticket } : undefined
        } catch (error) {
          if (isApiError(error) && error.errorName === 'REMOTE_NONE') return undefined
          throw error
        }
      },
      change: (part) => setState((before) => ({ ...before, ...part })),
      refused: (what) => toast.info(words.current(REFUSAL_TEXT[what])),
      draw: (picture) => drawPicture(canvas.current, picture),
    })
    link.current = opened
    return () => opened.close()
  }, [canvas])
  const send = useCallback((wish: RemotePageMessage) => link.current?.send(wish), [])
  const again = useCallback(() => link.current?.again(), [])
  const transfers = useCallback(() => link.current?.transfers, [])
  return { state, send, again, transfers }
}

function drawPicture(canvas: HTMLCanvasElement | null, picture: ImageBitmap): void {
  if (!canvas) return
  if (canvas.width !== picture.width || canvas.height !== picture.height) Object.assign(canvas, { width: picture.width, height: picture.height })
  canvas.getContext('2d')?.drawImage(picture, 0, 0)
}
