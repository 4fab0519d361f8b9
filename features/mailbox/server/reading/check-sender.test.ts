import { generateKeyPairSync } from 'node:crypto'
import { dkimSign } from 'mailauth'
import { expect, it } from 'vitest'
import { checkSender } from './check-sender.ts'
import { readMail } from './read-mail.ts'
import { judgeSender, toAuthResult } from './sender-verdict.ts'

const createKeys = (modulusLength: number) =>
  generateKeyPairSync('rsa', { modulusLength, publicKeyEncoding: { type: 'spki', format: 'der' }, privateKeyEncoding: { type: 'pkcs8', format: 'pem' } })
const keys = createKeys(2048)
const short = createKeys(512)
const txt = ({ publicKey }: { readonly publicKey: Buffer }) => [[`v=DKIM1; k=rsa; p=${publicKey.toString('base64')}`]]
const zone: Readonly<Record<string, string[][]>> = {
  'k1._domainkey.signed.example': txt(keys),
  'short._domainkey.signed.example': txt(short),
  'other._domainkey.signed.example': [['v=DKIM1; k=unknown; p=AAAA']],
  'k1._domainkey.mail.signed.example': txt(keys),
  'k1._domainkey.evil.example': txt(keys),
  'evil.example': [['v=spf1 ip4:192.0.2.1 -all']],
  '_dmarc.evil.example': [['v=DMARC1; p=reject']],
  'news.signed.example': [['v=spf1 ip4:192.0.2.1 -all']],
  'bank.example': [['v=spf1 -all']],
  'strict.example': [['v=spf1 ip4:192.0.2.1 -all']],
  '_dmarc.strict.example': [['v=DMARC1; p=none; adkim=s; aspf=s']],
  'k1._domainkey.mail.strict.example': txt(keys),
  'k1._domainkey.shop.co.uk': txt(keys),
}
const resolve = async (name: string, type: string): Promise<string[][]> => {
  if (name.startsWith('down.')) throw Object.assign(new Error('no response'), { code: 'ETIMEOUT' })
  const found = type === 'TXT' ? zone[name] : undefined
  if (!found) throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })
  return found
}

interface SignedMail {
  readonly from?: string
  readonly domain?: string
  readonly selector?: string
  readonly privateKey?: string
}
/** A mail as sent: written here, because a mail library would rewrite an unusual From. */
async function signMail({ from = 'noreply@signed.example', domain = 'signed.example', selector = 'k1', privateKey = keys.privateKey }: SignedMail = {}) {
  const raw = `From: ${from}\r\nTo: user1@box.example\r\nSubject: Your code\r\n\r\nCode: 739204\r\n`
  const key = { signingDomain: domain, selector, privateKey }
  const { signatures, errors } = await dkimSign(raw, { ...key, canonicalization: 'relaxed/relaxed', signatureData: [key] })
  expect(errors).toEqual([])
  return signatures + raw
}
const unsign = (raw: string) => raw.replace(/^DKIM-Signature:(?:.|\r\n[ \t])*\r\n/, '')
const check = (raw: string, sender = 'noreply@signed.example') =>
  checkSender(Buffer.from(raw), { ip: '192.0.2.1', helo: 'mx.sender.example', sender, host: 'mx.mingxi.test' }, resolve)

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
  { mail: 'whose signature does not cover From', change: (raw: string) => raw.replace(/(\sh=[^;]*?)\bfrom\b/i, '$1x-other'), dkim: 'none' },
  { mail: 'without a body hash', change: (raw: string) => raw.replace(/bh=[^;]+;/, ''), dkim: 'none' },
  { mail: 'without a signature', change: unsign, dkim: 'none' },
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

const BANK = 'security@bank.example'
/** An encoded word with an address: the page shows the bank's address, and mailauth reads the other one. */
const TWO_READINGS = '=?utf-8?q?Bank_<x@evil.example>?= <security@bank.example>'
it.each([
  { mail: 'signed by another domain', from: BANK, domain: 'evil.example', sender: BANK, results: 'fail pass none', verdict: 'forged' },
  { mail: 'signed and sent by another domain', from: BANK, domain: 'evil.example', sender: 'x@evil.example', results: 'pass pass none', verdict: 'unverified' },
  { mail: 'sent by another domain', from: BANK, sender: 'x@evil.example', change: unsign, results: 'pass none none', verdict: 'unverified' },
  { mail: 'signed by its domain', sender: BANK, results: 'fail pass none', verdict: 'verified' },
  { mail: 'signed by a subdomain', domain: 'mail.signed.example', results: 'none pass none', verdict: 'verified' },
  { mail: 'sent by a subdomain', sender: 'x@news.signed.example', change: unsign, results: 'pass none none', verdict: 'verified' },
  { mail: 'signed under the same public suffix', from: 'x@bank.co.uk', sender: '', domain: 'shop.co.uk', results: 'none pass none', verdict: 'unverified' },
  { mail: 'with a DMARC pass', from: 'x@evil.example', sender: 'x@evil.example', domain: 'evil.example', results: 'pass pass pass', verdict: 'verified' },
  { mail: 'under strict DMARC', from: 'x@strict.example', domain: 'mail.strict.example', results: 'none pass fail', verdict: 'forged' },
  { mail: 'whose DMARC lookup failed', from: 'x@down.example', sender: 'x@evil.example', change: unsign, results: 'pass none none', verdict: 'unverified' },
  {
    mail: 'with two From domains',
    from: `x@evil.example, ${BANK}`,
    sender: 'x@evil.example',
    domain: 'evil.example',
    results: 'pass pass none',
    verdict: 'unverified',
  },
  {
    mail: 'whose shown address is not the checked one',
    from: TWO_READINGS,
    domain: 'evil.example',
    sender: 'x@evil.example',
    results: 'pass pass pass',
    verdict: 'forged',
  },
])('a mail $mail: $results, $verdict', async ({ change = same, sender = 'noreply@signed.example', results, verdict, ...sign }) => {
  const raw = change(await signMail(sign))
  const auth = await check(raw, sender)
  expect([auth.spf, auth.dkim, auth.dmarc].map(toAuthResult).join(' ')).toBe(results)
  const { from } = await readMail(Buffer.from(raw), sender)
  expect(judgeSender(from, auth)).toBe(verdict)
})

const RESULTS = ['pass', 'fail', 'none'] as const
const COMBINATIONS = RESULTS.flatMap((spf) => RESULTS.flatMap((dkim) => RESULTS.map((dmarc) => ({ spf, dkim, dmarc }))))
it.each([
  { mail: 'a proven From domain is verified', proven: { provenDomain: 'bank.example' }, judge: () => 'verified' },
  { mail: 'another proven domain is forged', proven: { provenDomain: 'evil.example' }, judge: () => 'forged' },
  { mail: 'without proof it is forged if a check failed', proven: { provenDomain: '' }, judge: (failed: boolean) => (failed ? 'forged' : 'unverified') },
  {
    mail: 'stored before alignment was checked, only a DMARC pass verifies',
    proven: {},
    judge: (failed: boolean, dmarc: string) => (dmarc === 'pass' ? 'verified' : failed ? 'forged' : 'unverified'),
  },
])('all 27 combinations of results: $mail', ({ proven, judge }) => {
  for (const auth of COMBINATIONS)
    expect([auth, judgeSender(BANK, { ...auth, ...proven })]).toEqual([auth, judge(Object.values(auth).includes('fail'), auth.dmarc)])
})

it.each([
  ['x@bank.example', 'bank.example', 'verified'],
  ['x@BANK.example', 'bank.example', 'verified'],
  ['x@bücher.example', 'xn--bcher-kva.example', 'verified'],
  ['x@bank.example.', 'bank.example', 'verified'],
  ['x@mail.bank.example', 'bank.example', 'forged'],
  ['bank.example', 'bank.example', 'forged'],
  ['', 'bank.example', 'forged'],
])('sender %j with the proven domain %j is %s', (sender, provenDomain, verdict) => {
  expect(judgeSender(sender, { spf: 'none', dkim: 'pass', dmarc: 'none', provenDomain })).toBe(verdict)
})
