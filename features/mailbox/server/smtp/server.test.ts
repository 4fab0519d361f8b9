import { createHash, generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createLog } from '#platform/server/log.ts'
import { createMailReader } from '../reading/reader.ts'
import type { MailReader } from '../reading/reader.ts'
import type { MailBufferLimits } from './mail-buffer.ts'
import { startMailServer } from './server.ts'
import type { MailServer } from './server.ts'
import type { ReceivedMail } from '../reading/read-mail.ts'

const log = createLog('silent')
const keys = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'der' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})
const ZONE = {
  'sender.example': { TXT: ['v=spf1 ip4:127.0.0.1 -all'] },
  '_dmarc.sender.example': { TXT: ['v=DMARC1; p=reject'] },
  'k1._domainkey.sender.example': { TXT: [`v=DKIM1; k=rsa; p=${keys.publicKey.toString('base64')}`] },
  'strict.example': { TXT: ['v=spf1 -all'] },
  '_dmarc.strict.example': { TXT: ['v=DMARC1; p=reject'] },
}
const dkim = { domainName: 'sender.example', keySelector: 'k1', privateKey: keys.privateKey }
const folder = mkdtempSync(join(tmpdir(), 'mail-'))
const kept: ReceivedMail[] = []
let full = false
let broken = false
/** Bytes digested at once, or in one turn of the event loop. */
let longest = 0
let inTurn = 0
let now = 0
let server: MailServer
let reader: MailReader

const aServer = (room: MailBufferLimits = { all: 10_000_000, ofOne: 5_000_000 }) =>
  startMailServer({
    port: 0,
    host: '127.0.0.1',
    name: 'mx.mingxi.test',
    maxBytes: 300_000,
    limits: { connections: 8, mails: 5_000, strangers: 4 },
    room,
    reader,
    log,
    now: () => now,
    digest: () => {
      const hash = createHash('sha256')
      return {
        update: (piece) => {
          if (inTurn === 0) setImmediate(() => (inTurn = 0))
          longest = Math.max(longest, (inTurn += piece.byteLength))
          hash.update(piece)
        },
        digest: () => hash.digest(),
      }
    },
    whose: async (address) => {
      const [name, domain] = address.split('@')
      if (domain !== 'box.example') return 'relay'
      if (full) return 'full'
      return /^user\d*$/.test(name!) ? 'ours' : 'unknown'
    },
    keep: async (mail) => {
      if (broken) throw new Error('the database is away')
      kept.push(mail)
    },
  })

beforeAll(async () => {
  const zoneFile = join(folder, 'zone.json')
  writeFileSync(zoneFile, JSON.stringify(ZONE))
  reader = createMailReader(log, { zoneFile })
  server = await aServer()
})
afterAll(async () => {
  await server.close()
  await reader.stop()
  rmSync(folder, { recursive: true })
})
beforeEach(() => {
  kept.length = 0
  full = broken = false
  now += 60_000
})

const sender = (more: object = {}) => createTransport({ host: '127.0.0.1', port: server.port, secure: false, tls: { rejectUnauthorized: false }, ...more })
const send = async (mail: object, more: object = {}): Promise<{ response: string }> => {
  const transport = sender(more)
  try {
    return await transport.sendMail({ from: 'OpenAI <noreply@sender.example>', to: 'user1@box.example', subject: 'Your code', text: 'Code 739204', ...mail })
  } finally {
    transport.close()
  }
}
it('the digest is computed from the pieces as they come and equals that of the whole mail', async () => {
  longest = 0
  const raw = `Subject: large\r\n\r\n${'a line of a mail\r\n'.repeat(15_000)}`
  await send({ raw, envelope: { from: 'noreply@sender.example', to: 'user1@box.example' } })
  expect(kept[0]!.raw.bytes).toBeGreaterThan(250_000)
  expect(kept[0]!.raw.digest).toEqual(createHash('sha256').update(raw).digest())
  expect(longest).toBeLessThan(100_000)
})

const refusal = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'taken',
    (error: { response?: string; message: string }) => error.response ?? error.message,
  )

/** Sends lines one after another, each after the response to the previous one. */
async function talk(lines: readonly string[], port = server.port): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let said = ''
  return new Promise((resolve) => {
    const left = [...lines]
    socket.on('data', (piece: Buffer) => {
      said += piece.toString()
      if (!/(^|\r\n)\d{3} [^\r]*\r\n$/.test(said)) return
      const line = left.shift()
      if (line === undefined) socket.end()
      else socket.write(`${line}\r\n`)
    })
    socket.on('close', () => resolve(said))
    socket.on('error', () => resolve(said))
  })
}

/** Opens a connection from an address of this machine and sends the commands up to DATA. */
async function openToData(port = server.port, from = '127.0.0.1') {
  const socket = connect({ port, host: '127.0.0.1', localAddress: from })
  const answer = () => new Promise<string>((answered) => socket.once('data', (said: Buffer) => answered(said.toString())))
  const say = (line: string) => {
    const said = answer()
    socket.write(line)
    return said
  }
  await answer()
  for (const line of ['EHLO x\r\n', 'MAIL FROM:<a@sender.example>\r\n', 'RCPT TO:<user1@box.example>\r\n', 'DATA\r\n']) await say(line)
  return { socket, say }
}

describe('receiving', () => {
  it('reads a signed mail over STARTTLS: its verified sender, words, pictures and files', async () => {
    await send(
      {
        dkim,
        html: '<p>Code <b>739204</b></p><img src="cid:logo"><img src="https://track.example/p.gif"><script>alert(1)</script>',
        attachments: [
          { filename: 'logo.png', content: Buffer.from('89504e470d0a1a0a', 'hex'), cid: 'logo', contentType: 'image/png' },
          { filename: '../../发票\u202egpj.exe', content: 'MZ', contentType: 'application/x-msdownload' },
        ],
      },
      { requireTLS: true },
    )
    expect(kept).toHaveLength(1)
    const { mail, recipients, raw } = kept[0]!
    expect(recipients).toEqual(['user1@box.example'])
    expect(raw.bytes).toBeGreaterThan(500)
    expect(mail).toMatchObject({
      from: 'noreply@sender.example',
      fromName: 'OpenAI',
      subject: 'Your code',
      text: expect.stringContaining('Code 739204'),
      auth: { spf: 'pass', dkim: 'pass', dmarc: 'pass' },
      blocked: 1,
    })
    expect(mail.html).toContain('data:image/png;base64,')
    expect(mail.html).not.toMatch(/script|https:/)
    expect(mail.files.map(({ name, type }) => [name, type])).toEqual([
      ['logo.png', 'image/png'],
      ['发票 gpj.exe', 'application/x-msdownload'],
    ])
    expect(Buffer.from(mail.files[1]!.bytes).toString()).toBe('MZ')
  })

  it('reports a failed sender check: no signature, a missing key, a domain that forbids it', async () => {
    await send({ from: 'boss@strict.example' })
    await send({ dkim: { ...dkim, keySelector: 'missing' } })
    expect(kept.map(({ mail }) => mail.auth)).toEqual([
      { spf: 'fail', dkim: 'none', dmarc: 'fail', provenDomain: '' },
      { spf: 'pass', dkim: 'neutral', dmarc: 'pass', provenDomain: 'sender.example' },
    ])
  })

  it('one mail to two mailboxes is one with two recipients', async () => {
    await send({ to: ['user1@box.example', 'USER2@Box.Example', 'user1@box.example'] })
    expect(kept.map(({ recipients }) => recipients)).toEqual([['user1@box.example', 'user2@box.example']])
  })
})

describe('refusals', () => {
  it('relays nothing and has no sign-in', async () => {
    expect(await refusal(send({ to: 'victim@elsewhere.example' }))).toMatch(/^550 5\.7\.1/)
    expect(await refusal(send({ to: 'user1%elsewhere.example@box.example' }))).toMatch(/^550 5\.1\.1/)
    expect(await talk(['EHLO x', 'AUTH PLAIN AGEAYg==', 'QUIT'])).toMatch(/\r\n50[0-9] [^\r]*\r\n/)
    expect(kept).toEqual([])
  })

  it('refuses unknown mailboxes, and disconnects a client that guesses', async () => {
    const said = await talk(['EHLO x', 'MAIL FROM:<a@sender.example>', ...Array.from({ length: 6 }, (_, at) => `RCPT TO:<guess${at}@box.example>`), 'QUIT'])
    expect(said.match(/550 5\.1\.1/g)).toHaveLength(4)
    expect(said).toMatch(/421 4\.7\.0/)
  })

  it('takes ten recipients of a mail and refuses the eleventh', async () => {
    const to = Array.from({ length: 11 }, (_, at) => `RCPT TO:<user1${at}@box.example>`)
    const said = await talk(['EHLO x', 'MAIL FROM:<a@sender.example>', ...to, 'DATA', 'Subject: code\r\n\r\n739204\r\n.', 'QUIT'])
    expect(said.match(/452 4\.5\.3/g)).toHaveLength(1)
    expect(kept.map(({ recipients }) => recipients)).toEqual([Array.from({ length: 10 }, (_, at) => `user1${at}@box.example`)])
  })

  it('refuses a mail that is too large, declared or not, and keeps serving', async () => {
    expect(await refusal(send({ text: 'x'.repeat(400_000) }))).toMatch(/^552/)
    expect(await talk(['EHLO x', 'MAIL FROM:<a@sender.example> SIZE=9999999', 'QUIT'])).toMatch(/552/)
    await send({})
    expect(kept).toHaveLength(1)
  })

  it('answers 452 when full and 451 when storing fails, and never 250 for a mail that is not stored', async () => {
    full = true
    expect(await refusal(send({}))).toMatch(/^452/)
    full = false
    broken = true
    expect(await refusal(send({}))).toMatch(/^451/)
  })

  it('limits the connections of one address', async () => {
    const open = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const socket = connect(server.port, '127.0.0.1')
        await new Promise((greeted) => socket.once('data', greeted))
        return socket
      }),
    )
    expect(await talk(['QUIT'])).toMatch(/^421 4\.7\.0/)
    for (const socket of open) socket.destroy()
  })

  it('stores nothing of a client that leaves in the middle', async () => {
    const { socket } = await openToData()
    socket.write('Subject: half\r\n\r\nnever ends')
    socket.destroy()
    await send({})
    expect(kept.map(({ mail }) => mail.subject)).toEqual(['Your code'])
  })

  it('refuses the whole of a mail whose beginning found no room, and takes it when it is sent again', async () => {
    const small = await aServer({ all: 60_000, ofOne: 60_000 })
    const [large, other] = [await openToData(small.port, '127.0.0.2'), await openToData(small.port, '127.0.0.3')]
    large.socket.write(`Subject: large\r\n\r\n${'x'.repeat(30_000)}`)
    await talk(['NOOP', 'QUIT'], small.port)
    other.socket.write(`Subject: half\r\n\r\n${'x'.repeat(35_000)}`)
    await talk(['NOOP', 'QUIT'], small.port)
    expect(await large.say('\r\n.\r\n')).toMatch(/^250/)
    expect(await other.say('\r\nSubject: the second half\r\n\r\nx\r\n.\r\n')).toMatch(/^451 4\.3\.1/)
    expect(kept.map(({ mail }) => mail.subject)).toEqual(['large'])
    for (const line of ['MAIL FROM:<a@sender.example>\r\n', 'RCPT TO:<user1@box.example>\r\n', 'DATA\r\n']) await other.say(line)
    expect(await other.say(`Subject: whole\r\n\r\n${'x'.repeat(35_000)}\r\n.\r\n`)).toMatch(/^250/)
    for (const { socket } of [large, other]) socket.destroy()
    await small.close()
  })
})

it('mails of Chinese senders are decoded, and DKIM is checked on the bytes that came', async () => {
  const latin1 = (text: string) => Buffer.from(text, 'latin1')
  const [code, body] = ['\xd1\xe9\xd6\xa4\xc2\xeb', '\xc4\xfa\xb5\xc4\xd1\xe9\xd6\xa4\xc2\xeb\xca\xc7 482913']
  const head = 'From: noreply@sender.example\r\nTo: user1@box.example\r\nMIME-Version: 1.0\r\n'
  const raws = [
    latin1(`${head}Subject: ${code} 482913\r\nContent-Type: text/plain; charset=gbk\r\n\r\n${body}\r\n`),
    latin1(`${head}Subject: =?utf-8?B?5Liq5Lq66YKu566xOuWQ?=\r\n =?utf-8?B?jeensA==?=\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nbody\r\n`),
    latin1(`${head}Subject: html\r\nContent-Type: text/html\r\n\r\n<html><head><meta charset="gb2312"></head><body>${code} 482913</body></html>\r\n`),
  ]
  const transport = sender({ dkim })
  for (const raw of raws) await transport.sendMail({ envelope: { from: 'noreply@sender.example', to: 'user1@box.example' }, raw })
  transport.close()
  const [gbk, split, page] = kept.map(({ mail }) => mail)
  expect([gbk?.subject, gbk?.text.trim(), split?.subject, page?.html]).toEqual([
    '验证码 482913',
    '您的验证码是 482913',
    '个人邮箱:名称',
    expect.stringContaining('验证码 482913'),
  ])
  expect(kept.map(({ mail }) => mail.auth.dkim)).toEqual(['pass', 'pass', 'pass'])
})

it('hostile mails are read or refused, and those between them arrive', { timeout: 0 }, async () => {
  const count = Number(process.env['MAILS'] ?? 40)
  const hostile = [
    `Subject: deep\r\n${Array.from({ length: 200 }, (_, at) => `Content-Type: multipart/mixed; boundary="b${at}"\r\n\r\n--b${at}\r\n`).join('')}`,
    `Subject: =?utf-8?B?${'A'.repeat(50_000)}\r\nFrom: ${'<'.repeat(5_000)}\r\n\r\nx`,
    `Content-Type: text/html\r\n\r\n${'<div>'.repeat(40_000)}`,
    `Subject: zero\0byte\r\n\r\n\0\0\0`,
    `Content-Type: message/rfc822\r\n\r\n${'Content-Type: message/rfc822\r\n\r\n'.repeat(500)}`,
    `DKIM-Signature: ${'v=1; '.repeat(5_000)}\r\n\r\nx`,
  ]
  const transport = sender({ pool: true, maxConnections: 4 })
  const begun = performance.now()
  const cpu = process.cpuUsage()
  const answers = await Promise.all(
    Array.from({ length: count }, (_, at) =>
      at % 20 === 7
        ? refusal(transport.sendMail({ envelope: { from: 'a@sender.example', to: 'user1@box.example' }, raw: hostile[((at / 20) | 0) % hostile.length]! }))
        : refusal(transport.sendMail({ from: 'noreply@sender.example', to: `user${at}@box.example`, subject: `n${at}`, text: 'hello', dkim })),
    ),
  )
  transport.close()
  const good = answers.filter((_, at) => at % 20 !== 7)
  if (process.env['MAILS']) {
    const seconds = (performance.now() - begun) / 1000
    const { user, system } = process.cpuUsage(cpu)
    const hostiles = answers.filter((_, at) => at % 20 === 7)
    console.info(
      JSON.stringify({
        mails: count,
        seconds: Number(seconds.toFixed(1)),
        aMinute: Math.round((count / seconds) * 60),
        hostile: hostiles.length,
        hostileTaken: hostiles.filter((answer) => answer === 'taken').length,
        cpuMsAMail: Number(((user + system) / 1000 / count).toFixed(1)),
        rssMb: Math.round(process.memoryUsage().rss / 1e6),
      }),
    )
  }
  expect(good.every((answer) => answer === 'taken')).toBe(true)
  expect(new Set(kept.map(({ mail }) => mail.subject).filter((subject) => /^n\d/.test(subject))).size).toBe(good.length)
})
