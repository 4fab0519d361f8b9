import { normalizeCharset, decodeText, guessCharset, isUtf8 } from './charset.ts'

const WORD = String.raw`=\?([^?\s]{1,60})\?([bq])\?([^?\r\n]*)\?=`
const WORDS = new RegExp(`${WORD}(?:[ \\t\\r\\n]*${WORD})*`, 'gi')
const EACH_WORD = new RegExp(WORD, 'gi')

/**
 * A block of header fields in which all text is UTF-8 or an encoded word of UTF-8 that holds whole characters. Fields keep their order and names.
 * `named`: a charset that other parts of the mail name, for fields whose bytes allow several.
 */
export function normalizeHeaders(block: Buffer, named = ''): Buffer {
  const text = block.toString('latin1')
  if (!/[\x80-\xff]|=\?/.test(text)) return block
  const fields = text.split(/(?<=\n)(?![ \t])/)
  return Buffer.concat(fields.map((field) => normalizeField(field, named)))
}

function normalizeField(field: string, named: string): Buffer {
  const joined = field.replace(WORDS, (run) => encodeWord(decodeRun(run, named)))
  const bytes = Buffer.from(joined, 'latin1')
  if (!/[\x80-\xff]/.test(joined) || isUtf8(bytes)) return bytes
  return Buffer.from(decodeText(bytes, guessCharset(bytes, named)))
}

const encodeWord = (text: string): string => `=?utf-8?B?${Buffer.from(text).toString('base64')}?=`

/** Neighbouring words of one charset are one text: senders cut them inside a character. */
function decodeRun(run: string, named: string): string {
  const pieces: { charset: string; bytes: Buffer[] }[] = []
  for (const [, label = '', encoding = '', content = ''] of run.matchAll(EACH_WORD)) {
    const charset = normalizeCharset(label.split('*')[0]) || named
    const bytes = encoding.toUpperCase() === 'B' ? Buffer.from(content, 'base64') : decodeQ(content)
    const last = pieces.at(-1)
    if (last?.charset === charset) last.bytes.push(bytes)
    else pieces.push({ charset, bytes: [bytes] })
  }
  return pieces
    .map(({ charset, bytes }) => {
      const whole = Buffer.concat(bytes)
      return decodeText(whole, guessCharset(whole, charset))
    })
    .join('')
}

const decodeQ = (content: string): Buffer =>
  Buffer.from(
    content.replaceAll('_', ' ').replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  )
