import { z } from 'zod'

/** What a page and a session say to each other over the socket. Pictures come as bytes, everything else as JSON. Nothing of it is kept or logged. */
const place = z.number().min(0).max(10_000)
const modifiers = z.number().int().min(0).max(15)

export const SOCKET_PATH = '/remote/socket'
/** The socket's protocol; the ticket stands beside it, so that it is in no address and no log. */
export const PROTOCOL = 'mingxi-remote'
export const SMALLEST = { width: 320, height: 240 } as const
export const LARGEST = { width: 1920, height: 1200 } as const
export const MOST_TEXT = 20_000
/** Bytes of a file in one message; it is asked for, and sent on, piece by piece, so a line that breaks loses one of them. */
export const PIECE_BYTES = 64 * 1024
const PIECE_TEXT = 4 * Math.ceil(PIECE_BYTES / 3)
const fileId = z.string().regex(/^[\w-]{8,64}$/)
const offset = z.number().int().min(0)

export const fromPage = z.discriminatedUnion('do', [
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
  z.object({ do: z.literal('text'), text: z.string().min(1).max(MOST_TEXT) }),
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
    width: z.number().int().min(SMALLEST.width).max(LARGEST.width),
    height: z.number().int().min(SMALLEST.height).max(LARGEST.height),
  }),
  /** A piece of a file for the page that asks for one; `file` is the sender's name for it. */
  z.object({ do: z.literal('put'), file: fileId, name: z.string().min(1).max(255), size: offset, at: offset, data: z.base64().max(PIECE_TEXT) }),
  /** What the page that asks for files gets; nothing: it asked in vain. */
  z.object({ do: z.literal('choose'), files: z.array(fileId).max(100) }),
  /** The next piece of what was downloaded over there. */
  z.object({ do: z.literal('get'), file: fileId, at: offset }),
  /** A picture has been drawn: the next may come. `rtt`: milliseconds there and back, as the page measured them last. */
  z.object({ do: z.literal('drawn'), rtt: z.number().min(0).max(60_000).optional() }),
  z.object({ do: z.literal('ping'), at: z.number() }),
])
export type FromPage = z.output<typeof fromPage>

export interface Tab {
  readonly id: string
  readonly title: string
  readonly url: string
  readonly isActive: boolean
}

/** What was downloaded over there; `got` of `size` bytes are there, and it can be fetched once all are. `size` is 0 while nobody knows it. */
export interface Download {
  readonly id: string
  readonly name: string
  readonly size: number
  readonly got: number
  readonly isWhole: boolean
}

/** `tooLarge`, `tooMany`: beyond what a session hands over. */
export type Refusal = 'download' | 'upload' | 'tooLarge' | 'tooMany' | 'address' | 'dialog'

/** `replaced`: another page looks at it now. `gone`: nobody has it here. */
export type OverReason = 'time_up' | 'stopped' | 'too_heavy' | 'broke' | 'replaced' | 'gone'

/** By the cause with which its task ended. */
export const overReason = (cause: string): OverReason =>
  cause === 'time_up' || cause === 'too_heavy' ? cause : cause.startsWith('broke') || cause === 'lost' ? 'broke' : 'stopped'

export type ToPage =
  /** `isUnreachable`: what was last asked for in the active tab did not come, so its picture stays white. */
  | { readonly tell: 'tabs'; readonly tabs: readonly Tab[]; readonly isLoading: boolean; readonly isUnreachable: boolean }
  | { readonly tell: 'size'; readonly width: number; readonly height: number }
  | { readonly tell: 'taken'; readonly text: string }
  /** `file`: of which piece it is the answer; absent for what a page over there tried. */
  | { readonly tell: 'refused'; readonly what: Refusal; readonly file?: string }
  /** A page asks for files, or does not any more. */
  | { readonly tell: 'chooser'; readonly isOpen: boolean; readonly isMany: boolean }
  /** So much of a file that is sent in has arrived. */
  | { readonly tell: 'put'; readonly file: string; readonly at: number }
  | { readonly tell: 'downloads'; readonly files: readonly Download[] }
  | { readonly tell: 'piece'; readonly file: string; readonly at: number; readonly data: string }
  /** It is paid from now on, until then. ISO. */
  | { readonly tell: 'until'; readonly at: string }
  /** The picture comes at that many frames a second at most. */
  | { readonly tell: 'pace'; readonly fps: number }
  | { readonly tell: 'pong'; readonly at: number }
  | { readonly tell: 'over'; readonly reason: OverReason }
