import { skipString } from './scan.ts'

/**
 * Token estimates, used only where the vendor gave no figure: a client that left, a stream that was cut, an answer
 * without usage. Rule: a CJK character is one token, four bytes of anything else are one token. A string that looks
 * like base64 counts as one media item. Rows say `estimated`, and never cost more than was held.
 */
export interface Tally {
  cjk: number
  bytes: number
  /** Text that a person sees has been sent. */
  visible: boolean
  /** A tool call was begun and the answer is not finished. */
  toolOpen: boolean
  /** The vendor's own finish mark was seen. */
  finished: boolean
}

const MEDIA_TOKENS = 1_000
const MEDIA_STRING = 2_048
/** Bytes of text that are looked at; of what is beyond, three are a token, which is the most that the rule comes to. */
const WALKED = 1_048_576

export function newTally(): Tally {
  return { cjk: 0, bytes: 0, visible: false, toolOpen: false, finished: false }
}

export function addText(tally: Tally, text: unknown, visible = false): void {
  if (typeof text !== 'string' || text === '') return
  if (visible) tally.visible = true
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i)
    if ((c >= 0x2e80 && c <= 0x9fff) || (c >= 0xac00 && c <= 0xd7af) || (c >= 0xf900 && c <= 0xfaff)) tally.cjk++
    else tally.bytes += c < 0x80 ? 1 : c < 0x800 ? 2 : 3
  }
}

export function tallied(tally: Tally): number {
  return tally.cjk + Math.ceil(tally.bytes / 4)
}

/** Tokens of a request or answer from its bytes: its strings, without keys' and brackets' share being exact. */
export function estimateBytes(body: Buffer): number {
  let tokens = 0
  let left = WALKED
  let i = 0
  while (i < body.length) {
    const quote = body.indexOf(34, i)
    if (quote < 0) break
    const end = skipString(body, quote, body.length)
    if (end < 0) break
    if (end - quote > MEDIA_STRING && isBase64(body, quote + 1, end - 1)) tokens += MEDIA_TOKENS
    else {
      const walked = Math.min(end - 1, quote + 1 + left)
      tokens += estimateText(body, quote + 1, walked) + Math.ceil((end - 1 - walked) / 3)
      left -= walked - quote - 1
    }
    i = end
  }
  return Math.max(1, tokens)
}

function estimateText(body: Buffer, start: number, end: number): number {
  let wide = 0
  for (let i = start; i < end; i++) if (body[i]! >= 0xe3 && body[i]! <= 0xed) wide++
  return wide + Math.ceil((end - start - wide * 3) / 4)
}

function isBase64(body: Buffer, start: number, end: number): boolean {
  const from = Math.max(start, end - 512)
  return /^[A-Za-z0-9+/=_\-\\]+$/.test(body.toString('latin1', from, end))
}
