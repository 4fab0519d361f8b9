import { z } from 'zod'

/** Messages between a page and a session over the socket: pictures as bytes, everything else as JSON. Nothing is stored or logged. */
const place = z.number().min(0).max(10_000)
const modifiers = z.number().int().min(0).max(15)

export const REMOTE_SOCKET_PATH = '/remote/socket'
/** WebSocket subprotocol. The ticket is sent next to it, which keeps it out of URLs and logs. */
export const REMOTE_SOCKET_PROTOCOL = 'mingxi-remote'
export const MIN_REMOTE_SIZE = { width: 320, height: 240 } as const
export const MAX_REMOTE_SIZE = { width: 1920, height: 1200 } as const
/** Characters of one message; longer text is sent in several. */
export const MAX_PASTE_LENGTH = 20_000
/** Bytes of a file in one message. Files are sent piece by piece, so a broken connection loses only one piece. */
export const FILE_CHUNK_BYTES = 64 * 1024
const CHUNK_TEXT_LENGTH = 4 * Math.ceil(FILE_CHUNK_BYTES / 3)
const fileId = z.string().regex(/^[\w-]{8,64}$/)
const offset = z.number().int().min(0)

export const remotePageMessage = z.discriminatedUnion('do', [
  z.object({
    do: z.literal('mouse'),
    type: z.enum(['mousePressed', 'mouseReleased', 'mouseMoved']),
    x: place,
    y: place,
    button: z.enum(['none', 'left', 'middle', 'right']),
    buttons: z.number().int().min(0).max(7),
    clickCount: z.number().int().min(0).max(3),
    modifiers,
  }),
  z.object({ do: z.literal('wheel'), x: place, y: place, dx: z.number().min(-5000).max(5000), dy: z.number().min(-5000).max(5000), modifiers }),
  z.object({
    do: z.literal('key'),
    type: z.enum(['keyDown', 'keyUp']),
    key: z.string().max(40),
    code: z.string().max(40),
    keyCode: z.number().int().min(0).max(255),
    text: z.string().max(4),
    modifiers,
  }),
  z.object({ do: z.literal('text'), text: z.string().min(1).max(MAX_PASTE_LENGTH) }),
  z.object({ do: z.literal('take') }),
  z.object({ do: z.literal('go'), address: z.string().trim().min(1).max(4000) }),
  z.object({ do: z.literal('back') }),
  z.object({ do: z.literal('forward') }),
  z.object({ do: z.literal('reload') }),
  z.object({ do: z.literal('tab'), id: z.string().max(80) }),
  z.object({ do: z.literal('newTab') }),
  z.object({ do: z.literal('closeTab'), id: z.string().max(80) }),
  z.object({
    do: z.literal('size'),
    width: z.number().int().min(MIN_REMOTE_SIZE.width).max(MAX_REMOTE_SIZE.width),
    height: z.number().int().min(MIN_REMOTE_SIZE.height).max(MAX_REMOTE_SIZE.height),
  }),
  /** A piece of a file for the remote page's file request; `file` is the sender's id for it. */
  z.object({ do: z.literal('put'), file: fileId, name: z.string().min(1).max(255), size: offset, at: offset, data: z.base64().max(CHUNK_TEXT_LENGTH) }),
  /** Files for the remote page's file request; empty to cancel. */
  z.object({ do: z.literal('choose'), files: z.array(fileId).max(100) }),
  /** Requests the next piece of a download. */
  z.object({ do: z.literal('get'), file: fileId, at: offset }),
  /** The page has drawn a picture, so the next may be sent. `rtt`: the last measured round-trip time in milliseconds. */
  z.object({ do: z.literal('drawn'), rtt: z.number().min(0).max(60_000).optional() }),
  z.object({ do: z.literal('ping'), at: z.number() }),
])
export type RemotePageMessage = z.output<typeof remotePageMessage>

export interface RemoteTab {
  readonly id: string
  readonly title: string
  readonly url: string
  readonly isActive: boolean
}

/** A download in the remote browser: `got` of `size` bytes have arrived; it can be fetched once complete. `size` is 0 while unknown. */
export interface RemoteDownload {
  readonly id: string
  readonly name: string
  readonly size: number
  readonly got: number
  readonly isWhole: boolean
}

/** `tooLarge`, `tooMany`: over the session's limits. `input`: the remote page does not respond, so input was dropped. */
export type RemoteRefusal = 'download' | 'upload' | 'tooLarge' | 'tooMany' | 'address' | 'dialog' | 'input'

/** `replaced`: another page shows the session now. `gone`: this process does not have it. */
export type OverReason = 'time_up' | 'stopped' | 'too_heavy' | 'broke' | 'replaced' | 'gone'

/** Maps the cause of a task's end to a close reason. */
export const resolveOverReason = (cause: string): OverReason =>
  cause === 'time_up' || cause === 'too_heavy' ? cause : cause.startsWith('broke') || cause === 'lost' ? 'broke' : 'stopped'

export type RemoteServerMessage =
  /** `isUnreachable`: the last page requested in the active tab did not load, so its picture stays white. */
  | { readonly tell: 'tabs'; readonly tabs: readonly RemoteTab[]; readonly isLoading: boolean; readonly isUnreachable: boolean }
  | { readonly tell: 'size'; readonly width: number; readonly height: number }
  | { readonly tell: 'taken'; readonly text: string }
  /** `file`: the id of the refused piece; absent for an action of the remote page. */
  | { readonly tell: 'refused'; readonly what: RemoteRefusal; readonly file?: string }
  /** The remote page requests files, or no longer does. */
  | { readonly tell: 'chooser'; readonly isOpen: boolean; readonly isMany: boolean }
  /** Bytes of an upload received so far. */
  | { readonly tell: 'put'; readonly file: string; readonly at: number }
  | { readonly tell: 'downloads'; readonly files: readonly RemoteDownload[] }
  | { readonly tell: 'piece'; readonly file: string; readonly at: number; readonly data: string }
  /** The session is paid from now until this ISO time. */
  | { readonly tell: 'until'; readonly at: string }
  /** Maximum frames per second of the picture. */
  | { readonly tell: 'pace'; readonly fps: number }
  | { readonly tell: 'pong'; readonly at: number }
  | { readonly tell: 'over'; readonly reason: OverReason }
