import type { AddressInfo } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { SMTPServer } from 'smtp-server'
import type { SMTPServerAddress, SMTPServerDataStream, SMTPServerSession } from 'smtp-server'
import type { Log } from '#platform/server/log.ts'
import type { SmtpEnvelope } from '../reading/check-sender.ts'
import type { ReceivedMail } from '../reading/read-mail.ts'
import type { MailReader } from '../reading/reader.ts'
import { createSmtpPeers } from './peers.ts'
import type { PeerLimits, SmtpPeers } from './peers.ts'
import { createMailBuffer } from './mail-buffer.ts'
import type { MailBuffer, MailBufferLimits } from './mail-buffer.ts'

export interface MailServerOptions {
  readonly port: number
  readonly host: string
  /** Hostname in its greeting. */
  readonly name: string
  readonly tls?: { readonly key: string; readonly cert: string } | undefined
  readonly maxBytes: number
  readonly limits: PeerLimits
  readonly room: MailBufferLimits
  readonly reader: MailReader
  readonly log: Log
  readonly now: () => number
  /** Classifies a recipient: `relay` is not our domain, `unknown` has no mailbox, `full` has no space left. */
  readonly whose: (address: string) => Promise<'ours' | 'relay' | 'unknown' | 'full'>
  /** Resolves when the mail is stored. */
  readonly keep: (mail: ReceivedMail) => Promise<void>
  /** Creates the digest that identifies a repeated mail, updated chunk by chunk: hashing a whole mail would block the event loop. */
  readonly digest: () => Digest
}

interface Digest {
  update(piece: Uint8Array): unknown
  digest(): Buffer
}

export interface MailServer {
  readonly port: number
  close(): Promise<void>
}

const MAX_RECIPIENTS = 10
const MAX_CLIENTS = 300
const IDLE_MS = 60_000

const smtpError = (code: number, text: string) => Object.assign(new Error(text), { responseCode: code })

/** Starts an SMTP server for our own addresses only. It responds 250 once a mail is stored, so senders retry lost ones. */
export async function startMailServer(options: MailServerOptions): Promise<MailServer> {
  const { log } = options
  const peers = createSmtpPeers(options.limits, options.now)
  const counted = new Set<string>()
  const room = createMailBuffer(options.room)
  const server = new SMTPServer({
    name: options.name,
    size: options.maxBytes,
    authOptional: true,
    disabledCommands: ['AUTH'],
    // The library's own guess of the enhanced status code would precede ours
    hideENHANCEDSTATUSCODES: true,
    disableReverseLookup: true,
    maxClients: MAX_CLIENTS,
    socketTimeout: IDLE_MS,
    closeTimeout: 5_000,
    logger: false,
    ...(options.tls ? { key: options.tls.key, cert: options.tls.cert } : {}),
    onConnect: (session, done) => {
      if (!peers.enter(session.remoteAddress)) return done(smtpError(421, '4.7.0 Too many connections from your address'))
      counted.add(session.id)
      done()
    },
    onClose: (session) => {
      if (counted.delete(session.id)) peers.leave(session.remoteAddress)
    },
    onMailFrom: (_address, session, done) => done(peers.mail(session.remoteAddress) ? null : smtpError(450, '4.7.1 Too many messages, try again later')),
    onRcptTo: (address, session, done) => void callBack(acceptRecipient(options, peers, { address, session }), done),
    onData: (stream, session, done) => void callBack(receiveMail(options, room, { stream, session }), done),
  })
  server.on('error', (error: Error & { code?: string }) => log.debug({ code: error.code }, 'mail: a connection broke'))
  await new Promise<void>((resolve, reject) => {
    server.server.once('error', reject)
    server.listen(options.port, options.host, () => {
      server.server.off('error', reject)
      resolve()
    })
  })
  const { port } = server.server.address() as AddressInfo
  return { port, close: () => new Promise<void>((resolve) => server.close(() => resolve())) }
}

async function callBack(work: Promise<void>, done: (error?: Error | null) => void): Promise<void> {
  let problem: Error | undefined
  try {
    await work
  } catch (error) {
    problem = error as Error
  }
  done(problem)
}

async function acceptRecipient(
  { whose, log }: MailServerOptions,
  peers: SmtpPeers,
  { address: { address }, session }: { readonly address: SMTPServerAddress; readonly session: SMTPServerSession },
): Promise<void> {
  if (session.envelope.rcptTo.length >= MAX_RECIPIENTS) throw smtpError(452, '4.5.3 Too many recipients')
  const found = await whose(address.toLowerCase()).catch((error: unknown) => {
    log.error({ err: error }, 'mail: a recipient could not be looked up')
    throw smtpError(451, '4.3.0 Try again later')
  })
  if (found === 'ours') return
  if (found === 'full') throw smtpError(452, '4.2.2 The mailbox is full')
  if (!peers.stranger(session.remoteAddress)) throw smtpError(421, '4.7.0 Too many unknown recipients')
  throw found === 'relay' ? smtpError(550, '5.7.1 Relaying is not permitted') : smtpError(550, '5.1.1 No such mailbox')
}

async function receiveMail(
  options: MailServerOptions,
  room: MailBuffer,
  { stream, session }: { readonly stream: SMTPServerDataStream; readonly session: SMTPServerSession },
): Promise<void> {
  const incoming = room.open(session.remoteAddress)
  const digest = options.digest()
  try {
    // An oversized mail is read to its end and dropped: the response follows the last byte
    for await (const piece of stream as AsyncIterable<Buffer>) {
      if (stream.sizeExceeded) incoming.drop()
      else {
        digest.update(piece)
        incoming.add(piece)
      }
      // Yield between chunks: the library would otherwise deliver up to two megabytes in one turn of the event loop
      await nextTurn()
    }
    if (stream.sizeExceeded) throw smtpError(552, '5.3.4 The message is too large')
    const raw = await incoming.whole()
    if (!raw) throw smtpError(451, '4.3.1 No room now, try again later')
    await readAndStore(options, { raw, digest: digest.digest() }, session)
  } finally {
    incoming.release()
  }
}

interface RawMail {
  readonly raw: Uint8Array<ArrayBuffer>
  readonly digest: Buffer
}

async function readAndStore(options: MailServerOptions, { raw, digest }: RawMail, session: SMTPServerSession): Promise<void> {
  const length = raw.byteLength
  const { mailFrom, rcptTo } = session.envelope
  const envelope: SmtpEnvelope = {
    ip: session.remoteAddress.replace(/^::ffff:(?=\d+\.)/i, ''),
    helo: session.hostNameAppearsAs || '',
    sender: mailFrom ? mailFrom.address : '',
    host: options.name,
  }
  const mail = await options.reader.read(raw, envelope)
  if (mail === 'busy') throw smtpError(451, '4.3.1 Busy, try again later')
  if (mail === 'broken') throw smtpError(554, '5.6.0 The message cannot be read')
  try {
    await options.keep({ raw: { bytes: length, digest }, mail, recipients: [...new Set(rcptTo.map(({ address }) => address.toLowerCase()))] })
  } catch (error) {
    options.log.error({ err: error }, 'a mail could not be kept')
    throw smtpError(451, '4.3.0 Try again later')
  }
}
