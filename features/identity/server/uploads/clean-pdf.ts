import { inflateSync } from 'node:zlib'

/** What a document of text and pictures has no need of: what runs, opens, sends or carries something else, or hides from this look. */
const ACTS = /\/(?:JavaScript|JS|Launch|EmbeddedFiles?|RichMedia|XFA|SubmitForm|ImportData|GoToR|GoToE|Rendition|Movie|Sound|Encrypt)(?![A-Za-z])/
/** An object stream unfolds to no more. */
const UNFOLDED = 20_000_000
/** Its dictionary stands before it, within so many bytes. */
const DICTIONARY = 1000

/**
 * Whether a file is a PDF in which nothing acts. It is kept as it came and never shown by us: it goes to the issuer as an attachment,
 * and to its owner as a download. Objects in compressed streams are looked at too; what cannot be unfolded is refused.
 */
export function isQuietPdf(file: Buffer): boolean {
  const text = file.toString('latin1')
  if (!/^%PDF-[12]\.\d/.test(text) || !text.slice(-1024).includes('%%EOF')) return false
  if (ACTS.test(spelled(text))) return false
  for (let at = text.indexOf('stream'); at >= 0; at = text.indexOf('stream', at + 6)) {
    if (text.startsWith('end', at - 3)) continue
    const dictionary = spelled(text.slice(Math.max(0, at - DICTIONARY), at))
    const own = dictionary.slice(dictionary.lastIndexOf(' obj'))
    if (!/\/ObjStm(?![A-Za-z])/.test(own)) continue
    const objects = unfolded(file, text, at, own)
    if (objects === undefined || ACTS.test(spelled(objects))) return false
  }
  return true
}

/** Names may spell any of their letters as #4a. */
const spelled = (text: string): string => text.replace(/#([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

function unfolded(file: Buffer, text: string, at: number, dictionary: string): string | undefined {
  const start = text.startsWith('\r\n', at + 6) ? at + 8 : at + 7
  const end = text.indexOf('endstream', start)
  if (end < 0) return undefined
  if (!dictionary.includes('/Filter')) return text.slice(start, end)
  if (!/\/Filter\s*(?:\[\s*)?\/FlateDecode\s*(?:\]|\/|>|$)/.test(dictionary)) return undefined
  try {
    return inflateSync(file.subarray(start, end), { maxOutputLength: UNFOLDED }).toString('latin1')
  } catch {
    return undefined
  }
}
