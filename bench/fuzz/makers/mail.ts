import type { FuzzRandom } from '../random.ts'
import { drawRepeatCount, repeatBytes, encodeLatin1 } from './maker.ts'
import type { FileMaker } from './maker.ts'

const RUNS = [
  '=?utf-8?B?5Liq?= ',
  '=?gb2312?Q?=D1=E9?=',
  '(',
  '<',
  '"',
  '\\',
  ';a=b',
  ' ',
  '\t',
  '=',
  '=?',
  '?=',
  ',',
  'a@b ',
  '<<',
  '&#',
  ': ',
  '; charset=',
  '*0*=',
  '\xd1\xe9',
]

function mail(random: FuzzRandom): Buffer {
  const run = (most: number): Buffer => {
    const piece = encodeLatin1(random.pick(RUNS))
    return repeatBytes(drawRepeatCount(random, piece.length, most), piece)
  }
  const field = (name: string): Buffer => Buffer.concat([encodeLatin1(`${name}: `), run(120_000), encodeLatin1('\r\n')])
  const fields = ['From', 'To', 'Subject', 'Content-Disposition', 'DKIM-Signature', 'Received', 'Date'].filter(() => random.once(2)).map(field)
  const boundary = random.pick(['b', 'b'.repeat(70), '-', ' ', '='])
  const type = random.pick([
    'text/plain',
    'text/html',
    `multipart/mixed; boundary="${boundary}"`,
    `multipart/alternative; boundary=${boundary}`,
    'message/rfc822',
    'text/html; charset=gb2312',
    'text/plain; format=flowed',
  ])
  const encoding = random.pick(['', 'Content-Transfer-Encoding: base64\r\n', 'Content-Transfer-Encoding: quoted-printable\r\n'])
  const head = Buffer.concat([...fields, encodeLatin1(`Content-Type: ${type}\r\n${encoding}\r\n`)])
  const part = encodeLatin1(
    random.pick([
      `--${boundary}\r\n`,
      `--${boundary}\r\nContent-Type: text/plain\r\n\r\nx\r\n`,
      `--${boundary}\r\nContent-Type: message/rfc822\r\n\r\n`,
      `--${boundary}--\r\n`,
      '\r\n',
      '\n',
      '\r',
    ]),
  )
  const tags = encodeLatin1(
    random.pick([
      '<div>',
      '<a href="',
      '<p style="color:',
      '<img src="cid:x">',
      '<!--',
      '&',
      '<table><tr><td>',
      '</b>',
      '<svg>',
      '<meta charset=',
      'url(',
      '<a b',
    ]),
  )
  return Buffer.concat([
    head,
    repeatBytes(drawRepeatCount(random, part.length, 8_000_000), part),
    repeatBytes(drawRepeatCount(random, tags.length, 4_000_000), tags),
    run(1_000_000),
  ])
}

export const mailMakers: readonly FileMaker[] = [{ name: 'mail', make: mail }]
