/**
 * Reads a request as a vendor may, and counts what it would bill. Some parsers keep the first of a repeated member and some the last;
 * `wins` selects which.
 */
export function parseJson(text: string, wins: 'first' | 'last'): any {
  if (wins === 'last') return JSON.parse(text)
  let at = 0
  const space = /\s*/y
  const atom = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|true|false|null/y
  const skip = (): string => {
    space.lastIndex = at
    at += space.exec(text)![0].length
    return text[at]!
  }
  const take = (): any => {
    const c = skip()
    if (c === '{' || c === '[') {
      at++
      return c === '{' ? members() : elements()
    }
    atom.lastIndex = at
    const [token] = atom.exec(text)!
    at += token.length
    return JSON.parse(token)
  }
  const members = (): Record<string, any> => {
    const found: Record<string, any> = {}
    while (skip() !== '}') {
      if (text[at] === ',') at++
      const name = take() as string
      skip()
      at++
      const value = take()
      if (!Object.hasOwn(found, name)) found[name] = value
    }
    at++
    return found
  }
  const elements = (): any[] => {
    const found: any[] = []
    while (skip() !== ']') {
      if (text[at] === ',') at++
      found.push(take())
    }
    at++
    return found
  }
  return take()
}

/** Contents of a prompt. */
export interface PromptContents {
  text: number
  images: number
  pages: number
  audioSeconds: number
  /** Content that only the vendor sees: a URL, a file id, a stored object. */
  unseen: boolean
  /** The most expensive `cache_control` in the prompt. */
  cache: '' | '5m' | '1h'
}

const WORDS = /[A-Za-z]+|\d+|[^A-Za-z\d\s]/gu

/**
 * Token count of a text, never more than a real tokenizer counts in the strategies' inputs: an everyday word is one token, digits count in
 * threes, a character outside the BMP is four (its bytes), one inside it is one.
 */
export function estimateTokens(text: string): number {
  let tokens = 0
  for (const [piece] of text.matchAll(WORDS)) {
    const first = piece.codePointAt(0)!
    if (first > 0xffff) tokens += 4
    else if (first >= 48 && first <= 57) tokens += Math.ceil(piece.length / 3)
    else if (first < 0x80 && piece.length > 1) tokens += Math.ceil(piece.length / 8)
    else tokens += first < 0x80 && /[^A-Za-z]/.test(piece) ? 0.25 : 1
  }
  return Math.ceil(tokens)
}

/** Number of pages that a PDF declares; its pages may share one content stream, so its size is no indication. */
const countPdfPages = (base64: string): number => {
  const text = Buffer.from(base64.replace(/^data:[^,]*,/, ''), 'base64').toString('latin1')
  return Math.max(1, ...[...text.matchAll(/\/Count (\d+)/g)].map((match) => Number(match[1])))
}

const NOT_PROMPT = new Set(['model', 'metadata', 'user', 'safety_identifier', 'service_tier', 'generationConfig', 'generation_config', 'reasoning', 'thinking'])

/** Sums the contents of a request body. */
export function collectContents(
  value: any,
  seen: PromptContents = { text: 0, images: 0, pages: 0, audioSeconds: 0, unseen: false, cache: '' },
): PromptContents {
  if (typeof value === 'string') seen.text += estimateTokens(value)
  if (value === null || typeof value !== 'object') return seen
  if (Array.isArray(value)) {
    for (const item of value) collectContents(item, seen)
    return seen
  }
  if (value.cache_control) seen.cache = value.cache_control.ttl === '1h' || seen.cache === '1h' ? '1h' : '5m'
  if (isMedia(value, seen)) return seen
  for (const [name, inner] of Object.entries(value)) if (!NOT_PROMPT.has(name)) collectContents(inner, seen)
  return seen
}

function isMedia(value: any, seen: PromptContents): boolean {
  const source = value.source ?? value.inlineData ?? value.inline_data
  if (value.fileData ?? value.file_data?.fileUri ?? value.file_data?.file_uri) seen.unseen = true
  else if (value.type === 'image' && source?.type !== 'file') seen.images++
  else if (source !== undefined && typeof source === 'object') inlineMedia(source, seen)
  else if (value.type === 'image_url' || value.type === 'input_image') seen.images++
  else if (value.type === 'input_audio') seen.audioSeconds += Buffer.byteLength(value.input_audio?.data ?? '', 'base64') / 1_000
  else if (value.type === 'input_file' || value.type === 'file') {
    const data = value.file_data ?? value.file?.file_data
    if (typeof data === 'string') seen.pages += countPdfPages(data)
    else seen.unseen = true
  } else return false
  return true
}

function inlineMedia(source: any, seen: PromptContents): void {
  const kind = String(source.media_type ?? source.mimeType ?? source.mime_type ?? '')
  if (source.type === 'url' || source.type === 'file') seen.unseen = true
  else if (source.type === 'text') seen.text += estimateTokens(String(source.data))
  else if (kind.startsWith('audio/')) seen.audioSeconds += Buffer.byteLength(source.data ?? '', 'base64') / 1_000
  else if (kind.includes('pdf')) seen.pages += countPdfPages(String(source.data))
  else seen.images++
}
