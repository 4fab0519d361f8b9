import { skipString } from '../json/scan.ts'

/**
 * Token estimates, used only if the vendor gave no figure: for a fully observable answer whose client disconnected, or a stream that was
 * cut. They lean upwards, so that disconnecting is never cheaper than staying: measured with o200k, prose comes out at 1.2 to 2.1 times the
 * vendor's count, random letters, digits and rare scripts at about it or above. Rows say `estimated`, and never cost more than was held.
 */
export interface Tally {
  tokens: number
  /** Bytes of an answer that is forwarded unchanged. */
  bytes: number
  /** Reasoning was shown, so further reasoning may be hidden. */
  thought: boolean
  /** The vendor's own finish mark was seen. */
  finished: boolean
}

const MEDIA_TOKENS = 1_000
const MEDIA_STRING = 2_048
/** Bytes of text that are counted; beyond them, three are a token, which is the rule's maximum. */
const MAX_WALKED_BYTES = 1_048_576

export function createTally(): Tally {
  return { tokens: 0, bytes: 0, thought: false, finished: false }
}

export function addText(tally: Tally, text: unknown, isThought = false): void {
  if (typeof text !== 'string' || text === '') return
  if (isThought) tally.thought = true
  tally.tokens += countUpperTokens(text)
}

export function getTalliedTokens(tally: Tally): number {
  return Math.ceil(tally.tokens)
}

const isVowel = new Uint8Array(128)
for (const letter of 'aeiouyAEIOUY') isVowel[letter.charCodeAt(0)] = 1
const MIN_CONSONANT_RUN = 3

/**
 * A word is a token for every four letters, and one for each consonant from the third in a row on, which are rare in words and common in
 * random letters; digits, signs and other non-letters are a token each. With fractions.
 */
export function countUpperTokens(text: string): number {
  let tokens = 0
  let letters = 0
  let consonants = 0
  let wasLower = false
  let wasSpace = false
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i)
    if (isLetter(c)) {
      if (letters === 0 || (wasLower && c < 97)) letters = consonants = 0
      if ((letters++ & 3) === 0) tokens++
      if (isVowel[c] === 1) consonants = 0
      else if (++consonants >= MIN_CONSONANT_RUN) tokens += 0.9
      wasLower = c >= 97
      wasSpace = false
      continue
    }
    letters = consonants = 0
    wasLower = false
    if (c !== 32) tokens += c < 128 ? 1 : wideTokens(c)
    // The first space belongs to the word that follows it.
    else if (wasSpace) tokens += 0.25
    else if (!isLetter(text.charCodeAt(i + 1)) && !(text.charCodeAt(i + 1) >= 128)) tokens++
    wasSpace = c === 32
  }
  return tokens
}

const isLetter = (c: number): boolean => (c >= 97 && c <= 122) || (c >= 65 && c <= 90)

/** Tokens of a UTF-16 unit beyond ASCII, by script. Scripts without words in a tokenizer cost a token per byte. */
function wideTokens(c: number): number {
  if (c < 0x100) return 1
  if (c < 0x370) return 2
  if (c < 0x700) return 0.7
  if (c < 0xe80 || (c >= 0x2010 && c <= 0x2026)) return 1
  if ((c >= 0x2e80 && c <= 0xd7af) || (c >= 0xf900 && c <= 0xffef)) return 1.2
  return c >= 0xd800 && c < 0xe000 ? 2 : 3
}

/** Above this size nothing is counted: three bytes are a token. */
const COUNTED_BYTES = 262_144

/** Input tokens of a call whose vendor has not reported them, counted once. */
export function estimateInput(call: { readonly body: Buffer; inputEstimate: number }): number {
  const { body } = call
  call.inputEstimate ||= body.length > COUNTED_BYTES ? Math.ceil(body.length / 3) : estimateUpperInput(body)
  return call.inputEstimate
}

/**
 * Maximum tokens of a request's text: all of its JSON counts, including names and brackets, to cover text that vendors put around messages.
 */
export function estimateUpperInput(body: Buffer): number {
  return Math.max(1, Math.ceil(countUpperTokens(body.toString())))
}

/**
 * Tokens of a request, for a client that requests a count and for released bodies: a CJK character is one, four bytes of anything else are
 * one, a string that looks like base64 is a media item. Not for charging disconnected clients.
 */
export function estimateBytes(body: Buffer): number {
  let tokens = 0
  let left = MAX_WALKED_BYTES
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
