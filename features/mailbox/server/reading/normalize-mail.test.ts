import iconv from 'iconv-lite'
import PostalMime from 'postal-mime'
import type { Email } from 'postal-mime'
import { describe, expect, it } from 'vitest'
import { normalizeMail } from './normalize-mail.ts'

const gbk = (text: string): Buffer => iconv.encode(text, 'gb18030')
const big5 = (text: string): Buffer => iconv.encode(text, 'big5')
const bytes = (...pieces: readonly (string | Buffer)[]): Buffer =>
  Buffer.concat(pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)))
const b64 = (piece: Buffer): string => piece.toString('base64')
const q = (piece: Buffer): string => [...piece].map((byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('')
const mail = (subject: string | Buffer, { type = 'text/plain; charset=utf-8', body = 'x' as string | Buffer, more = '' as string | Buffer } = {}): Buffer =>
  bytes('From: a@b.cn\r\nTo: c@d.cn\r\nSubject: ', subject, '\r\n', more, 'MIME-Version: 1.0\r\nContent-Type: ', type, '\r\n\r\n', body)
const read = (raw: Buffer): Promise<Email> => PostalMime.parse(normalizeMail(raw))
const subjectOf = async (raw: Buffer) => (await read(raw)).subject

const utf = Buffer.from('个人邮箱:名称')
const gb = gbk('个人邮箱:名称')

describe('subjects as Chinese senders write them', () => {
  it.each<[string, string | Buffer, string]>([
    ['raw GBK', gbk('验证码 482913'), '验证码 482913'],
    ['raw GBK that happens to be UTF-8: combining marks', gbk('通知'), '通知'],
    ['raw GBK that happens to be UTF-8: rare letters', gbk('营业'), '营业'],
    ['raw GB18030 beyond GBK', gbk('㐂镕喆🀄'), '㐂镕喆🀄'],
    ['raw GBK with a backslash inside a character', bytes(gbk('運営'), ' \\'), '運営 \\'],
    ['raw Big5', big5('您的驗證碼是 482913'), '您的驗證碼是 482913'],
    ['raw UTF-8', '您的验证码 🎉', '您的验证码 🎉'],
    ['UTF-8 of two-byte letters', 'Vérification · © 2026', 'Vérification · © 2026'],
    ['Russian UTF-8', 'Код подтверждения', 'Код подтверждения'],
    ['Latin-1', Buffer.from('Vérification réussie', 'latin1'), 'Vérification réussie'],
    ['UTF-8 words cut inside a character', `=?utf-8?B?${b64(utf.subarray(0, 14))}?=\r\n =?utf-8?B?${b64(utf.subarray(14))}?=`, '个人邮箱:名称'],
    ['the same, in Q', `=?utf-8?Q?${q(utf.subarray(0, 4))}?= =?UTF-8?Q?${q(utf.subarray(4))}?=`, '个人邮箱:名称'],
    ['one in B and one in Q', `=?utf-8?B?${b64(utf.subarray(0, 4))}?= =?UTF-8?Q?${q(utf.subarray(4))}?=`, '个人邮箱:名称'],
    ['GB2312 words cut inside a character', `=?gb2312?B?${b64(gb.subarray(0, 3))}?=\r\n =?GB2312?B?${b64(gb.subarray(3))}?=`, '个人邮箱:名称'],
    ['GB2312 in Q, cut', `=?gb2312?Q?${q(gb.subarray(0, 5))}?=\r\n\t=?gb2312?Q?${q(gb.subarray(5))}?=`, '个人邮箱:名称'],
    ['words without a space between them', `=?gbk?B?${b64(gb.subarray(0, 3))}?==?gbk?B?${b64(gb.subarray(3))}?=`, '个人邮箱:名称'],
    ['padding inside a run', `=?utf-8?B?${b64(utf.subarray(0, 7))}?= =?utf-8?B?${b64(utf.subarray(7))}?=`, '个人邮箱:名称'],
    ['three words, each cut', [0, 1, 2].map((at) => `=?utf-8?B?${b64(utf.subarray(at * 7, at === 2 ? 99 : at * 7 + 7))}?=`).join(' '), '个人邮箱:名称'],
    ['a language in the word', `=?gb2312*zh?B?${b64(gb)}?=`, '个人邮箱:名称'],
    ['GB2312 that contains characters of GBK', `=?gb2312?B?${b64(gbk('朱镕基、陶喆'))}?=`, '朱镕基、陶喆'],
    ['called GB2312, written UTF-8', `=?gb2312?B?${b64(Buffer.from('您的验证码'))}?=`, '您的验证码'],
    ['called UTF-8, written GBK', `=?utf-8?B?${b64(gbk('您的验证码'))}?=`, '您的验证码'],
    ['called US-ASCII, written GBK', `=?us-ascii?Q?${q(gbk('您的验证码'))}?=`, '您的验证码'],
    ['a charset that does not exist', `=?x-mystery?B?${b64(gbk('您的验证码'))}?=`, '您的验证码'],
    ['cp936', `=?cp936?B?${b64(gbk('验证码'))}?=`, '验证码'],
    ['Big5 word', `=?big5?B?${b64(big5('驗證碼'))}?=`, '驗證碼'],
    ['HZ', `=?hz-gb-2312?Q?=7E=7BQiV$Bk=7E=7D?=`, '验证码'],
    ['ISO-2022-CN', `=?ISO-2022-CN?B?${b64(Buffer.from('\x1b$)A\x0eQiV$Bk\x0f 1', 'latin1'))}?=`, '验证码 1'],
    ['ISO-2022-JP', `=?ISO-2022-JP?B?${b64(Buffer.from("\x1b$B3NG'\x1b(B", 'latin1'))}?=`, '確認'],
    ['Shift_JIS', `=?shift_jis?B?${b64(iconv.encode('認証コード', 'shift_jis'))}?=`, '認証コード'],
    ['EUC-KR', `=?ks_c_5601-1987?B?${b64(iconv.encode('인증번호', 'euc-kr'))}?=`, '인증번호'],
    ['half raw, half encoded', bytes(gbk('通知'), ` =?gb2312?B?${b64(gbk('验证码'))}?=`), '通知 验证码'],
    ['raw bytes inside a word', bytes('=?gb2312?Q?', gbk('验证码'), '?='), '验证码'],
    ['text around words', `Re: =?gbk?B?${b64(gbk('订单'))}?= 42`, 'Re: 订单 42'],
    ['a word that never ends', '=?utf-8?B?5Liq', '=?utf-8?B?5Liq'],
    ['nothing to do', 'Your code is 482913', 'Your code is 482913'],
  ])('%s', async (_, subject, expected) => {
    expect(await subjectOf(mail(subject))).toBe(expected)
  })

  it('the text’s charset decides for header bytes that are valid in two', async () => {
    const raw = big5('驗證碼')
    expect(await subjectOf(mail(raw, { type: 'text/plain; charset=big5', body: big5('您的驗證碼是 1') }))).toBe('驗證碼')
  })

  it('sender names are decoded, and addresses stay unchanged', async () => {
    const from = await read(bytes('From: "', gbk('招商银行, 信用卡'), '" <card@bank.cn>\r\nSubject: x\r\n\r\nx'))
    expect(from.from).toMatchObject({ name: '招商银行, 信用卡', address: 'card@bank.cn' })
    const word = await read(bytes(`From: =?gbk?B?${b64(gbk('客服 <evil@x.cn>'))}?= <real@bank.cn>\r\nSubject: x\r\n\r\nx`))
    expect(word.from).toMatchObject({ address: 'real@bank.cn' })
  })
})

describe('texts', () => {
  const text = '您的验证码是 482913，五分钟内有效。'
  const page = (meta: string, body: Buffer) => bytes(`<html><head>${meta}</head><body>`, body, '</body></html>')
  it.each<[string, Buffer]>([
    ['no charset, GBK', mail('s', { type: 'text/plain', body: gbk(text) })],
    ['no content type at all', bytes('From: a@b.cn\r\nSubject: s\r\n\r\n', gbk(text))],
    ['us-ascii, GBK', mail('s', { type: 'text/plain; charset=us-ascii', body: gbk(text) })],
    ['iso-8859-1, GBK', mail('s', { type: 'text/plain; charset="iso-8859-1"', body: gbk(text) })],
    ['utf-8, GBK', mail('s', { type: 'text/plain; charset=utf-8', body: gbk(text) })],
    ['gb2312, UTF-8', mail('s', { type: 'text/plain; charset=gb2312', body: Buffer.from(text) })],
    ['gb2312, GBK', mail('s', { type: 'text/plain; charset=gb2312', body: gbk(text) })],
    ['a charset that does not exist', mail('s', { type: 'text/plain; charset=foo', body: gbk(text) })],
    ['base64 of GBK without charset', mail('s', { type: 'text/plain', more: 'Content-Transfer-Encoding: base64\r\n', body: b64(gbk(text)) })],
    [
      'quoted-printable of GBK without charset',
      mail('s', { type: 'text/plain', more: 'Content-Transfer-Encoding: quoted-printable\r\n', body: q(gbk(text)).replace(/.{72}/g, '$&=\r\n') }),
    ],
    ['plain UTF-8 without charset', mail('s', { type: 'text/plain', body: text })],
  ])('%s', async (_, raw) => {
    expect((await read(raw)).text?.trim()).toBe(text)
  })

  it.each<[string, Buffer]>([
    ['charset only in the page', page('<meta charset="gb2312">', gbk(text))],
    ['charset only in the page, as of HTML 4', page('<meta http-equiv="Content-Type" content="text/html; charset=GBK">', gbk(text))],
    ['charset in the page without quotes', page('<META HTTP-EQUIV=Content-Type CONTENT=text/html;charset=gb18030>', gbk(text))],
    ['the page names UTF-8 and is GBK', page('<meta charset=utf-8>', gbk(text))],
    ['no charset anywhere', page('', gbk(text))],
  ])('a page: %s', async (_, body) => {
    expect((await read(mail('s', { type: 'text/html', body }))).html).toContain(text)
  })

  it('a charset that only the page declares is used', async () => {
    const korean = '인증번호는 482913입니다'
    expect((await read(mail('s', { type: 'text/html', body: page('<meta charset="euc-kr">', iconv.encode(korean, 'euc-kr')) }))).html).toContain(korean)
  })

  it('Big5, HZ, ISO-2022-CN and ISO-2022-JP texts are decoded', async () => {
    const traditional = '您的驗證碼是 482913，請於五分鐘內輸入。'
    expect((await read(mail('s', { type: 'text/plain', body: big5(traditional) }))).text?.trim()).toBe(traditional)
    expect((await read(mail('s', { type: 'text/plain; charset=big5', body: big5(traditional) }))).text?.trim()).toBe(traditional)
    expect((await read(mail('s', { type: 'text/html', body: page('<meta charset=big5>', big5(traditional)) }))).html).toContain(traditional)
    expect((await read(mail('s', { type: 'text/plain; charset=hz-gb-2312', body: 'code ~{QiV$Bk~} 1' }))).text?.trim()).toBe('code 验证码 1')
    expect((await read(mail('s', { type: 'text/plain; charset=iso-2022-cn', body: '\x1b$)A\x0eQiV$Bk\x0f 1' }))).text?.trim()).toBe('验证码 1')
    expect((await read(mail('s', { type: 'text/plain; charset=iso-2022-jp', body: "\x1b$B3NG'\x1b(B" }))).text?.trim()).toBe('確認')
  })

  it('a text in its declared charset is not changed', () => {
    for (const raw of [
      mail('Your code', { body: Buffer.from('naïve café') }),
      mail('s', { type: 'text/plain; charset=iso-8859-1', body: Buffer.from('naïve café', 'latin1') }),
      mail('s', { type: 'text/plain; charset=windows-1251', body: iconv.encode('Код: 1', 'windows-1251') }),
      mail('s', { type: 'application/octet-stream', body: gbk('验证码') }),
    ])
      expect(normalizeMail(raw).equals(raw)).toBe(true)
  })
})

describe('parts', () => {
  const parts = (...each: readonly (string | Buffer)[]): Buffer =>
    bytes(
      'From: a@b.cn\r\nSubject: s\r\nContent-Type: multipart/mixed; boundary="B 1"\r\n\r\npreamble\r\n',
      ...each.flatMap((one) => ['--B 1\r\n', one, '\r\n']),
      '--B 1--\r\nepilogue',
    )

  it.each<[string, string | Buffer]>([
    [
      'a raw GBK name',
      bytes('Content-Type: application/pdf; name="', gbk('发票.pdf'), '"\r\nContent-Disposition: attachment; filename="', gbk('发票.pdf'), '"'),
    ],
    ['without quotes', bytes('Content-Type: application/pdf\r\nContent-Disposition: attachment; filename=', gbk('发票.pdf'))],
    ['an encoded word', `Content-Type: application/pdf\r\nContent-Disposition: attachment; filename="=?gb2312?B?${b64(gbk('发票.pdf'))}?="`],
    [
      'encoded words, cut',
      `Content-Type: application/pdf\r\nContent-Disposition: attachment;\r\n filename="=?gb2312?B?${b64(gbk('发票.pdf').subarray(0, 3))}?=\r\n =?gb2312?B?${b64(gbk('发票.pdf').subarray(3))}?="`,
    ],
    ['RFC 2231 in GBK', `Content-Type: application/pdf\r\nContent-Disposition: attachment; filename*=gb2312''${q(gbk('发票')).replaceAll('=', '%')}.pdf`],
    [
      'RFC 2231, cut',
      `Content-Type: application/pdf\r\nContent-Disposition: attachment;\r\n filename*0*=gbk''${q(gbk('发票').subarray(0, 3)).replaceAll('=', '%')};\r\n filename*1*=${q(gbk('发票').subarray(3)).replaceAll('=', '%')}.pdf`,
    ],
    ['the name in Content-Type alone', bytes('Content-Disposition: attachment\r\nContent-Type: application/pdf; name="', gbk('发票.pdf'), '"')],
  ])('a file: %s', async (_, head) => {
    const { attachments } = await read(parts('Content-Type: text/plain\r\n\r\nhello', bytes(head, '\r\nContent-Transfer-Encoding: base64\r\n\r\nJVBERg==')))
    expect(attachments.map(({ filename, content }) => [filename, Buffer.from(content as ArrayBuffer).toString()])).toEqual([['发票.pdf', '%PDF']])
  })

  it('other parameters and the bytes of non-text parts are not changed', async () => {
    const binary = Buffer.from(Array.from({ length: 700 }, (_, at) => at & 255))
    const raw = parts(
      bytes('Content-Type: text/plain; format=flowed; delsp=yes; name="a.txt"\r\n\r\n', gbk('您的验证码是 1')),
      bytes('Content-Type: application/octet-stream; name=x.bin\r\nContent-Transfer-Encoding: base64\r\n\r\n', b64(binary)),
    )
    const normal = normalizeMail(raw).toString('latin1')
    expect(normal).toContain('text/plain; format=flowed; delsp=yes; name="a.txt"; charset=gb18030')
    const mailRead = await read(raw)
    expect(mailRead.text?.trim()).toBe('您的验证码是 1')
    expect(Buffer.from(mailRead.attachments[0]!.content as ArrayBuffer).equals(binary)).toBe(true)
    expect([normal.includes('preamble'), normal.endsWith('--B 1--\r\nepilogue')]).toEqual([true, true])
  })

  it('alternatives inside a mixed mail are decoded, each in its own charset', async () => {
    const inner = bytes(
      'Content-Type: multipart/alternative; boundary=in\r\n\r\n--in\r\nContent-Type: text/plain; charset=gb2312\r\n\r\n',
      gbk('验证码'),
      '\r\n--in\r\nContent-Type: text/html\r\n\r\n<meta charset=gbk>',
      gbk('<b>验证码</b>'),
      '\r\n--in--',
    )
    const { text, html } = await read(parts(inner))
    expect([text?.trim(), html?.includes('<b>验证码</b>')]).toEqual(['验证码', true])
  })

  it('a mail within a mail is decoded', async () => {
    const forwarded = bytes(
      'Content-Type: message/rfc822\r\n\r\n',
      'From: x@y.cn\r\nSubject: ',
      gbk('转发：验证码'),
      '\r\nContent-Type: text/plain\r\n\r\n',
      gbk('您的验证码是 7'),
    )
    const { text } = await read(parts('Content-Type: text/plain\r\n\r\nsee below', forwarded))
    expect(text).toContain('您的验证码是 7')
    expect(text).toContain('转发：验证码')
  })

  it('random bytes never throw, and an ASCII mail is never changed', () => {
    let seed = 7
    const random = () => (seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff) / 0x7fffffff
    const model = parts(bytes('Content-Type: text/plain\r\n\r\n', gbk('验证码')), 'Content-Type: text/html\r\n\r\n<p>=?gbk?B?x?=')
    for (let round = 0; round < 300; round++) {
      const bent = Buffer.from(model)
      for (let change = 0; change < 5; change++) bent[Math.floor(random() * bent.length)] = Math.floor(random() * 256)
      expect(() => normalizeMail(bent.subarray(0, Math.floor(random() * bent.length)))).not.toThrow()
    }
    const ascii = parts('Content-Type: text/plain\r\n\r\nhello\r\n--C\r\nworld', 'no head at all', '')
    expect(normalizeMail(ascii).equals(ascii)).toBe(true)
  })
})
