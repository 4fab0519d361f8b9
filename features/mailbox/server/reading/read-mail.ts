import PostalMime from 'postal-mime'
import type { Address, Attachment } from 'postal-mime'
import { cleanHtml } from './clean-html.ts'
import { normalizeMail } from './normalize-mail.ts'

export interface MailFile {
  readonly name: string
  readonly type: string
  readonly bytes: Uint8Array
}

/** Content of a mail, safe to show: it runs and loads nothing by itself. */
export interface MailContent {
  readonly from: string
  readonly fromName: string
  readonly subject: string
  /** ISO time from the mail; empty if unreadable. */
  readonly sentAt: string
  readonly text: string
  readonly html: string
  /** Number of blocked remote pictures and styles. */
  readonly blocked: number
  readonly files: readonly MailFile[]
}

/** Results of the sender checks by the sender's domain. */
export interface MailAuth {
  readonly spf: string
  readonly dkim: string
  readonly dmarc: string
  /** Domain in From that a pass proves (RFC 7489, 3.1); empty if none does. Absent in mails stored before 2026-11-30. */
  readonly provenDomain?: string
}

/** A mail as stored. */
export interface CheckedMail extends MailContent {
  readonly auth: MailAuth
}

/** A mail that was received and read, with its own recipients: size and digest of its bytes, not the bytes. */
export interface ReceivedMail {
  readonly raw: { readonly bytes: number; readonly digest: Buffer }
  readonly mail: CheckedMail
  readonly recipients: readonly string[]
}

const MAX_BODY_LENGTH = 200_000
const MAX_FILES = 20
const INLINE_BYTES = 400_000

/** Reads a mail. Runs in the child process only; the envelope's `sender` replaces a missing From. */
export async function readMail(raw: Buffer, sender: string): Promise<MailContent> {
  const mail = await PostalMime.parse(normalizeMail(raw), { maxNestingDepth: 30, maxHeadersSize: 256_000 })
  const files = mail.attachments.slice(0, MAX_FILES)
  const inline = new Map(
    files.flatMap((file) => {
      const bytes = bytesOf(file)
      return file.contentId && bytes.byteLength <= INLINE_BYTES
        ? [[file.contentId.replace(/^<|>$/g, ''), { type: file.mimeType, base64: Buffer.from(bytes).toString('base64') }] as const]
        : []
    }),
  )
  const { html, blocked } = mail.html ? cleanHtml(mail.html, inline) : { html: '', blocked: 0 }
  const from = fromOf(mail.from)
  const at = mail.date ? new Date(mail.date) : undefined
  return {
    from: cleanHeader(from.address || sender, 254),
    fromName: cleanHeader(from.name, 120),
    subject: cleanHeader(mail.subject ?? '', 300),
    sentAt: at && !Number.isNaN(at.getTime()) ? at.toISOString() : '',
    text: cleanBody(mail.text ?? ''),
    html,
    blocked,
    files: files.map((file, index) => ({ name: cleanFileName(file.filename, index), type: typeOf(file.mimeType), bytes: bytesOf(file) })),
  }
}

/** Text columns reject NUL, and direction marks can disguise text. */
const cleanBody = (text: string): string => text.slice(0, MAX_BODY_LENGTH).replace(/\0/g, '')
const cleanHeader = (text: string, most: number): string =>
  text
    .replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, most)

function fromOf(address: Address | undefined): { readonly address: string; readonly name: string } {
  const one = address?.group ? address.group[0] : address
  return { address: one?.address ?? '', name: one?.name ?? '' }
}

const bytesOf = ({ content }: Attachment): Uint8Array => (typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content))

/** Reduces a file name to a safe one: no folder, no invisible characters, none that a system or a header interprets. */
function cleanFileName(name: string | null, index: number): string {
  const last =
    cleanHeader(name ?? '', 120)
      .split(/[\\/]/)
      .at(-1) ?? ''
  return last.replace(/[<>:"|?*;%]/g, '_').replace(/^\.+/, '') || `file-${index + 1}`
}

const typeOf = (type: string): string => (/^[a-z0-9.+-]{1,60}\/[a-z0-9.+-]{1,80}$/i.test(type) ? type.toLowerCase() : 'application/octet-stream')
