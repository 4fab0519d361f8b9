import { generateKeyPairSync } from 'node:crypto'
import { createTransport } from 'nodemailer'
import { expect, it } from 'vitest'
import { checkSender } from './check-sender.ts'
import { toAuthResult } from './sender-verdict.ts'

const createKeys = (modulusLength: number) =>
  generateKeyPairSync('rsa', { modulusLength, publicKeyEncoding: { type: 'spki', format: 'der' }, privateKeyEncoding: { type: 'pkcs8', format: 'pem' } })
const keys = createKeys(2048)
const short = createKeys(512)
const txt = ({ publicKey }: { readonly publicKey: Buffer }) => [[`v=DKIM1; k=rsa; p=${publicKey.toString('base64')}`]]
const zone: Readonly<Record<string, string[][]>> = {
  'k1._domainkey.signed.example': txt(keys),
  'short._domainkey.signed.example': txt(short),
  'other._domainkey.signed.example': [['v=DKIM1; k=unknown; p=AAAA']],
}
const resolve = async (name: string, type: string): Promise<string[][]> => {
  if (name.startsWith('down.')) throw Object.assign(new Error('no response'), { code: 'ETIMEOUT' })
  const found = type === 'TXT' ? zone[name] : undefined
  if (!found) throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })
  return found
}

interface SignedMail {
  readonly from?: string
  readonly selector?: string
  readonly privateKey?: string
  readonly domain?: string
}
async function signMail({ from = 'noreply@signed.example', selector = 'k1', privateKey = keys.privateKey, domain = 'signed.example' }: SignedMail = {}) {
  const dkim = { domainName: domain, keySelector: selector, privateKey }
  const signer = createTransport({ streamTransport: true, buffer: true, newline: 'windows', dkim })
  return String((await signer.sendMail({ from, to: 'user1@box.example', subject: 'Your code', text: 'Code: 739204' })).message)
}
const check = (raw: string, { sender = 'noreply@signed.example', ip = '192.0.2.1' } = {}) =>
  checkSender(Buffer.from(raw), { ip, helo: 'mx.sender.example', sender, host: 'mx.mingxi.test' }, resolve as never)

const same = (raw: string) => raw
it.each([
  { mail: 'as signed', change: same, dkim: 'pass' },
  { mail: 'with a changed body', change: (raw: string) => raw.replace('739204', '739205'), dkim: 'fail' },
  { mail: 'with a changed subject', change: (raw: string) => raw.replace('Your code', 'Your cod3'), dkim: 'fail' },
  { mail: 'with a short key', sign: { selector: 'short', privateKey: short.privateKey }, change: same, dkim: 'fail' },
  { mail: 'without a published key', sign: { selector: 'missing' }, change: same, dkim: 'none' },
  { mail: 'with a key of an unknown type', sign: { selector: 'other' }, change: same, dkim: 'none' },
  { mail: 'whose key could not be looked up', sign: { selector: 'down' }, change: same, dkim: 'none' },
  { mail: 'with an unknown algorithm', change: (raw: string) => raw.replace('a=rsa-sha256', 'a=rot-13'), dkim: 'none' },
  { mail: 'whose signature does not cover From', change: (raw: string) => raw.replace(/h=from:/i, 'h='), dkim: 'none' },
  { mail: 'without a body hash', change: (raw: string) => raw.replace(/bh=[^;]+;/, ''), dkim: 'none' },
  { mail: 'without a signature', change: (raw: string) => raw.replace(/^DKIM-Signature:(?:.|\r\n[ \t])*\r\n/, ''), dkim: 'none' },
])('a mail $mail: DKIM $dkim', async ({ sign, change, dkim }) => {
  const signed = await signMail(sign)
  const raw = change(signed)
  expect(raw === signed).toBe(change === same)
  expect(toAuthResult((await check(raw)).dkim)).toBe(dkim)
})

it('a signature that fails counts before one that could not be processed', async () => {
  const [unprocessed] = /^DKIM-Signature:(?:.|\r\n[ \t])*\r\n/.exec(await signMail({ selector: 'missing' }))!
  const changed = (await signMail()).replace('739204', '739205')
  expect((await check(unprocessed + changed)).dkim).toBe('fail')
})

it.each([
  ['pass', 'pass'],
  ['fail', 'fail'],
  ['softfail', 'fail'],
  ['policy', 'fail'],
  ['temperror', 'none'],
  ['permerror', 'none'],
  ['neutral', 'none'],
  ['none', 'none'],
])('the check result %s is shown as %s', (result, shown) => {
  expect(toAuthResult(result)).toBe(shown)
})
