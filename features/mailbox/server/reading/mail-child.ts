import { serveParser } from '#platform/server/parsing/serve-parser.ts'
import { readMail } from './read-mail.ts'
import type { MailContent } from './read-mail.ts'

/** A mail's facts and its files' names; texts and files follow as bytes: text, HTML, then a part a file. */
export interface MailHead extends Omit<MailContent, 'text' | 'html' | 'files'> {
  readonly files: readonly { readonly name: string; readonly type: string }[]
}

// A process of its own: mails of strangers are parsed nowhere else.
serveParser({
  mail: async (raw, { sender }) => {
    const { text, html, files, ...facts } = await readMail(raw, String(sender))
    return {
      head: { ...facts, files: files.map(({ name, type }) => ({ name, type })) } satisfies MailHead,
      parts: [Buffer.from(text), Buffer.from(html), ...files.map(({ bytes }) => Buffer.from(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength))],
    }
  },
})
