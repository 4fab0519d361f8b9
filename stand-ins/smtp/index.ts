import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import type { SMTPServerSession } from 'smtp-server'
import { SMTP_RULES } from './rules.ts'

export interface ReceivedMail {
  readonly to: string
  readonly raw: Buffer
}
export interface SmtpRefusal {
  readonly code: number
  readonly text: string
}
interface SmtpOptions {
  /** Answer to a recipient; undefined accepts it. */
  readonly refuse?: (to: string, attempt: number) => SmtpRefusal | undefined
  /** Login that the server wants before any mail. */
  readonly login?: { readonly user: string; readonly pass: string }
}
export interface Smtp {
  readonly url: string
  readonly received: ReceivedMail[]
  /** Rejects if a mail broke a rule. */
  close(): Promise<void>
}

const toError = ({ code, text }: SmtpRefusal) => Object.assign(new Error(text), { responseCode: code })

/** Breaches of `SMTP_RULES`, by name. */
function listBreaches(raw: Buffer, { envelope }: SMTPServerSession): string[] {
  const text = raw.toString('latin1')
  const [head = ''] = text.split('\r\n\r\n', 1)
  const fields = head.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n')
  const valuesOf = (name: string) => fields.filter((field) => field.toLowerCase().startsWith(`${name}:`)).map((field) => field.slice(name.length + 1).trim())
  const args = envelope.mailFrom ? (envelope.mailFrom.args as Record<string, unknown>) : {}
  // oxlint-disable-next-line no-control-regex -- octets outside ASCII
  const isAscii = (part: string) => /^[\x00-\x7f]*$/.test(part)
  return [
    ...(text.split('\r\n').some((line) => line.length > SMTP_RULES.line.most) ? ['line'] : []),
    ...(/\r(?!\n)|(?<!\r)\n/.test(text) ? ['lineEnd'] : []),
    ...SMTP_RULES.once.value.filter((name) => valuesOf(name).length !== 1 || valuesOf(name)[0] === '').map((name) => `once ${name}`),
    ...(valuesOf('message-id').every((id) => SMTP_RULES.messageId.pattern.test(id)) ? [] : ['messageId']),
    ...(isAscii(head) || args['SMTPUTF8'] ? [] : ['header']),
    ...(isAscii(text) || args['BODY'] === '8BITMIME' ? [] : ['body']),
  ]
}

/** A mail server (RFC 5321) for one client; refuses what breaks a rule of messages. */
export async function startSmtp({ refuse = () => undefined, login }: SmtpOptions = {}): Promise<Smtp> {
  const received: ReceivedMail[] = []
  const breaches = new Set<string>()
  let attempts = 0
  const server = new SMTPServer({
    disabledCommands: login ? ['STARTTLS'] : ['STARTTLS', 'AUTH'],
    allowInsecureAuth: true,
    onAuth: (auth, _session, done) =>
      auth.username === login?.user && auth.password === login?.pass
        ? done(null, { user: auth.username })
        : done(toError({ code: 535, text: 'Authentication credentials invalid' })),
    onRcptTo: ({ address }, _session, done) => {
      const refusal = refuse(address, ++attempts)
      done(refusal && toError(refusal))
    },
    onData: (stream, session, done) => {
      const pieces: Buffer[] = []
      stream.on('data', (piece: Buffer) => pieces.push(piece))
      stream.on('end', () => {
        const raw = Buffer.concat(pieces)
        const found = listBreaches(raw, session)
        for (const breach of found) breaches.add(breach)
        if (found.length) return done(toError({ code: 550, text: `5.6.0 message refused: ${found.join(', ')}` }))
        for (const { address } of session.envelope.rcptTo) received.push({ to: address, raw })
        done()
      })
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://${login ? `${login.user}:${login.pass}@` : ''}127.0.0.1:${port}`,
    received,
    close: async () => {
      await new Promise<void>((done) => server.close(done))
      if (breaches.size) throw new Error(`mails break rules of SMTP: ${[...breaches].join(', ')}`)
    },
  }
}
