import type { FieldProblem } from '../problem.ts'
import { MAX_FORM_PARTS, findNextEdge } from './edges.ts'

/** One part of a form; `start` and `end` are its content in the body. */
export interface FormPart {
  readonly key: string
  readonly isFile: boolean
  readonly start: number
  readonly end: number
}

/** Headers of one part; browsers and SDKs write some 200 bytes. */
const HEAD_BYTES = 4_096
const CRLF_CRLF = Buffer.from('\r\n\r\n')
const DASH = 45,
  CR = 13,
  LF = 10,
  SPACE = 32,
  TAB = 9
/** Maximum bytes before the first boundary, and after the last: mail programs write a sentence there. */
const MAX_PREAMBLE_BYTES = 4_096
/** RFC 2046: no space at the end, and no characters that need quotes except those that clients quote. */
const BOUNDARY = /;\s*boundary=(?:"([0-9A-Za-z'()+_,\-./:=? ]{0,69}[0-9A-Za-z'()+_,\-./:=?])"|([0-9A-Za-z'()+_,\-./:=?]{1,70}))\s*(?:;|$)/i

export function isForm(contentType: string): boolean {
  return /^\s*multipart\/form-data\s*(?:;|$)/i.test(contentType)
}

/** Delimiter before each part; undefined if the header names no boundary. */
export function readDelimiter(contentType: string): Buffer | undefined {
  const found = BOUNDARY.exec(contentType)
  const boundary = found?.[1] ?? found?.[2]
  return boundary === undefined ? undefined : Buffer.from(`--${boundary}`, 'latin1')
}

const buildFormProblem = (message: string, field?: string): FieldProblem => ({ field, message: `The request body is not a valid form: ${message}` })

/**
 * Splits a multipart/form-data body at its boundaries (edges.ts), without copying, decoding or parsing into objects. Bytes before
 * the first boundary and after the last belong to no part (RFC 2046, 5.1.1). Strict where parsers differ, so that the vendor sees
 * the same parts: each boundary on its own line, one name per part, no transfer encoding, a closing boundary, and no boundary
 * anywhere else.
 */
export function scanForm(body: Buffer, contentType: string): FormPart[] | FieldProblem {
  const delimiter = readDelimiter(contentType)
  if (delimiter === undefined) return buildFormProblem('its content-type names no boundary.')
  const begin = findNextEdge(body, delimiter, 0)
  if (begin < 0 || begin > MAX_PREAMBLE_BYTES) return buildFormProblem('it does not begin with its boundary.')
  // A preamble consists of lines, and the boundary is a separate line.
  if (begin > 0 && (begin < 2 || body[begin - 2] !== CR || body[begin - 1] !== LF)) return buildFormProblem('its first boundary does not begin a line.')
  const parts: FormPart[] = []
  let at = begin + delimiter.length
  for (;;) {
    if (body[at] === DASH && body[at + 1] === DASH) return isEpilogue(body, at + 2, delimiter) ? parts : buildFormProblem('something follows its end.')
    if (body[at] !== CR || body[at + 1] !== LF) return buildFormProblem('a boundary is not followed by a line break.')
    if (parts.length === MAX_FORM_PARTS) return buildFormProblem(`it has more than ${MAX_FORM_PARTS} parts.`)
    const head = at + 2
    const window = body.subarray(head, head + HEAD_BYTES)
    const blank = window.indexOf(CRLF_CRLF)
    if (blank < 0) return buildFormProblem(window.length < HEAD_BYTES ? 'it ends within the headers of a part.' : 'the headers of a part are too long.')
    const part = readHead(window.toString('latin1', 0, blank))
    if ('message' in part) return part
    const start = head + blank + CRLF_CRLF.length
    const next = findNextEdge(body, delimiter, start)
    if (next < 0) return buildFormProblem('its closing boundary is missing.')
    // A boundary that does not follow its own line break could make another parser see other parts.
    if (next - 2 < start || body[next - 2] !== CR || body[next - 1] !== LF) return buildFormProblem('its boundary stands within a part.', part.name)
    parts.push({ key: part.name, isFile: part.isFile, start, end: next - 2 })
    at = next + delimiter.length
  }
}

/** Empty, a line break, or an epilogue: lines that are ignored, as long as no parser could take them for parts. */
function isEpilogue(body: Buffer, from: number, delimiter: Buffer): boolean {
  let at = from
  while (body[at] === SPACE || body[at] === TAB) at++
  if (at === body.length) return true
  return body[at] === CR && body[at + 1] === LF && body.length - at <= MAX_PREAMBLE_BYTES && body.indexOf(delimiter, at) < 0
}

/** `name` as the browsers write it (WHATWG): quotes and line breaks inside are percent-encoded; backslashes are ambiguous. */
const NAME = /;\s*name="([^"\r\n\\]{1,100})"/i
const FILE = /;\s*filename(\*)?=/i

function readHead(text: string): { readonly name: string; readonly isFile: boolean } | FieldProblem {
  let disposition: string | undefined
  for (const line of text.split('\r\n')) {
    if (/[\r\n\0]/.test(line)) return buildFormProblem('a header of a part holds a bare line break.')
    const colon = line.indexOf(':')
    const header = line.slice(0, colon).toLowerCase()
    if (colon <= 0 || /[\s]/.test(header)) return buildFormProblem('a part has a header without a name.')
    if (header === 'content-disposition') {
      if (disposition !== undefined) return buildFormProblem('a part has two names.')
      disposition = line.slice(colon + 1)
    } else if (header === 'content-transfer-encoding' && !/^\s*(?:binary|8bit|7bit)\s*$/i.test(line.slice(colon + 1))) {
      return buildFormProblem('a part has a transfer encoding.')
    }
  }
  // Drop file names first: their text must not pass for the part's name.
  const bare = disposition?.replace(/filename\*?=(?:"(?:[^"\\]|\\.)*"|[^;]*)/gi, 'filename=') ?? ''
  const name = /^\s*form-data\s*(?=;)/i.test(bare) ? NAME.exec(bare)?.[1] : undefined
  if (name === undefined) return buildFormProblem('a part has no name.')
  if (bare.match(/;\s*name\*?=/gi)!.length > 1) return buildFormProblem('a part has two names.')
  return { name, isFile: FILE.test(bare) }
}
