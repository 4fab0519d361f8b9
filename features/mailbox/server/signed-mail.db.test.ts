import { createTransport } from 'nodemailer'
import { expect, test } from 'vitest'
import { startMailboxStage } from './testing/mailbox-stage.ts'

const { anOpenBox, keys, list, post, send } = await startMailboxStage()

/** Replaces the last character that `place` matches by another one of base64. */
const changeByte = (raw: string, place: RegExp) => raw.replace(place, (all: string) => all.slice(0, -1) + (all.endsWith('A') ? 'B' : 'A'))
const FAILED = { dkim: 'fail', dmarc: 'fail' }
test.each<{ name: string; change?: (raw: string) => string; from?: string; shown: object; verdict: string }>([
  { name: 'as it was signed passes', shown: { dkim: 'pass', dmarc: 'pass' }, verdict: 'verified' },
  { name: 'with one byte of its signature changed fails', change: (raw) => changeByte(raw, /\sb=./), shown: FAILED, verdict: 'forged' },
  { name: 'with another subject fails', change: (raw) => raw.replace('Your code', 'Your cod3'), shown: FAILED, verdict: 'forged' },
  { name: 'with one byte of its body changed fails', change: (raw) => raw.replace('739204', '739205'), shown: FAILED, verdict: 'forged' },
  { name: 'does not verify another domain', from: 'security@bank.example', shown: { spf: 'fail', dkim: 'pass', dmarc: 'none' }, verdict: 'forged' },
])('a signed mail $name', async ({ change, from = 'noreply@signed.example', shown, verdict }) => {
  const box = await anOpenBox()
  const mail = { from, to: box.address, subject: 'Your code', text: 'Code: 739204' }
  const signer = createTransport({
    ...{ streamTransport: true, buffer: true, newline: 'windows' },
    dkim: { domainName: 'signed.example', keySelector: 'k1', privateKey: keys.privateKey },
  })
  const signed = String((await signer.sendMail(mail)).message)
  const raw = change ? change(signed) : signed
  if (change) expect(raw).not.toBe(signed)
  await send(box.address, { from, raw })
  const [row] = (await list(box.id)).data.rowList
  const { row: opened } = (await post('/message/read', { id: row.id })).data
  for (const one of [row, opened]) expect(one).toMatchObject({ auth: { spf: 'none', ...shown }, verdict })
})
