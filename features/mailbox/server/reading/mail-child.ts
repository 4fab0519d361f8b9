import { serveParser } from '#platform/server/parsing/serve-parser.ts'
import { readMail } from './read-mail.ts'
import type { MailContent } from './read-mail.ts'

/** Metadata of a mail and its files' names; the contents follow as bytes: text, HTML, then one part per file. */
export interface MailHead extends Omit<MailContent, 'text' | 'html' | 'files'> {
  readonly files: readonly { readonly name: string; readonly type: string }[]
}

// Child process that parses mails from strangers; no other process parses them.
serveParser({
  mail: async (raw, { sender }) => {
    const { text, html, files, ...facts } = await readMail(raw, String(sender))
    return {
      head: { ...facts, files: files.map(({ name, type }) => ({ name, type })) } satisfies MailHead,
      parts: [Buffer.from(text), Buffer.from(html), ...files.map(({ bytes }) => Buffer.from(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength))],
    }
  },
})
